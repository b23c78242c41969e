import SimCore

/// Something that runs tell: a column of a table, the subject of a figure or of an expectation.
struct Quantity: Equatable {
  let measure: Expectation.Measure
  let unit: Expectation.Unit

  init(_ measure: Expectation.Measure, per unit: Expectation.Unit = .total) {
    self.measure = measure
    self.unit = unit
  }

  init(_ metric: Metric, per unit: MetricUnit) {
    self.init(.metric(metric), per: .metric(unit))
  }

  /// What an expectation is about.
  init(_ expectation: Expectation) {
    self.init(expectation.measure, per: expectation.unit)
  }

  /// Reads a rate, which has an interval, such as `signOuts per month`.
  ///
  /// - Throws: a ``FieldProblem`` that says what is accepted.
  init(rate text: String) throws {
    var reader = ExpectationReader(text)
    let (measure, unit) = try reader.quantity()
    self.init(measure, per: unit)
    guard reader.isAtEnd, isRate else {
      throw FieldProblem(
        "is no rate, which has an interval, such as signOuts per month or failedCalls per call")
    }
  }

  /// Whether it is known with an interval.
  var isRate: Bool {
    switch measure {
    case .metric, .signOuts: unit != .total
    case .lifeUnused, .exposure: true
    case .waitAdded, .prediction: false
    }
  }

  /// The share of calls that the predictions are about.
  static let firstUnauthorized = Quantity(.firstUnauthorized, per: .call)

  /// What a sweep shows of a use where nobody says what.
  static func usual(_ shape: Scenario.Shape) -> [Quantity] {
    let lifeUnused = Quantity(.lifeUnused)
    switch shape {
    case .opening:
      return [
        firstUnauthorized, Quantity(.signOuts, per: .opening), Quantity(.refreshes, per: .opening),
        lifeUnused,
      ]
    case .visit:
      return [
        Quantity(.signOuts, per: .run), Quantity(.openingsUnauthorized, per: .opening),
        Quantity(.failedCalls, per: .call), Quantity(.refreshes, per: .run), lifeUnused,
      ]
    case .timeline:
      return [
        Quantity(.signOuts, per: .run), Quantity(.refreshes, per: .run),
        Quantity(.duplicates, per: .run), Quantity(.failedCalls, per: .run),
      ]
    case .steady:
      return [
        firstUnauthorized, Quantity(.metric(.refreshes), per: .stretch(.hour)), lifeUnused,
      ]
    case .sessions:
      return [
        Quantity(.metric(.signOuts), per: .stretch(.month)),
        Quantity(.metric(.unauthorized), per: .stretch(.month)),
        Quantity(.failedCalls, per: .call), Quantity(.metric(.refreshes), per: .stretch(.day)),
      ]
    case .fleet:
      return [
        Quantity(.signOuts, per: .run), Quantity(.refreshPeak, per: .run),
        Quantity(.refreshes, per: .run),
      ]
    }
  }

  /// Refreshes per opening, hour, or run, which every value of a field has to pay.
  static func refreshes(_ scenario: Scenario) -> Quantity {
    switch scenario.shape {
    case .opening: Quantity(.refreshes, per: .opening)
    case .steady, .sessions: Quantity(.metric(.refreshes), per: .stretch(.hour))
    case .visit, .timeline, .fleet: Quantity(.refreshes, per: .run)
    }
  }

  /// The words of an expectation before its condition.
  var name: String {
    let subject =
      switch measure {
      case .metric(let metric): metric.name
      case .signOuts(let cause): "signOuts by \(cause.name)"
      case .waitAdded(let statistic): "waitAdded \(statistic.rawValue)"
      case .lifeUnused: "lifeUnused"
      case .exposure: "exposure"
      case .prediction: "prediction"
      }
    return switch unit {
    case .total: subject
    case .metric(let unit): "\(subject) per \(unit)"
    case .user: "\(subject) per user"
    case .stretch(let stretch): "\(subject) per \(stretch.rawValue)"
    }
  }

  /// A value of it as people read it.
  func text(_ value: Double) -> String {
    switch (measure, unit) {
    case (.waitAdded, _), (.exposure, _): "\(value.short) s"
    case (.lifeUnused, _): value.percent
    case (_, .metric): value > 1 ? value.short : value.percent
    default: value.short
    }
  }

  /// A value of a scale, without the zeros that tell how sure it is.
  func tick(_ value: Double) -> String {
    switch (measure, unit) {
    case (.waitAdded, _), (.exposure, _): return "\(value.short) s"
    case (.lifeUnused, _): break
    case (_, .metric) where value <= 1: break
    default: return value.short
    }
    return "\((value * 100).short) %"
  }

  /// What some totals say about it; nil without data.
  func reading(_ result: RunReport.Result) -> Reading? {
    reading(result.scenario, result.profile, result.totals)
  }

  /// What some totals say about it; nil without data.
  func reading(_ scenario: Scenario, _ profile: ClientProfile, _ totals: Totals) -> Reading? {
    ExpectationJudge(scenario: scenario, profile: profile, totals: totals)
      .found(measure, per: unit)
  }

  /// What was counted in all runs; nil for a length or a share.
  func count(_ totals: Totals) -> Int? {
    switch measure {
    case .metric(let metric): totals[metric]
    case .signOuts(let cause): totals.signOuts(by: cause)
    case .waitAdded, .lifeUnused, .exposure, .prediction: nil
    }
  }

  /// The rates that a precision can be asked of.
  func rates(_ totals: Totals) -> [RateEstimate] {
    let unit = unit.base
    let rate: RateEstimate? =
      switch measure {
      case .metric(let metric): totals.rate(metric, per: unit)
      case .signOuts(let cause): totals.rate(signOutsBy: cause, per: unit)
      case .lifeUnused: totals.lifeUnusedEstimate
      case .exposure: totals.exposureEstimate
      case .waitAdded, .prediction: nil
      }
    return [rate].compactMap(\.self)
  }
}
