import SimCore

/// Takes the members of an object one by one, and complains about those that nobody took.
struct MemberReader {
  private var members: [JSONValue.Member]
  private var taken: [String] = []

  init(_ members: [JSONValue.Member]) {
    self.members = members
  }

  var keys: [String] { members.map(\.key) }

  private mutating func take(_ key: String, or description: String) throws -> JSONValue {
    guard let index = members.firstIndex(where: { $0.key == key }) else {
      throw FieldProblem("needs \(description)")
    }
    taken.append(key)
    return members.remove(at: index).value
  }

  mutating func text(_ key: String, or description: String) throws -> String {
    guard case .string(let text) = try take(key, or: description) else {
      throw FieldProblem("has a \(key) that is not text")
    }
    return text
  }

  mutating func duration(_ key: String) throws -> Duration {
    let value = try take(key, or: "\(key), a duration")
    do {
      return try FieldCodec.duration.decode(value)
    } catch let problem as FieldProblem {
      throw FieldProblem("has the \(key) \"\(value.typed)\", which \(problem.clause)")
    }
  }

  /// A duration that may be left out; the key is known either way.
  mutating func durationIfThere(_ key: String) throws -> Duration? {
    guard keys.contains(key) else {
      taken.append(key)
      return nil
    }
    return try duration(key)
  }

  /// A distribution that is a part of another.
  mutating func distribution(_ key: String, depth: Int) throws -> Distribution {
    let value = try take(key, or: "\(key), a distribution")
    do {
      return try DistributionText.decode(value, depth: depth)
    } catch let problem as FieldProblem {
      let typed = value.typed
      let shown = typed.count > 60 ? typed.prefix(60) + "…" : typed
      throw FieldProblem("has the part \"\(shown)\", which \(problem.clause)")
    }
  }

  /// A number, also with a percent sign.
  mutating func share(_ key: String) throws -> Double {
    let value = try take(key, or: "\(key), a number")
    guard let number = value.asShare else {
      throw FieldProblem("has the \(key) \"\(value.typed)\", which is not a number")
    }
    return number
  }

  mutating func number(_ key: String) throws -> Double {
    let value = try take(key, or: "\(key), a number")
    guard let number = value.asNumber else {
      throw FieldProblem("has the \(key) \"\(value.typed)\", which is not a number")
    }
    return number
  }

  /// A number that may be left out; the key is known either way.
  mutating func numberIfThere(_ key: String) throws -> Double? {
    guard keys.contains(key) else {
      taken.append(key)
      return nil
    }
    return try number(key)
  }

  mutating func array(_ key: String) throws -> [JSONValue] {
    guard case .array(let values) = try take(key, or: "\(key), a list") else {
      throw FieldProblem("has \(key) that are not a list")
    }
    return values
  }

  func finish() throws {
    guard let extra = members.first else { return }
    let known = taken.filter { $0 != "kind" }
    throw FieldProblem(
      "has the unknown parameter \"\(extra.key)\""
        + (known.isEmpty ? "." : "; beside \(known.joined(separator: " and ")) it takes none.")
        + extra.key.suggestion(from: known))
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  init(stringLiteral value: String) {
    self = .string(value)
  }
}
