import SimCore
import Strategies

/// `simrun trace`: one run told step by step.
struct TraceCommand {
  private let cells: [StrategyOption.Cell]
  private let run: UInt64
  private let seed: UInt64

  /// What the options ask for.
  ///
  /// - Throws: all ``Problems`` of the options together.
  init(_ arguments: CommandLineArguments) throws {
    var problems = Problems()
    _ = try problems.collect { try StrategyOption.check(arguments) }
    let worlds = try problems.collect { try ScenarioRequest(arguments).worlds() } ?? []
    let run = try problems.collect { try NumberOption.run(arguments) } ?? 0
    let seed = try problems.collect { try NumberOption.seed(arguments, worlds) } ?? 0
    if let format = arguments[.format], format != OutputFormat.text.rawValue {
      problems.list.append(Problem("--format: a trace is written as text only, not as \(format)"))
    }
    try problems.throwIfAny()
    cells = try StrategyOption.cells(arguments, worlds)
    self.run = run
    self.seed = seed
  }

  /// One trace per strategy and server.
  ///
  /// - Throws: a ``Problem`` if a drawn time is out of range.
  func text() throws -> String {
    try cells.map { cell in
      let (strategy, world) = (cell.strategy, cell.world)
      let variant = world.variant.map { "\($0): " } ?? ""
      return "\(variant)\(strategy.name), server \(world.server), seed \(seed), run \(run)\n\n"
        + TraceText.lines(try trace(strategy, world.scenario))
    }.joined(separator: "\n")
  }

  private func trace(_ strategy: Strategy, _ scenario: Scenario) throws -> Trace {
    var simulation = Simulation(scenario, seed: seed) { strategy.client(in: scenario, process: $0) }
    do throws(TimeOutOfRange) {
      return try simulation.trace(run)
    } catch {
      throw Problem(error.message, .badData)
    }
  }
}
