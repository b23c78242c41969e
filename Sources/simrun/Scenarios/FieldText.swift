/// The values of fields as a tree and as a file to copy.
enum FieldText {
  /// The values of fields, nested by the dots of their paths.
  static func tree<Root>(_ root: Root, fields: [Field<Root>]) -> JSONValue {
    var tree = JSONValue.object([JSONValue.Member]())
    for field in fields {
      insert(field.read(root), at: field.path.split(separator: ".").map(String.init), &tree)
    }
    return tree
  }

  private static func insert(_ value: JSONValue, at path: [String], _ node: inout JSONValue) {
    guard case .object(var members) = node, let key = path.first else { return }
    let rest = Array(path.dropFirst())
    let index = members.firstIndex { $0.key == key }
    var child = index.map { members[$0].value } ?? .object([JSONValue.Member]())
    if rest.isEmpty { child = value } else { insert(value, at: rest, &child) }
    if let index { members[index].value = child } else { members.append(.init(key, child)) }
    node = .object(members)
  }

  /// The fields as JSON5, each under a comment that says what it means and takes; `members` come first.
  static func commented<Root>(
    _ root: Root, fields: [Field<Root>], members: [JSONValue.Member] = []
  ) -> String {
    var lines = ["{"] + members.map { "  \($0.key): \($0.value.text())," }
    var open: [String] = []
    for field in fields {
      let path = field.path.split(separator: ".").map(String.init)
      let groups = Array(path.dropLast())
      let shared = zip(open, groups).prefix { $0 == $1 }.count
      while open.count > shared {
        open.removeLast()
        lines.append(indent(open.count + 1) + "},")
      }
      for group in groups.dropFirst(shared) {
        lines.append(indent(open.count + 1) + group + ": {")
        open.append(group)
      }
      let margin = indent(open.count + 1)
      lines += comment("\(field.meaning): \(field.accepted)", margin)
      let value = field.read(root).text(indentation: margin.count)
      lines.append("\(margin)\(path[path.count - 1]): \(value),")
    }
    while !open.isEmpty {
      open.removeLast()
      lines.append(indent(open.count + 1) + "},")
    }
    lines.append("}")
    return lines.joined(separator: "\n") + "\n"
  }

  /// A comment of lines that are not too wide.
  private static func comment(_ text: String, _ margin: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, margin.count + line.count + word.count > 100 {
        lines.append("\(margin)//\(line)")
        line = ""
      }
      line += " \(word)"
    }
    return lines + ["\(margin)//\(line)"]
  }

  private static func indent(_ level: Int) -> String {
    String(repeating: "  ", count: level)
  }
}
