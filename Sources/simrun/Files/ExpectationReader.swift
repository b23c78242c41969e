import SimCore

/// Reads an expectation word by word.
struct ExpectationReader {
  private let text: String
  private var words: ArraySlice<String>

  private static let accepted =
    "is not like refreshes = 5, revocations per opening < 0.1%, firstUnauthorized per call = 1% ± 5%, "
    + "signOuts <= 50% of naive, waitAdded max = 35.1s, or prediction agrees"

  init(_ text: String) {
    self.text = text.trimmed
    words = text.split(separator: " ").map(String.init)[...]
  }

  var isAtEnd: Bool { words.isEmpty }

  // MARK: Where it applies

  /// The values of axes before the colon, as in `at margin=5s, network=lte: signOuts = 0`.
  ///
  /// - Throws: a ``FieldProblem`` if it begins with `at` and does not go on like this.
  mutating func places() throws -> [Expectation.Place] {
    guard words.first == "at" else { return [] }
    guard let colon = text.firstRange(of: ": ") else {
      throw FieldProblem("begins with at, but is not like at margin=5s: signOuts = 0")
    }
    words = text[colon.upperBound...].split(separator: " ").map(String.init)[...]
    return try String(text[..<colon.lowerBound].dropFirst(2)).pieces(at: ",").map { piece in
      guard let equals = piece.firstIndex(of: "=") else {
        throw FieldProblem("has \"\(piece)\" where a point such as margin=5s should stand")
      }
      return Expectation.Place(
        axis: String(piece[..<equals]).trimmed,
        value: String(piece[piece.index(after: equals)...]).trimmed)
    }
  }

  // MARK: What is measured

  /// What is measured, and per what.
  ///
  /// - Throws: a ``FieldProblem`` that says what is accepted.
  mutating func quantity() throws -> (Expectation.Measure, Expectation.Unit) {
    guard let name = words.popFirst() else { throw FieldProblem(Self.accepted) }
    if name == "prediction" {
      guard Array(words) == ["agrees"] else { throw FieldProblem(Self.accepted) }
      return (.prediction, .total)
    }
    let measure = try measure(name)
    let unit = try unit()
    switch measure {
    case .metric, .signOuts: break
    case .waitAdded, .lifeUnused, .exposure, .prediction:
      guard unit == .total else {
        throw FieldProblem(
          "counts \(name) per something, but it is a length or a share, not a count")
      }
    }
    return (measure, unit)
  }

  private mutating func measure(_ name: String) throws -> Expectation.Measure {
    switch name {
    case "lifeUnused": return .lifeUnused
    case "exposure": return .exposure
    case "waitAdded":
      guard let word = words.popFirst(), let statistic = Expectation.Statistic(rawValue: word)
      else {
        throw FieldProblem(
          "needs one of \(Expectation.Statistic.allCases.map(\.rawValue).alternatives) after waitAdded"
        )
      }
      return .waitAdded(statistic)
    default:
      guard let metric = Metric.allCases.first(where: { $0.name == name }) else {
        let names =
          Metric.allCases.map(\.name) + ["lifeUnused", "exposure", "waitAdded", "prediction"]
        throw FieldProblem(
          "names the unknown metric \"\(name)\"; simrun show metrics lists them."
            + name.suggestion(from: names))
      }
      guard metric == .signOuts, words.first == "by" else { return .metric(metric) }
      words = words.dropFirst()
      return .signOuts(by: try cause(words.popFirst() ?? ""))
    }
  }

  private func cause(_ name: String) throws -> SignOutCause {
    guard let cause = SignOutCause.allCases.first(where: { $0.name == name }) else {
      throw FieldProblem(
        "names the unknown cause \"\(name)\"; simrun show causes lists them."
          + name.suggestion(from: SignOutCause.allCases.map(\.name)))
    }
    return cause
  }

  private mutating func unit() throws -> Expectation.Unit {
    guard words.first == "per" else { return .total }
    words = words.dropFirst()
    let word = words.popFirst() ?? ""
    if word == "user" { return .user }
    if let stretch = Expectation.Stretch(rawValue: word) { return .stretch(stretch) }
    guard let unit = MetricUnit.allCases.first(where: { "\($0)" == word }) else {
      let names =
        MetricUnit.allCases.map { "\($0)" } + ["user"]
        + Expectation.Stretch.allCases.map(\.rawValue)
      throw FieldProblem("counts per \"\(word)\"; use \(names.alternatives)")
    }
    return .metric(unit)
  }

  // MARK: What must hold

  /// What must hold of a measure.
  ///
  /// - Throws: a ``FieldProblem`` that says what is accepted.
  func condition(of measure: Expectation.Measure) throws -> Expectation.Condition {
    if measure == .prediction { return .agrees }
    guard let sign = words.first else { throw FieldProblem(Self.accepted) }
    let rest = Array(words.dropFirst())
    if let comparison = try comparison(sign, rest) { return .compares(comparison) }
    guard rest.count == 1 || (rest.count == 3 && ["±", "+-"].contains(rest[1])) else {
      throw FieldProblem(Self.accepted)
    }
    let value = try value(rest[0], measure)
    if rest.count == 3 {
      guard sign == "=", let share = JSONValue.string(rest[2]).asShare, share > 0, share < 1
      else { throw FieldProblem(Self.accepted) }
      return .near(value, share: share)
    }
    switch sign {
    case "=": return .equals(value)
    case "<": return .below(value, orEqual: false)
    case "<=", "≤": return .below(value, orEqual: true)
    case ">": return .above(value, orEqual: false)
    case ">=", "≥": return .above(value, orEqual: true)
    default: throw FieldProblem("has \"\(sign)\" where =, <, <=, >, or >= should stand")
    }
  }

  /// A comparison with another strategy, whose name begins with a letter; nil for a value.
  private func comparison(
    _ sign: String, _ rest: [String]
  ) throws -> Expectation.Comparison? {
    let hasFactor = rest.count > 2 && rest[1] == "of"
    let name = rest.dropFirst(hasFactor ? 2 : 0).joined(separator: " ")
    guard let first = name.first, first.isLetter else { return nil }
    let sign = ["≤": "<=", "≥": ">="][sign] ?? sign
    guard sign == "=" || Expectation.Comparison.Relation(rawValue: sign) != nil else { return nil }
    guard let relation = Expectation.Comparison.Relation(rawValue: sign) else {
      throw FieldProblem(
        "has \"\(sign)\" before the name of a strategy, where <, <=, >, or >= should stand")
    }
    guard hasFactor else { return .init(relation: relation, factor: 1, strategy: name) }
    guard let factor = JSONValue.string(rest[0]).asShare, factor > 0, factor.isFinite else {
      throw FieldProblem("has \"\(rest[0])\" where a share such as 50% should stand")
    }
    return .init(relation: relation, factor: factor, strategy: name)
  }

  /// A count or share, or a length of time in seconds.
  private func value(_ text: String, _ measure: Expectation.Measure) throws -> Double {
    switch measure {
    case .waitAdded, .exposure: return try FieldCodec.duration.decode(.string(text)).inSeconds
    case .metric, .signOuts, .lifeUnused, .prediction:
      guard let value = JSONValue.string(text).asShare, value >= 0, value.isFinite else {
        throw FieldProblem(
          "has \"\(text)\" where a number, a percentage, or the name of a strategy should stand")
      }
      return value
    }
  }
}
