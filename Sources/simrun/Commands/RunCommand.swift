import Foundation
import SimCore
import Strategies

/// `simrun run`: one or several strategies or servers, on the same worlds.
struct RunCommand: Plan {
  private let cells: [StrategyOption.Cell]
  private let runs: Int
  private let seed: UInt64
  private let precision: Precision?
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
    let precise = try problems.collect {
      try NumberOption.precision(arguments, worlds, Self.rates)
    }
    try problems.throwIfAny()
    cells = try StrategyOption.cells(arguments, worlds)
    self.runs = precise??.mostRuns ?? runs
    self.seed = seed
    precision = precise??.precision
    worldOptions = arguments.worldOptions
  }

  /// What a report is about first, and a precision is asked of.
  private static func rates(_ totals: Totals) -> [RateEstimate] {
    [totals.rate(.signOuts, per: .run), totals.rate(.firstUnauthorized, per: .call)]
      .compactMap(\.self)
  }

  /// The runs, and the same openings with an expired token where that is another question than the one asked.
  var trials: [Trial] {
    let asked = cells.map { (strategy: $0.strategy, scenario: $0.world.scenario) }
    var main = Trial(cells: asked, runs: runs, seed: seed)
    main.precision = precision
    guard asked.allSatisfy({ $0.scenario.meetsLiveToken }) else { return [main] }
    let expired = asked.map { strategy, scenario in
      var scenario = scenario
      scenario.usage.opens = .expired
      return (strategy: strategy, scenario: scenario)
    }
    return [main, Trial(cells: expired, runs: min(runs, Self.expiredRuns), seed: seed)]
  }

  /// What is odd about the question.
  var warnings: [String] {
    cells.flatMap { ScenarioRequest.warnings($0.world.scenario, [$0.strategy]) }
  }

  func answer(
    _ outcomes: [Replications.Outcome], _ format: OutputFormat, _ palette: Palette
  ) -> Simrun.Answer {
    let report = report(outcomes)
    let code: ExitCode =
      report.isPartial
      ? .interrupted : report.precision?.isReached == false ? .inconclusive : .success
    return Simrun.Answer(text: report.text(format, palette), exitCode: code)
  }

  private func report(_ outcomes: [Replications.Outcome]) -> RunReport {
    let outcome = outcomes[0]
    let results = cells.indices.map { index in
      let (strategy, world) = (cells[index].strategy, cells[index].world)
      let profile = strategy.client(in: world.scenario).profile
      let totals = outcome.totals[index]
      return RunReport.Result(
        variant: world.variant, strategy: strategy, typed: cells[index].typed, server: world.server,
        scenario: world.scenario, profile: profile, totals: totals,
        prediction: PredictionReport(world.scenario, profile, totals),
        expired: outcomes.count > 1 && outcomes[1].runs > 0 ? outcomes[1].totals[index] : nil,
        difference: index > 0 ? outcome.pairs[index - 1] : nil)
    }
    return RunReport(
      results: results, seed: seed, runs: runs,
      isPartial: precision == nil ? outcome.runs < runs : Interruption.wasRequested,
      precision: precision.map { ($0.share, $0.isMet(by: outcome)) }, worldOptions: worldOptions)
  }
}

extension Scenario {
  /// Whether its opening comes at a random moment of the token's life, and nobody leaves.
  fileprivate var meetsLiveToken: Bool {
    usage.kind == .opening && usage.opens == .duringLifetime && lifecycle.leaves == .never
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
