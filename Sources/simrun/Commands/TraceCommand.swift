import SimCore
import Strategies

/// `simrun trace`: one run told step by step.
struct TraceCommand {
  private let cells: [StrategyOption.Cell]
  private let run: UInt64
  private let seed: UInt64
  private let from: Instant?
  private let until: Instant?

  /// What the options ask for.
  ///
  /// - Throws: all ``Problems`` of the options together.
  init(_ arguments: CommandLineArguments) throws {
    var problems = Problems()
    _ = try problems.collect { try StrategyOption.check(arguments) }
    let worlds = try problems.collect { try ScenarioRequest(arguments).worlds() } ?? []
    let run = try problems.collect { try NumberOption.run(arguments) } ?? 0
    let seed = try problems.collect { try NumberOption.seed(arguments, worlds) } ?? 0
    let from = try problems.collect { try Self.instant(.from, arguments) } ?? nil
    let until = try problems.collect { try Self.instant(.until, arguments) } ?? nil
    if let from, let until, until < from {
      problems.list.append(Problem("--until: a trace cannot end before it begins, at --from"))
    }
    if let format = arguments[.format], format != OutputFormat.text.rawValue {
      problems.list.append(Problem("--format: a trace is written as text only, not as \(format)"))
    }
    try problems.throwIfAny()
    cells = try StrategyOption.cells(arguments, worlds)
    self.run = run
    self.seed = seed
    self.from = from
    self.until = until
  }

  /// One trace per strategy and server.
  ///
  /// - Throws: a ``Problem`` if a drawn time is out of range.
  func text() throws -> String {
    try cells.map { cell in
      let (strategy, world) = (cell.strategy, cell.world)
      let variant = world.variant.map { "\($0): " } ?? ""
      return "\(variant)\(strategy.name), server \(world.server), seed \(seed), run \(run)\n\n"
        + text(try trace(strategy, world.scenario), world.scenario.shape)
    }.joined(separator: "\n")
  }

  /// The whole trace, the part that was asked for, or what led to the first sign-out of a long run.
  private func text(_ trace: Trace, _ shape: Scenario.Shape) -> String {
    let isLong = shape == .sessions || shape == .fleet
    if from == nil, until == nil, isLong {
      return TraceText.lines(trace, .aroundSignOut(trace, ofOneClient: shape == .fleet))
    }
    return TraceText.lines(trace, .between(from, until, in: trace))
  }

  /// The instant that an option names, counted from the minting of the first pair.
  private static func instant(
    _ option: Option, _ arguments: CommandLineArguments
  ) throws -> Instant? {
    guard let text = arguments[option] else { return nil }
    do throws(FieldProblem) {
      return Instant(nanoseconds: try Duration(text: text).nanoseconds)
    } catch {
      throw Problem("\(option.flag): \"\(text)\" \(error.clause)")
    }
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
