import SimCore

extension ExpectationJudge {
  /// Whether what is measured lies on the right side of a multiple of what another strategy gives.
  ///
  /// - Throws: why there is nothing to compare.
  func comparison(
    _ comparison: Expectation.Comparison, _ expectation: Expectation
  ) throws(NoData) -> Verdict {
    guard let reference = references[comparison.strategy] else {
      throw NoData("\(comparison.strategy) did not live through the same runs")
    }
    switch expectation.measure {
    case .metric, .signOuts:
      return totals.runs == 1 && expectation.unit == .total
        ? try values(comparison, expectation, reference)
        : try paired(comparison, expectation, reference)
    case .waitAdded, .lifeUnused, .exposure, .prediction:
      return try values(comparison, expectation, reference)
    }
  }

  /// Compares what is not counted per run, as if the runs were not the same: means per token by their intervals,
  /// lengths of waits and the counts of a single run as they are.
  private func values(
    _ comparison: Expectation.Comparison, _ expectation: Expectation, _ reference: Reference
  ) throws(NoData) -> Verdict {
    let own = try reading(expectation.measure, per: expectation.unit)
    let other = try judge(of: reference).reading(expectation.measure, per: expectation.unit)
    let difference = own.estimate - comparison.factor * other.estimate
    let half = own.half * own.half + comparison.factor * comparison.factor * other.half * other.half
    return Verdict(
      kind: comparison.relation.kind(
        low: difference - half.squareRoot(), high: difference + half.squareRoot()),
      found: "\(own.text) against \(other.text) of \(comparison.strategy)")
  }

  private func judge(of reference: Reference) -> ExpectationJudge {
    ExpectationJudge(scenario: scenario, profile: profile, totals: reference.totals)
  }

  /// Compares counts by their differences in the same runs.
  private func paired(
    _ comparison: Expectation.Comparison, _ expectation: Expectation, _ reference: Reference
  ) throws(NoData) -> Verdict {
    let scale = try scale(expectation.unit, reference)
    guard let difference = difference(comparison, expectation.measure, reference) else {
      throw NoData("a single run has no differences between runs")
    }
    let own = try reading(expectation.measure, per: expectation.unit)
    let other = try judge(of: reference).reading(expectation.measure, per: expectation.unit)
    let value = Self.reading(difference, times: scale)
    var found =
      "\(own.text) against \(other.text) of \(comparison.strategy); "
      + Self.words(value, comparison, expectation.unit)
    if isNothing(expectation.measure, reference) {
      found += "; no run differs"
      if comparison.holdsOfEquals { return Verdict(kind: .pass, found: found) }
    }
    let kind = comparison.relation.kind(low: value.low, high: value.high)
    if kind == .inconclusive, !isNothing(expectation.measure, reference) {
      found += "; " + RunsNeeded(runs: totals.runs, value, limit: 0).words
    }
    return Verdict(kind: kind, found: found)
  }

  private func difference(
    _ comparison: Expectation.Comparison, _ measure: Expectation.Measure, _ reference: Reference
  ) -> PairedTotals.Difference? {
    switch measure {
    case .metric(let metric):
      reference.pairs.difference(
        metric, reference.totals, totals, timesFirst: comparison.factor)
    case .signOuts(let cause):
      reference.pairs.difference(
        signOutsBy: cause, reference.totals, totals, timesFirst: comparison.factor)
    case .waitAdded, .lifeUnused, .exposure, .prediction: nil
    }
  }

  private func isNothing(_ measure: Expectation.Measure, _ reference: Reference) -> Bool {
    switch measure {
    case .metric(let metric): reference.pairs.isNothing(metric)
    case .signOuts(let cause): reference.pairs.isNothing(signOutsBy: cause)
    case .waitAdded, .lifeUnused, .exposure, .prediction: false
    }
  }

  /// What a difference per run is multiplied by to be one per the unit, of which both must have as many.
  private func scale(
    _ unit: Expectation.Unit, _ reference: Reference
  ) throws(NoData) -> Double {
    guard case .metric(let counted) = unit, let metric = counted.metric else {
      return try unitsPerRun(unit)
    }
    let (own, other) = (totals[metric], reference.totals[metric])
    guard own == other else {
      throw NoData(
        "the strategies have \(own.grouped) and \(other.grouped) \(metric.name), so rates per \(counted) "
          + "do not compare run by run; compare per run")
    }
    guard own > 0 else { throw NoData("neither strategy has any \(metric.name)") }
    return Double(totals.runs) / Double(own)
  }

  /// A difference per run as one per a unit.
  private static func reading(_ difference: PairedTotals.Difference, times scale: Double) -> Reading
  {
    Reading(
      estimate: difference.estimate * scale, low: difference.low * scale,
      high: difference.high * scale, text: "")
  }

  private static func words(
    _ value: Reading, _ comparison: Expectation.Comparison, _ unit: Expectation.Unit
  ) -> String {
    let sign = value.estimate > 0 ? "+" : ""
    let target = comparison.factor == 1 ? "it" : "\(comparison.factor.percent) of it"
    let per = unit == .total ? " per run" : ""
    return "difference to \(target) \(sign)\(value.estimate.short)\(per) "
      + "(\(value.low.short) to \(value.high.short))"
  }
}

extension Expectation.Comparison {
  /// Whether it holds of a strategy that counts the same as the other in every run.
  fileprivate var holdsOfEquals: Bool {
    switch relation {
    case .atMost: factor >= 1
    case .atLeast: factor <= 1
    case .less, .more: false
    }
  }
}

extension Expectation.Comparison.Relation {
  /// Whether a difference with this interval lies on the right side of zero.
  fileprivate func kind(low: Double, high: Double) -> ExpectationJudge.Verdict.Kind {
    switch self {
    case .less: high < 0 ? .pass : low >= 0 ? .fail : .inconclusive
    case .atMost: high <= 0 ? .pass : low > 0 ? .fail : .inconclusive
    case .more: low > 0 ? .pass : high <= 0 ? .fail : .inconclusive
    case .atLeast: low >= 0 ? .pass : high < 0 ? .fail : .inconclusive
    }
  }
}

extension Reading {
  /// Half the width of its interval; 0 for a value without doubt, or without end.
  fileprivate var half: Double { high > low ? (high - low) / 2 : 0 }
}
