import Foundation
import SimCore
import Strategies

/// `simrun run`: one or several strategies or servers, on the same worlds.
struct RunCommand {
  private let strategies: [Strategy]
  private let worlds: [(server: String, scenario: Scenario)]
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
    let strategies = try problems.collect { try StrategyOption.strategies(arguments) } ?? []
    let worlds = try problems.collect { try ScenarioRequest(arguments).scenarios() } ?? []
    let runs = try problems.collect { try NumberOption.runs(arguments) } ?? 0
    let seed = try problems.collect { try NumberOption.seed(arguments) } ?? 0
    let threads = try problems.collect { try NumberOption.threads(arguments) } ?? 1
    try problems.throwIfAny()
    self.strategies = strategies
    self.worlds = worlds
    self.runs = runs
    self.seed = seed
    self.threads = threads
    worldOptions = arguments.worldOptions
  }

  /// Carries out the runs; Ctrl-C ends them early.
  ///
  /// - Throws: a ``Problem`` if a drawn time is out of range or the simulator breaks a rule of its model.
  func report() async throws -> RunReport {
    for (_, scenario) in worlds {
      for warning in ScenarioRequest.warnings(scenario, strategies) {
        Output.say("warning: \(warning)")
      }
    }
    let cells = worlds.flatMap { world in
      strategies.map { (strategy: $0, server: world.server, scenario: world.scenario) }
    }
    let clients = cells.map { ($0.strategy, $0.scenario) }
    let outcome = try await carryOut(clients, runs: runs)
    let expired = try await expiredOutcome(clients)
    let results = cells.indices.map { index in
      let cell = cells[index]
      let profile = cell.strategy.client(in: cell.scenario).profile
      let totals = outcome.totals[index]
      return RunReport.Result(
        strategy: cell.strategy, server: cell.server, scenario: cell.scenario, profile: profile,
        totals: totals, prediction: Self.prediction(cell.scenario, profile, totals),
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

  private func carryOut(
    _ cells: [(Strategy, Scenario)], runs: Int
  ) async throws -> Replications.Outcome {
    let replications = Replications(
      cells: cells.map { strategy, scenario in
        Replications.Cell(scenario) { strategy.client(in: scenario) }
      }, seed: seed, runs: runs)
    let progress = ProgressMeter(total: runs)
    defer { progress.erase() }
    let outcome: Replications.Outcome
    do throws(TimeOutOfRange) {
      outcome = try await replications.carryOut(threads: threads) { done in
        progress.show(done)
        return Interruption.wasRequested
      }
    } catch {
      throw Problem(error.message, .badData)
    }
    try checkRules(outcome)
    return outcome
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
    return try await carryOut(expired, runs: min(runs, Self.expiredRuns))
  }

  private func checkRules(_ outcome: Replications.Outcome) throws {
    for totals in outcome.totals {
      guard let (run, rule) = totals.violation else { continue }
      throw Problem(
        "internal error: run \(run) with seed \(seed) broke a rule of the model: \(rule.rawValue)",
        .internalError)
    }
  }

  private static func prediction(
    _ scenario: Scenario, _ profile: ClientProfile, _ totals: Totals
  ) -> RunReport.Prediction {
    do {
      let prediction = try RacePrediction(scenario, profile)
      if prediction.isBlurredByRevocations { return .none(.revocationsMixIn) }
      guard let measured = totals.rate(.firstUnauthorized, per: .call) else {
        return .none(.otherUse)
      }
      return .value(
        prediction,
        Verdict(
          measured: measured, predicted: prediction.perCall, runs: totals.runs,
          predictedError: prediction.standardError(runs: totals.runs),
          expectedEvents: prediction.perOpening * Double(totals.runs)))
    } catch {
      return .none(error)
    }
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
    }
  }
}
