import SimCore

/// What an experiment expects, such as `refreshes = 5` or `revocations per opening < 0.1%`.
struct Expectation: Equatable {
  /// What is looked at.
  enum Measure: Equatable {
    case metric(Metric)
    /// The sign-outs by one cause.
    case signOuts(by: SignOutCause)
    case waitAdded(Statistic)
    case lifeUnused
    case exposure
    case prediction
  }

  /// Something about the times that calls waited.
  enum Statistic: String, CaseIterable {
    case mean
    case p50
    case p95
    case p99
    case max
  }

  /// What a metric is counted per.
  enum Unit: Equatable {
    /// In all runs together.
    case total
    case metric(MetricUnit)
    /// Per stretch of the horizon.
    case stretch(Stretch)
  }

  /// A stretch of time that a metric is counted per.
  enum Stretch: String, CaseIterable {
    case hour
    case day
    /// Thirty days.
    case month

    var length: Duration {
      switch self {
      case .hour: .seconds(3600)
      case .day: .seconds(86_400)
      case .month: .seconds(30 * 86_400)
      }
    }
  }

  /// What must hold.
  enum Condition: Equatable {
    case equals(Double)
    case below(Double, orEqual: Bool)
    case above(Double, orEqual: Bool)
    /// Within a share of a value, either way.
    case near(Double, share: Double)
    case agrees
  }

  /// Every form, for the documentation.
  static let forms: [(name: String, meaning: String)] = [
    ("refreshes = 5", "a count in all runs together; also < 5, <= 5, > 5, >= 5"),
    (
      "revocations per opening < 0.1%",
      "a rate per run, opening, call, refresh, hour, day, or month; its whole 95 % interval must lie below"
    ),
    (
      "firstUnauthorized per call = 1% ± 5%",
      "a rate whose whole 95 % interval must lie within 5 % of the value"
    ),
    (
      "signOuts by suspension = 1",
      "the sign-outs by one cause, as a count or a rate; simrun show causes lists the names"
    ),
    ("waitAdded max = 35.1s", "how long calls waited: mean, p50, p95, p99, or max"),
    ("lifeUnused < 10%", "share of an access token's lifetime left at its rotation, on average"),
    (
      "exposure <= 1min",
      "how long a spent refresh token would still have been answered, on average"
    ),
    ("prediction agrees", "the measured 401s agree with the prediction, as a report says"),
    ("any metric", "simrun show metrics lists the names"),
  ]

  let text: String
  let measure: Measure
  let unit: Unit
  let condition: Condition

  private static let accepted =
    "is not like refreshes = 5, revocations per opening < 0.1%, firstUnauthorized per call = 1% ± 5%, "
    + "waitAdded max = 35.1s, or prediction agrees"

  /// Reads an expectation.
  ///
  /// - Throws: a ``FieldProblem`` that says what is accepted.
  init(_ text: String) throws {
    self.text = text
    var words = text.split(separator: " ").map(String.init)[...]
    guard let name = words.popFirst() else { throw FieldProblem(Self.accepted) }
    if name == "prediction" {
      guard Array(words) == ["agrees"] else { throw FieldProblem(Self.accepted) }
      (measure, unit, condition) = (.prediction, .total, .agrees)
      return
    }
    measure = try Self.measure(name, &words)
    unit = try Self.unit(&words)
    condition = try Self.condition(words, measure)
    switch measure {
    case .metric, .signOuts: return
    case .waitAdded, .lifeUnused, .exposure, .prediction: break
    }
    guard unit == .total else {
      throw FieldProblem("counts \(name) per something, but it is a length or a share, not a count")
    }
  }

  private static func measure(_ name: String, _ words: inout ArraySlice<String>) throws -> Measure {
    switch name {
    case "lifeUnused": return .lifeUnused
    case "exposure": return .exposure
    case "waitAdded":
      guard let word = words.popFirst(), let statistic = Statistic(rawValue: word) else {
        throw FieldProblem(
          "needs one of \(Statistic.allCases.map(\.rawValue).alternatives) after waitAdded")
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

  private static func cause(_ name: String) throws -> SignOutCause {
    guard let cause = SignOutCause.allCases.first(where: { $0.name == name }) else {
      throw FieldProblem(
        "names the unknown cause \"\(name)\"; simrun show causes lists them."
          + name.suggestion(from: SignOutCause.allCases.map(\.name)))
    }
    return cause
  }

  private static func unit(_ words: inout ArraySlice<String>) throws -> Unit {
    guard words.first == "per" else { return .total }
    words = words.dropFirst()
    let word = words.popFirst() ?? ""
    if let stretch = Stretch(rawValue: word) { return .stretch(stretch) }
    guard let unit = MetricUnit.allCases.first(where: { "\($0)" == word }) else {
      throw FieldProblem(
        "counts per \"\(word)\"; use "
          + (MetricUnit.allCases.map { "\($0)" } + Stretch.allCases.map(\.rawValue)).alternatives
      )
    }
    return .metric(unit)
  }

  private static func condition(
    _ words: ArraySlice<String>, _ measure: Measure
  ) throws -> Condition {
    let words = Array(words)
    guard words.count == 2 || (words.count == 4 && ["±", "+-"].contains(words[2])) else {
      throw FieldProblem(accepted)
    }
    let value = try value(words[1], measure)
    if words.count == 4 {
      guard words[0] == "=", let share = JSONValue.string(words[3]).asShare, share > 0, share < 1
      else { throw FieldProblem(accepted) }
      return .near(value, share: share)
    }
    switch words[0] {
    case "=": return .equals(value)
    case "<": return .below(value, orEqual: false)
    case "<=", "≤": return .below(value, orEqual: true)
    case ">": return .above(value, orEqual: false)
    case ">=", "≥": return .above(value, orEqual: true)
    default: throw FieldProblem("has \"\(words[0])\" where =, <, <=, >, or >= should stand")
    }
  }

  /// A count or share, or a length of time in seconds.
  private static func value(_ text: String, _ measure: Measure) throws -> Double {
    switch measure {
    case .waitAdded, .exposure: return try FieldCodec.duration.decode(.string(text)).inSeconds
    case .metric, .signOuts, .lifeUnused, .prediction:
      guard let value = JSONValue.string(text).asShare, value >= 0, value.isFinite else {
        throw FieldProblem("has \"\(text)\" where a number or a percentage should stand")
      }
      return value
    }
  }
}
