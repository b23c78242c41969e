extension Duration {
  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("min", 60_000_000_000),
    ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000), ("ns", 1),
  ]

  /// The units of a duration, as a list in a sentence.
  static let acceptedUnits = units.map(\.name).reversed().alternatives

  /// The longest duration that a field takes, so that several add up within the range of instants.
  private static let longestDays = 50 * 365.0

  /// A duration from a number with a unit, such as "250ms".
  ///
  /// - Throws: ``FieldProblem`` if there is no unit or the number is out of range.
  init(text: String) throws(FieldProblem) {
    let text = text.filter { $0 != " " && $0 != "_" }
    let number = text.prefix { $0.isNumber || "+-.eE".contains($0) }
    // The letter e belongs to the number only where a number follows it, and no unit starts with it.
    let unit = String(text.dropFirst(number.count)).replacing("µ", with: "u")
    guard let value = Double(number), value.isFinite else {
      throw FieldProblem("is not a duration such as 250ms, 5min, or 1h")
    }
    guard let factor = Self.units.first(where: { $0.name == unit })?.nanoseconds else {
      throw FieldProblem(
        unit.isEmpty
          ? "has no unit; add \(Self.acceptedUnits)"
          : "has the unknown unit \"\(unit)\"; use \(Self.acceptedUnits)")
    }
    let nanoseconds = value * Double(factor)
    guard nanoseconds.magnitude <= Self.longestDays * 86_400e9 else {
      throw FieldProblem("is longer than 50 years, the most that a field takes")
    }
    self = .nanoseconds(Int64(nanoseconds.rounded()))
  }

  /// The duration in the largest unit that gives a whole number, such as "250ms"; reads back as the same.
  var text: String {
    let (seconds, attoseconds) = components
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    guard nanoseconds != 0 else { return "0s" }
    for (name, factor) in Self.units where nanoseconds % factor == 0 {
      return "\(nanoseconds / factor)\(name)"
    }
    return "\(nanoseconds)ns"
  }
}

/// What is wrong with a value, as a clause that follows the name of the field and what was given.
struct FieldProblem: Error, Equatable {
  let clause: String
  /// The position of the item of a list that it is about.
  let index: Int?

  init(_ clause: String, at index: Int? = nil) {
    self.clause = clause
    self.index = index
  }
}
