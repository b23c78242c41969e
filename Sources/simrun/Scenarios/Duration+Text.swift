extension Duration {
  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("min", 60_000_000_000),
    ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000), ("ns", 1),
  ]

  /// The units of a duration, as a list in a sentence.
  static let acceptedUnits = units.map(\.name).reversed().alternatives

  /// The longest duration that a field takes, so that several add up within the range of instants.
  private static let longestDays = 50 * 365.0

  /// A duration from numbers with units, such as "250ms" or "1h30min".
  ///
  /// - Throws: ``FieldProblem`` if a unit is missing or the number is out of range.
  init(text: String) throws(FieldProblem) {
    let text = text.filter { $0 != " " && $0 != "_" }
    let isNegative = text.hasPrefix("-")
    var rest = (isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...])
    var nanoseconds = 0.0
    repeat {
      // The letter e belongs to the number only where a number follows it, and no unit starts with it.
      let number = rest.prefix { $0.isNumber || "+-.eE".contains($0) }
      let unit = rest.dropFirst(number.count).prefix { $0.isLetter || $0 == "µ" }
      rest = rest.dropFirst(number.count + unit.count)
      nanoseconds += try Self.nanoseconds(String(number), String(unit).replacing("µ", with: "u"))
    } while !rest.isEmpty
    guard nanoseconds <= Self.longestDays * 86_400e9 else {
      throw FieldProblem("is longer than 50 years, the most that a field takes")
    }
    self = .nanoseconds(Int64((isNegative ? -nanoseconds : nanoseconds).rounded()))
  }

  private static func nanoseconds(_ number: String, _ unit: String) throws(FieldProblem) -> Double {
    guard let value = Double(number), value.isFinite, value >= 0 else {
      throw FieldProblem("is not a duration such as 250ms, 5min, or 1h")
    }
    guard let factor = units.first(where: { $0.name == unit })?.nanoseconds else {
      throw FieldProblem(
        unit.isEmpty
          ? "has no unit; add \(acceptedUnits)"
          : "has the unknown unit \"\(unit)\"; use \(acceptedUnits)")
    }
    return value * Double(factor)
  }

  /// The duration in the largest unit that gives a whole number, or in seconds if it is longer than one of them,
  /// such as "250ms" or "3600.5s"; reads back as the same.
  var text: String {
    let (seconds, attoseconds) = components
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    guard nanoseconds != 0 else { return "0s" }
    if nanoseconds.magnitude > 1_000_000_000, nanoseconds % 1_000_000_000 != 0 {
      return "\(Self.decimal(nanoseconds))s"
    }
    for (name, factor) in Self.units where nanoseconds % factor == 0 {
      return "\(nanoseconds / factor)\(name)"
    }
    return "\(nanoseconds)ns"
  }

  /// Nanoseconds as seconds, with as many decimals as they take.
  private static func decimal(_ nanoseconds: Int64) -> String {
    let digits = String(nanoseconds.magnitude % 1_000_000_000)
    let padded = String(repeating: "0", count: 9 - digits.count) + digits
    let fraction = String(padded.reversed().drop { $0 == "0" }.reversed())
    return "\(nanoseconds < 0 ? "-" : "")\(nanoseconds.magnitude / 1_000_000_000).\(fraction)"
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
