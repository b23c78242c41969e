import SimCore
import Strategies

/// What an experiment gave, world by world.
struct CheckedExperiment {
  /// A variant at one point of what it goes through.
  struct World {
    let variant: Experiment.Variant
    /// The values of its axes; none for a variant without axes.
    let point: SweepPoint
    let runs: Int
    var results: [Result] = []

    /// The point as text; nil for a variant without axes.
    var place: String? {
      let names = zip(variant.axes, point.values).map { "\($0.name)=\($1)" }
      return names.isEmpty ? nil : names.joined(separator: ", ")
    }
  }

  /// A strategy in a world.
  struct Result {
    let strategy: Strategy
    let judge: ExpectationJudge
    let verdicts: [(expectation: Expectation, verdict: ExpectationJudge.Verdict)]

    var totals: Totals { judge.totals }
  }

  let experiment: Experiment
  let worlds: [World]
  /// What the variants that go through something gave together.
  var sweeps: [SweepReport] = []

  /// What the file gave, for the report.
  var results: [CheckReport.Result] {
    worlds.flatMap { world in
      world.results.map { result in
        CheckReport.Result(
          file: experiment.file, variant: world.variant.name, place: world.place,
          strategy: result.strategy.name, verdicts: result.verdicts)
      }
    }
  }
}

extension Experiment.Variant {
  /// Its worlds: itself, or one for each point of what it goes through.
  ///
  /// The points share their seed, and so their runs.
  ///
  /// - Throws: a ``Problem`` if there are too many points, or one contradicts itself.
  func worlds() throws -> [CheckedExperiment.World] {
    let points = try SweepPoint.points(
      axes, from: scenario, given: given.map(\.path), code: .badData)
    // Without a number one run where nothing is random, else as many as `run` or `sweep` takes.
    let usual =
      scenario.usage.kind == .timeline ? 1 : Sweep.usualRuns(points.map(\.scenario), target)
    return points.map {
      CheckedExperiment.World(variant: self, point: $0, runs: runs ?? usual)
    }
  }

  /// What its worlds gave together; nil if it goes through nothing.
  ///
  /// - Parameter worlds: its worlds, carried out.
  /// - Returns: the sweep.
  /// - Throws: a ``Problem`` if the target cannot be measured.
  func sweep(_ worlds: [CheckedExperiment.World]) throws -> SweepReport? {
    guard !axes.isEmpty else { return nil }
    let outcomes = worlds.map { world in
      Replications.Outcome(
        totals: world.results.map(\.totals),
        pairs: world.results.dropFirst().map { _ in PairedTotals() })
    }
    return try SweepReport(Sweep(self), outcomes)
  }
}

extension CheckedExperiment.World {
  /// The world with what its strategies gave.
  ///
  /// The strategies that others are compared with come first in a trial each, because runs are paired with the
  /// first client of a trial.
  ///
  /// - Parameter threads: how many threads share the runs.
  /// - Returns: the world with results.
  /// - Throws: a ``Problem`` if a drawn time is out of range or the simulator breaks a rule of its model.
  func carriedOut(threads: Int) async throws -> CheckedExperiment.World {
    let names = variant.references.keys.sorted()
    var totals: [String: Totals] = [:]
    var references: [String: [String: ExpectationJudge.Reference]] = [:]
    for name in names.isEmpty ? [nil] : names.map(Optional.some) {
      let reference = name.flatMap { variant.references[$0] }
      let others = variant.strategies.filter { $0.name != reference?.name }
      let strategies = (reference.map { [$0] } ?? []) + others
      let outcome = try await Trial(
        cells: strategies.map { ($0, point.scenario) }, runs: runs, seed: variant.seed
      ).carryOut(threads: threads)
      for (strategy, found) in zip(strategies, outcome.totals) { totals[strategy.name] = found }
      guard let name else { continue }
      for (strategy, pairs) in zip(others, outcome.pairs) {
        references[strategy.name, default: [:]][name] = ExpectationJudge.Reference(
          totals: outcome.totals[0], pairs: pairs)
      }
    }
    var world = self
    world.results = variant.strategies.compactMap { strategy in
      totals[strategy.name].map { result(strategy, $0, references[strategy.name] ?? [:]) }
    }
    return world
  }

  private func result(
    _ strategy: Strategy, _ totals: Totals, _ references: [String: ExpectationJudge.Reference]
  ) -> CheckedExperiment.Result {
    let judge = ExpectationJudge(
      scenario: point.scenario, profile: strategy.client(in: point.scenario).profile,
      totals: totals, references: references)
    // What compares with a strategy says nothing about that strategy itself.
    let expectations = variant.expectations.filter {
      $0.applies(to: point, of: variant.axes) && $0.reference != strategy.name
    }
    return CheckedExperiment.Result(
      strategy: strategy, judge: judge, verdicts: expectations.map { ($0, judge.verdict($0)) })
  }
}
