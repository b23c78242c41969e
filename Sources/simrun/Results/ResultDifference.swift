/// Where two results begin to differ.
enum ResultDifference {
  /// The first difference, with its path; nil if there is none.
  ///
  /// - Parameters:
  ///   - old: what was committed.
  ///   - new: what came out.
  /// - Returns: a phrase such as `worlds[0].runs is 10, and 20 came out`.
  static func first(_ old: JSONValue, _ new: JSONValue) -> String? {
    first(old.reread, new.reread, at: "")
  }

  private static func first(_ old: JSONValue, _ new: JSONValue, at path: String) -> String? {
    switch (old, new) {
    case (.object(let ours), .object(let theirs)): return first(ours, theirs, at: path)
    case (.array(let ours), .array(let theirs)):
      for (index, (old, new)) in zip(ours, theirs).enumerated() {
        if let found = first(old, new, at: "\(path)[\(name(of: new) ?? "\(index)")]") {
          return found
        }
      }
      return ours.count == theirs.count
        ? nil : "\(path) has \(ours.count) parts, and \(theirs.count) came out"
    default:
      return old == new ? nil : "\(path) is \(shown(old)), and \(shown(new)) came out"
    }
  }

  private static func first(
    _ ours: [JSONValue.Member], _ theirs: [JSONValue.Member], at path: String
  ) -> String? {
    let lead = path.isEmpty ? "" : "\(path)."
    for member in theirs {
      guard let old = ours.first(where: { $0.key == member.key }) else {
        return "\(lead)\(member.key) is not there, and \(shown(member.value)) came out"
      }
      if let found = first(old.value, member.value, at: lead + member.key) { return found }
    }
    for member in ours where !theirs.contains(where: { $0.key == member.key }) {
      return "\(lead)\(member.key) is \(shown(member.value)), and none came out"
    }
    return nil
  }

  /// What a part is called: a world by its variant and point, a result by its strategy.
  private static func name(of part: JSONValue) -> String? {
    let names = ["variant", "at", "strategy", "expects"].compactMap { part[$0]?.text }
    return names.isEmpty ? nil : names.joined(separator: " · ")
  }

  private static func shown(_ value: JSONValue) -> String {
    let text = value.text(width: .max)
    return text.count > 120 ? "\(text.prefix(120))…" : text
  }
}
