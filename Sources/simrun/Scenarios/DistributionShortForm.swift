/// The short form of a distribution, taken apart into the object that it stands for.
///
/// It is the kind with its parameters in brackets, `logNormal(mean=2s, sigma=0.5)`; a plus between distributions adds
/// independent parts, `cap(X, at=700ms)` cuts X, and `mixture(0.9: X, 0.1: Y)` chooses by weight.
struct DistributionShortForm {
  /// The terms between the pluses.
  let terms: [String]

  init(_ text: String) throws {
    terms = try Self.split(text, at: "+").map(\.trimmed)
  }

  /// The members of the object that a single term stands for; nil for a duration alone.
  static func members(of term: String) throws -> [JSONValue.Member]? {
    guard let open = term.firstIndex(of: "(") else { return nil }
    guard term.hasSuffix(")") else { throw FieldProblem("has a bracket that is not closed") }
    let kind = String(term[..<open]).trimmed
    let inside = String(term[term.index(after: open)...].dropLast())
    let arguments = try split(inside, at: ",").map(\.trimmed).filter { !$0.isEmpty }
    let first = JSONValue.Member("kind", .string(kind))
    if kind == "mixture" { return [first, .init("parts", .array(try arguments.map(part)))] }
    if kind == "cap", try arguments.filter({ try divide($0, at: "=") == nil }).count > 1 {
      throw FieldProblem("cuts one distribution; join several by + or choose with mixture")
    }
    return try [first] + arguments.map { try member(of: kind, $0, of: arguments.count) }
  }

  private static func member(
    of kind: String, _ argument: String, of count: Int
  ) throws -> JSONValue.Member {
    if let (name, value) = try divide(argument, at: "=") {
      return .init(name, .string(value))
    }
    if kind == "constant", count == 1 { return .init("value", .string(argument)) }
    if kind == "cap" { return .init("of", .string(argument)) }
    throw FieldProblem("has the parameter \"\(argument)\" without a name, such as mean=2s")
  }

  private static func part(_ argument: String) throws -> JSONValue {
    guard let (weight, part) = try divide(argument, at: ":") else {
      throw FieldProblem(
        "has the part \"\(argument)\" without a weight, such as 0.1: \(argument)")
    }
    return .object(["weight": .string(weight), "of": .string(part)])
  }

  /// What stands before and behind the first separator outside brackets; nil if there is none.
  private static func divide(
    _ text: String, at separator: Character
  ) throws -> (String, String)? {
    let pieces = try split(text, at: separator)
    guard pieces.count > 1 else { return nil }
    return (pieces[0].trimmed, pieces.dropFirst().joined(separator: String(separator)).trimmed)
  }

  /// Splits at a separator that stands outside brackets.
  ///
  /// A plus within a number is no separator.
  private static func split(_ text: String, at separator: Character) throws -> [String] {
    var parts = [""]
    var depth = 0
    for character in text {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth < 0 { throw FieldProblem("has a bracket that was never opened") }
      let endsExponent =
        separator == "+" && parts[parts.count - 1].last?.lowercased() == "e"
      if character == separator, depth == 0, !endsExponent {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    if depth > 0 { throw FieldProblem("has a bracket that is not closed") }
    return parts
  }
}

extension String {
  /// The text without spaces at either end.
  var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
