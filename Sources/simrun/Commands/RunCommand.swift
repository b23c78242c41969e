import Foundation
import SimCore
import Strategies

/// `simrun run`: one or several strategies or servers, on the same worlds.
struct RunCommand {
  private let cells: [StrategyOption.Cell]
  private let runs: Int
  private let seed: UInt64
  private let threads: Int
  private let worldOptions: [(option: Option, value: String)]

  /// How many openings with an expired token stand beside the asked ones.
  private static let expiredRuns = 2000

  /// What the options ask for.
  ///
  /// - Throws: all ``Problems`` of the options together.
  init(_ arguments: CommandLineArguments) throws {
    var problems = Problems()
    _ = try problems.collect { try StrategyOption.check(arguments) }
    let worlds = try problems.collect { try ScenarioRequest(arguments).worlds() } ?? []
    let runs = try problems.collect { try NumberOption.runs(arguments, worlds) } ?? 0
    let seed = try problems.collect { try NumberOption.seed(arguments, worlds) } ?? 0
    let threads = try problems.collect { try NumberOption.threads(arguments) } ?? 1
    try problems.throwIfAny()
    cells = try StrategyOption.cells(arguments, worlds)
    self.runs = runs
    self.seed = seed
    self.threads = threads
    worldOptions = arguments.worldOptions
  }

  /// Carries out the runs; Ctrl-C ends them early.
  ///
  /// - Throws: a ``Problem`` if a drawn time is out of range or the simulator breaks a rule of its model.
  func report() async throws -> RunReport {
    for cell in cells {
      for warning in ScenarioRequest.warnings(cell.world.scenario, [cell.strategy]) {
        Output.say("warning: \(warning)")
      }
    }
    let clients = cells.map { ($0.strategy, $0.world.scenario) }
    let outcome = try await trial(clients, runs: runs).carryOut()
    let expired = try await expiredOutcome(clients)
    let results = cells.indices.map { index in
      let (strategy, world) = (cells[index].strategy, cells[index].world)
      let profile = strategy.client(in: world.scenario).profile
      let totals = outcome.totals[index]
      return RunReport.Result(
        variant: world.variant, strategy: strategy, typed: cells[index].typed, server: world.server,
        scenario: world.scenario, profile: profile, totals: totals,
        prediction: PredictionReport(world.scenario, profile, totals),
        expired: expired?.totals[index], difference: index > 0 ? outcome.pairs[index - 1] : nil)
    }
    let wasInterrupted = Interruption.wasRequested
    if wasInterrupted {
      Output.say("interrupted: \(outcome.runs.grouped) of \(runs.grouped) runs are done")
    }
    return RunReport(
      results: results, seed: seed, runs: runs, isPartial: wasInterrupted,
      worldOptions: worldOptions)
  }

  private func trial(_ cells: [(Strategy, Scenario)], runs: Int) -> Trial {
    Trial(
      cells: cells.map { (strategy: $0, scenario: $1) }, runs: runs, seed: seed, threads: threads)
  }

  /// The same openings with an expired token, where that is another question than the one asked.
  private func expiredOutcome(
    _ cells: [(Strategy, Scenario)]
  ) async throws -> Replications.Outcome? {
    guard !Interruption.wasRequested,
      cells.allSatisfy({
        $0.1.usage.kind == .opening && $0.1.usage.opens == .duringLifetime
          && $0.1.lifecycle.leaves == .never
      })
    else { return nil }
    let expired = cells.map { strategy, scenario in
      var scenario = scenario
      scenario.usage.opens = .expired
      return (strategy, scenario)
    }
    return try await trial(expired, runs: min(runs, Self.expiredRuns)).carryOut()
  }
}

extension TimeOutOfRange {
  /// The field with its path, and what is wrong.
  var message: String {
    "\(path): a drawn time leads beyond 146 years after the run began"
  }

  private var path: String {
    switch field {
    case .uplink: "network.uplink"
    case .downlink: "network.downlink"
    case .processing: "server.processing"
    case .leaves: "lifecycle.leaves"
    case .returns: "lifecycle.returns"
    case .suspendAfter: "lifecycle.suspendAfter"
    case .backgroundBudget: "lifecycle.backgroundBudget"
    case .timeout: "client.timeout"
    case .usage: "usage"
    case .wake: "network.wake"
    case .retransmission: "network.retransmission"
    case .storeWrite: "store.write"
    case .storeRead: "store.read"
    case .killedAfter: "lifecycle.killedAfter"
    case .lockedAfter: "lifecycle.lockedAfter"
    case .wakes: "lifecycle.wakes"
    }
  }
}
