import SimCore
import Strategies

/// What a sweep gave, ready to be written in any format.
struct SweepReport {
  let sweep: Sweep
  /// One report per point, each with all contenders.
  let points: [RunReport]
  /// One per contender that the axes change and value of the second axis; none without a target.
  let choices: [SweepChoice]
  let isPartial: Bool
  /// How sure each interval is by which values are judged.
  let judged: Confidence

  /// Reads what the runs gave.
  ///
  /// - Throws: a ``Problem`` if the target cannot be measured at any point.
  init(_ sweep: Sweep, _ outcomes: [Replications.Outcome]) throws {
    self.sweep = sweep
    isPartial =
      Interruption.wasRequested && outcomes.contains { $0.runs < sweep.runs }
    let points = zip(sweep.trials.indices, outcomes).map { index, outcome in
      Self.report(sweep, index, outcome)
    }
    self.points = points
    judged = (outcomes.first?.confidence ?? .usual).shared(by: sweep.axes[0].values.count)
    choices = try sweep.target.map { try Self.choices(sweep, points, $0) } ?? []
  }

  private static func report(
    _ sweep: Sweep, _ index: Int, _ outcome: Replications.Outcome
  ) -> RunReport {
    let results = sweep.contenders.enumerated().map { position, contender in
      let scenario = contender.points[index].scenario
      let profile = contender.strategy.client(in: scenario).profile
      let totals = outcome.totals[position]
      return RunReport.Result(
        variant: contender.variant, strategy: contender.strategy, typed: contender.typed,
        server: sweep.server(contender, at: index), scenario: scenario, profile: profile,
        totals: totals, prediction: PredictionReport(scenario, profile, totals), expired: nil,
        difference: position > 0 ? outcome.pairs[position - 1] : nil)
    }
    return RunReport(
      results: results, seed: sweep.seed, runs: sweep.runs,
      isPartial: sweep.precision == nil ? outcome.runs < sweep.runs : Interruption.wasRequested,
      precision: sweep.precision.map { ($0.share, $0.isMet(by: outcome)) }, worldOptions: [])
  }

  // MARK: Choices

  private static func choices(
    _ sweep: Sweep, _ points: [RunReport], _ target: Expectation
  ) throws -> [SweepChoice] {
    let seconds: [String?] = sweep.axes.count > 1 ? sweep.axes[1].values : [nil]
    let choices = sweep.contenders.indices.filter { sweep.isChanged(sweep.contenders[$0]) }
      .flatMap { contender in
        seconds.indices.map { second in
          let indices = sweep.axes[0].values.indices.map { $0 * seconds.count + second }
          return choice(
            sweep, indices.map { ($0, points[$0].results[contender]) }, target, contender,
            seconds[second])
        }
      }
    if choices.allSatisfy({ $0.outcome == .unmeasured }) {
      throw Problem(
        "target: \"\(target.text)\" cannot be measured: at no point was there anything to count it by",
        .badData)
    }
    return choices
  }

  private static func choice(
    _ sweep: Sweep, _ results: [(point: Int, result: RunReport.Result)], _ target: Expectation,
    _ contender: Int, _ second: String?
  ) -> SweepChoice {
    let axis = sweep.axes[0]
    let candidates = zip(axis.values, results).map { value, place in
      let reading = Self.judged(place.result, target, sharedBy: axis.values.count)
      return SweepChoice.Candidate(
        value: value, reading: reading,
        verdict: reading.map { ExpectationJudge.kind(target.condition, $0) },
        cost: axis.cost.map { place.result.totals.cost($0) } ?? 0)
    }
    return SweepChoice(
      contender: contender, second: second, candidates: candidates, points: results.map(\.point),
      outcome: SweepChoice.decide(
        candidates, target.condition, runs: results.map(\.result.totals.runs),
        results.first.map { $0.result.totals.confidence.shared(by: axis.values.count) } ?? .usual))
  }

  /// The target's quantity with the interval that a verdict follows from, so narrow a doubt that the best of many
  /// values can be picked.
  static func judged(
    _ result: RunReport.Result, _ target: Expectation, sharedBy values: Int
  ) -> Reading? {
    var totals = result.totals
    totals.confidence = totals.confidence.shared(by: values)
    return Quantity(target).reading(result.scenario, result.profile, totals)
  }

  // MARK: Answer

  /// 1 if no value meets the target, 3 if the runs cannot tell, or a precision is not reached.
  var exitCode: ExitCode {
    if isPartial { return .interrupted }
    let failed = choices.contains {
      switch $0.outcome {
      case .none, .unmeasured: true
      case .chosen, .undecided: false
      }
    }
    if failed { return .expectationFailed }
    let isOpen = choices.contains {
      if case .undecided = $0.outcome { true } else { false }
    }
    let isVague = choices.isEmpty && points.contains { $0.precision?.isReached == false }
    return isOpen || isVague ? .inconclusive : .success
  }

  /// The name of a contender, with the server where they differ.
  func title(_ contender: Int) -> String {
    let contenders = sweep.contenders
    let name = contenders[contender].variant.map { "\($0): " } ?? ""
    let servers = Set(contenders.map(\.server))
    return name + contenders[contender].strategy.name
      + (servers.count > 1 ? " on \(contenders[contender].server)" : "")
  }

  /// The choice of a contender at a value of the second axis.
  func choice(_ contender: Int, _ second: String?) -> SweepChoice? {
    choices.first { $0.contender == contender && $0.second == second }
  }

  /// The report in a format.
  func text(_ format: OutputFormat, _ palette: Palette) -> String {
    switch format {
    case .text: SweepText(self, palette).text
    case .json: SweepJSON(self).text
    case .csv: SweepTable(self).csv
    case .markdown: SweepTable(self).markdown
    }
  }

  /// The sum of the results' fingerprints, so that one number stands for all.
  var fingerprint: UInt64 { points.reduce(0) { $0 &+ $1.fingerprint } }
}

extension Sweep {
  /// The server of a contender at a point, which an axis may choose.
  fileprivate func server(_ contender: Contender, at index: Int) -> String {
    let position = axes.firstIndex { $0.subject == .preset(.server) }
    return position.map { contender.points[index].values[$0] } ?? contender.server
  }
}

extension Totals {
  /// How dear a value of an axis is.
  fileprivate func cost(_ cost: Axis.Cost) -> Double {
    switch cost {
    case .lifeUnused: lifeUnused ?? 0
    case .exposure: endlessExposures > 0 ? .infinity : exposure?.inSeconds ?? 0
    }
  }
}

extension RunReport.Result {
  /// What the prediction says of the share of calls whose first attempt is answered 401; nil where it does not apply.
  var exact: Double? {
    switch prediction {
    case .opening(let prediction, _): prediction.perCall
    case .steady(let prediction, _): prediction.perCall
    case .none: nil
    }
  }
}
