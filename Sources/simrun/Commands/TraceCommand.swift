import SimCore
import Strategies

/// `simrun trace`: one run told step by step.
struct TraceCommand {
  private let strategies: [Strategy]
  private let worlds: [(server: String, scenario: Scenario)]
  private let run: UInt64
  private let seed: UInt64

  /// What the options ask for.
  ///
  /// - Throws: all ``Problems`` of the options together.
  init(_ arguments: CommandLineArguments) throws {
    var problems = Problems()
    let strategies = try problems.collect { try StrategyOption.strategies(arguments) } ?? []
    let worlds = try problems.collect { try ScenarioRequest(arguments).scenarios() } ?? []
    let run = try problems.collect { try NumberOption.run(arguments) } ?? 0
    let seed = try problems.collect { try NumberOption.seed(arguments) } ?? 0
    if let format = arguments[.format], format != OutputFormat.text.rawValue {
      problems.list.append(Problem("--format: a trace is written as text only, not as \(format)"))
    }
    try problems.throwIfAny()
    self.strategies = strategies
    self.worlds = worlds
    self.run = run
    self.seed = seed
  }

  /// One trace per strategy and server.
  ///
  /// - Throws: a ``Problem`` if a drawn time is out of range.
  func text() throws -> String {
    try worlds.flatMap { world in
      try strategies.map { strategy in
        "\(strategy.name), server \(world.server), seed \(seed), run \(run)\n\n"
          + TraceText.lines(try trace(strategy, world.scenario))
      }
    }.joined(separator: "\n")
  }

  private func trace(_ strategy: Strategy, _ scenario: Scenario) throws -> Trace {
    var simulation = Simulation(scenario, client: strategy.client(in: scenario), seed: seed)
    do throws(TimeOutOfRange) {
      return try simulation.trace(run)
    } catch {
      throw Problem(error.message, .badData)
    }
  }
}
