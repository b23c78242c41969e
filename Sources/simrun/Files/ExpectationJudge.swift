import SimCore

/// Holds expectations against what runs gave.
struct ExpectationJudge {
  /// Whether an expectation holds, and what was found.
  struct Verdict: Equatable {
    enum Kind: String {
      case pass
      case fail
      case inconclusive
    }

    let kind: Kind
    let found: String
  }

  /// What another strategy gave in the same runs.
  struct Reference {
    let totals: Totals
    /// The differences of the judged strategy to it.
    let pairs: PairedTotals
  }

  /// Why something was not measured.
  struct NoData: Error {
    let reason: String

    init(_ reason: String) {
      self.reason = reason
    }
  }

  let scenario: Scenario
  let profile: ClientProfile
  let totals: Totals
  /// What the strategies gave that expectations compare with, by their names.
  var references: [String: Reference] = [:]

  /// Whether an expectation holds; one without data fails.
  func verdict(_ expectation: Expectation) -> Verdict {
    do throws(NoData) {
      switch expectation.condition {
      case .agrees: return prediction()
      case .compares(let comparison): return try self.comparison(comparison, expectation)
      case .equals, .below, .above, .near:
        let value = try reading(expectation.measure, per: expectation.unit)
        return verdict(expectation.condition, value)
      }
    } catch {
      return Verdict(kind: .fail, found: "nothing to measure it by: \(error.reason)")
    }
  }

  /// What was found of a measure; nil if there is nothing to measure it by.
  func found(_ measure: Expectation.Measure, per unit: Expectation.Unit) -> Reading? {
    try? reading(measure, per: unit)
  }

  private func verdict(_ condition: Expectation.Condition, _ value: Reading) -> Verdict {
    let kind = Self.kind(condition, value)
    guard kind == .inconclusive, let limit = limit(condition, value) else {
      return Verdict(kind: kind, found: value.text)
    }
    let needed = RunsNeeded(runs: totals.runs, value, limit: limit)
    return Verdict(kind: kind, found: "\(value.text); \(needed.words)")
  }

  // MARK: What was measured

  /// What the runs say about a measure.
  ///
  /// - Throws: why there is nothing to measure it by.
  func reading(
    _ measure: Expectation.Measure, per unit: Expectation.Unit
  ) throws(NoData) -> Reading {
    switch measure {
    case .metric(let metric):
      return try reading(
        unit, count: totals[metric],
        rate: { totals.rate(metric, per: $0) }, limits: { totals.limits(metric, per: $0) })
    case .signOuts(let cause):
      return try reading(
        unit, count: totals.signOuts(by: cause),
        rate: { totals.rate(signOutsBy: cause, per: $0) },
        limits: { totals.limits(signOutsBy: cause, per: $0) })
    case .waitAdded(let statistic):
      return try length(wait(statistic), "no call sent anything")
    case .exposure where totals.endlessExposures > 0:
      return exact(.infinity, "endless for \(totals.endlessExposures.grouped) tokens")
    case .exposure:
      return try mean(
        totals.exposureEstimate, "no spent refresh token stopped to be answered",
        Quantity(.exposure).text)
    case .lifeUnused:
      return try mean(totals.lifeUnusedEstimate, "no pair was rotated", \.percent)
    case .prediction: throw NoData("a prediction agrees or does not")
    }
  }

  private func reading(
    _ unit: Expectation.Unit, count: Int, rate: (MetricUnit) -> RateEstimate?,
    limits: (MetricUnit) -> (low: Double, high: Double)?
  ) throws(NoData) -> Reading {
    if unit == .total { return exact(Double(count), count.grouped) }
    let factor = try unitsPerRun(unit)
    let base = unit.base
    guard let rate = rate(base) else { throw NoData(Self.missing(base)) }
    if case .stretch = unit {
      let scaled = rate.scaled(by: factor)
      return Reading(
        estimate: scaled.estimate, low: scaled.low, high: scaled.high,
        shown: (scaled.low, scaled.high), text: scaled.plainText)
    }
    let (low, high) = limits(base) ?? (rate.low, rate.high)
    return Reading(
      estimate: rate.estimate, low: low, high: high, shown: (rate.low, rate.high),
      text: "\(rate.text) (\(rate.interval))")
  }

  /// What a rate per run, or per what else is counted, is multiplied by to be one per the unit.
  func unitsPerRun(_ unit: Expectation.Unit) throws(NoData) -> Double {
    switch unit {
    case .total, .metric: return 1
    case .user:
      guard scenario.shape == .sessions else {
        throw NoData(
          "only a run of sessions is the life of a user, and usage.kind is \(scenario.usage.kind)")
      }
      return 1
    case .stretch(let stretch):
      guard let horizon = scenario.usage.horizon else {
        throw NoData("usage.horizon is none, so a run has no length in \(stretch.rawValue)s")
      }
      return stretch.length.inSeconds / horizon.inSeconds
    }
  }

  /// Why there is no rate per a unit.
  private static func missing(_ unit: MetricUnit) -> String {
    switch unit {
    case .run: "no run was done"
    case .opening: "no screen was opened"
    case .call: "no call was made"
    case .refresh: "no refresh reached the server"
    }
  }

  private func exact(_ value: Double, _ text: String) -> Reading {
    Reading(estimate: value, low: value, high: value, text: text)
  }

  /// A mean per token, which a single run knows exactly.
  private func mean(
    _ mean: RateEstimate?, _ reason: String, _ text: (Double) -> String
  ) throws(NoData) -> Reading {
    guard let mean else { throw NoData(reason) }
    // A single run knows its mean exactly, and so is it told.
    guard totals.runs > 1, mean.high > mean.low else {
      return exact(mean.estimate, text(mean.estimate))
    }
    return Reading(
      estimate: mean.estimate, low: mean.low, high: mean.high, shown: (mean.low, mean.high),
      text: "\(text(mean.estimate)) (\(text(mean.low)) to \(text(mean.high)))")
  }

  private func length(_ length: Duration?, _ reason: String) throws(NoData) -> Reading {
    guard let length else { throw NoData(reason) }
    return exact(length.inSeconds, length.text)
  }

  private func wait(_ statistic: Expectation.Statistic) -> Duration? {
    guard totals.waits.count > 0 else { return nil }
    return switch statistic {
    case .mean: totals.meanWait
    case .p50: totals.waits.quantile(permille: 500)
    case .p95: totals.waits.quantile(permille: 950)
    case .p99: totals.waits.quantile(permille: 990)
    case .max: totals.waits.maximum
    }
  }

  // MARK: What must hold

  /// Whether a condition holds of a value, as far as its interval tells.
  static func kind(_ condition: Expectation.Condition, _ value: Reading) -> Verdict.Kind {
    switch condition {
    case .equals(let wanted):
      // A length of time is exact to the nanosecond, which a number of seconds is not.
      return (value.estimate - wanted).magnitude <= 1e-9 * max(1, wanted) ? .pass : .fail
    case .below(let limit, let orEqual):
      if orEqual ? value.high <= limit : value.high < limit { return .pass }
      return (orEqual ? value.low > limit : value.low >= limit) ? .fail : .inconclusive
    case .above(let limit, let orEqual):
      if orEqual ? value.low >= limit : value.low > limit { return .pass }
      return (orEqual ? value.high < limit : value.high <= limit) ? .fail : .inconclusive
    case .near(let wanted, let share):
      let (low, high) = (wanted * (1 - share), wanted * (1 + share))
      if value.low >= low, value.high <= high { return .pass }
      return value.high < low || value.low > high ? .fail : .inconclusive
    case .agrees, .compares: return .fail
    }
  }

  /// The limit that lies nearest to a value.
  private func limit(_ condition: Expectation.Condition, _ value: Reading) -> Double? {
    switch condition {
    case .below(let limit, _), .above(let limit, _): return limit
    case .near(let wanted, let share):
      return [wanted * (1 - share), wanted * (1 + share)].min {
        ($0 - value.estimate).magnitude < ($1 - value.estimate).magnitude
      }
    case .equals, .agrees, .compares: return nil
    }
  }

  private func prediction() -> Verdict {
    switch PredictionReport(scenario, profile, totals) {
    case .none(let reason):
      Verdict(kind: .fail, found: "it does not apply: \(reason)")
    case .opening(let prediction, let verdict):
      Self.verdict(verdict, predicted: prediction.perCall, totals)
    case .steady(let prediction, let verdict):
      Self.verdict(verdict, predicted: prediction.perCall, totals)
    }
  }

  private static func verdict(
    _ verdict: SimCore.Verdict, predicted: Double, _ totals: Totals
  ) -> Verdict {
    let measured = totals.rate(.firstUnauthorized, per: .call)
    let found =
      "\(measured.map { "\($0.text) (\($0.interval))" } ?? "nothing") measured, "
      + "\(predicted.percent) predicted"
    return switch verdict {
    case .agrees: Verdict(kind: .pass, found: found)
    case .differs: Verdict(kind: .fail, found: found)
    case .inconclusive(let needed):
      Verdict(kind: .inconclusive, found: "\(found); \(RunsNeeded(needed).words)")
    }
  }
}

extension Expectation.Unit {
  /// What its rate is counted per before it is put per a stretch.
  var base: MetricUnit {
    switch self {
    case .metric(let unit): unit
    case .total, .user, .stretch: .run
    }
  }
}
