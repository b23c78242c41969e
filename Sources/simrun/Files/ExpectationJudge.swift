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

  let scenario: Scenario
  let profile: ClientProfile
  let totals: Totals

  /// Whether an expectation holds; one without data fails.
  func verdict(_ expectation: Expectation) -> Verdict {
    if expectation.measure == .prediction { return prediction() }
    guard let value = reading(expectation.measure, per: expectation.unit) else {
      return Verdict(kind: .fail, found: "there is nothing to measure it by")
    }
    return Verdict(kind: Self.kind(expectation.condition, value), found: value.text)
  }

  /// What the runs say about a measure; nil without data.
  func reading(_ measure: Expectation.Measure, per unit: Expectation.Unit) -> Reading? {
    switch (measure, unit) {
    case (.metric(let metric), .total):
      return exact(Double(totals[metric]), totals[metric].grouped)
    case (.metric(let metric), .metric(let unit)):
      return totals.rate(metric, per: unit).map { rate in
        value(rate, within: totals.limits(metric, per: unit) ?? (rate.low, rate.high))
      }
    case (.metric(let metric), .stretch(let stretch)):
      return rate(totals.rate(metric, per: .run), per: stretch)
    case (.signOuts(let cause), .total):
      let count = totals.signOuts(by: cause)
      return exact(Double(count), count.grouped)
    case (.signOuts(let cause), .metric(let unit)):
      return totals.rate(signOutsBy: cause, per: unit).map { rate in
        value(rate, within: totals.limits(signOutsBy: cause, per: unit) ?? (rate.low, rate.high))
      }
    case (.signOuts(let cause), .stretch(let stretch)):
      return rate(totals.rate(signOutsBy: cause, per: .run), per: stretch)
    case (.waitAdded(let statistic), _):
      return wait(statistic).map { exact($0.inSeconds, $0.text) }
    case (.lifeUnused, _): return totals.lifeUnused.map { exact($0, $0.percent) }
    case (.exposure, _): return totals.exposure.map { exact($0.inSeconds, $0.text) }
    case (.prediction, _): return nil
    }
  }

  private func exact(_ value: Double, _ text: String) -> Reading {
    Reading(estimate: value, low: value, high: value, text: text)
  }

  private func value(_ rate: RateEstimate, within limits: (low: Double, high: Double)) -> Reading {
    Reading(
      estimate: rate.estimate, low: limits.low, high: limits.high, shown: (rate.low, rate.high),
      text: "\(rate.text) (\(rate.interval))")
  }

  /// A rate per run as one per stretch of the horizon.
  private func rate(_ perRun: RateEstimate?, per stretch: Expectation.Stretch) -> Reading? {
    guard let horizon = scenario.usage.horizon, let rate = perRun else { return nil }
    let scaled = rate.scaled(by: stretch.length.inSeconds / horizon.inSeconds)
    return Reading(
      estimate: scaled.estimate, low: scaled.low, high: scaled.high,
      shown: (scaled.low, scaled.high), text: scaled.plainText)
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
    case .agrees: return .fail
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
    let found = "\(measured?.text ?? "nothing") measured, \(predicted.percent) predicted"
    return switch verdict {
    case .agrees: Verdict(kind: .pass, found: found)
    case .differs: Verdict(kind: .fail, found: found)
    case .inconclusive(let needed):
      Verdict(kind: .inconclusive, found: "\(found); about \(needed.grouped) runs would decide")
    }
  }
}
