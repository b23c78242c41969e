import SimCore
import Strategies

/// `simrun run --rare`: sign-outs of people who leave, too rare to count, by weighing the moment of leaving.
struct RareCommand {
  private let cells: [StrategyOption.Cell]
  private let runs: Int
  private let seed: UInt64
  private let threads: Int

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
    _ = try problems.collect { try NumberOption.precision(arguments, worlds) { _ in [] } }
    if arguments.contains(.shard) {
      problems.list.append(
        Problem("--shard divides runs that are counted; with --rare they are weighed, all at once"))
    }
    if let world = worlds.first(where: { !$0.scenario.drawsLeaving }) {
      problems.list.append(Self.problem(of: world.scenario))
    }
    try problems.throwIfAny()
    cells = try StrategyOption.cells(arguments, worlds)
    self.runs = runs
    self.seed = seed
    self.threads = threads
  }

  /// Why there is no moment of leaving to weigh.
  private static func problem(of scenario: Scenario) -> Problem {
    let need = "--rare weighs the moment at which the person leaves an opening, "
    guard scenario.usage.kind == .opening else {
      return Problem(need + "but usage.kind is \(scenario.usage.kind); use opening")
    }
    return Problem(
      need + "which lifecycle.leaves must draw, such as --leaves 'logNormal(median=90s, sigma=1.5)'"
    )
  }

  /// What is odd about the question.
  var warnings: [String] {
    cells.flatMap { ScenarioRequest.warnings($0.world.scenario, [$0.strategy]) }
  }

  /// Carries out the runs and writes the answer; Ctrl-C ends them early.
  ///
  /// - Throws: a ``Problem`` if a drawn time is out of range or the simulator breaks a rule of its model.
  func answer(_ format: OutputFormat, _ palette: Palette) async throws -> Simrun.Answer {
    for warning in warnings { Output.say("warning: \(warning)") }
    let outcome = try await carryOut()
    if Interruption.wasRequested {
      Output.say("interrupted: the answer is of the runs done so far")
    }
    for totals in outcome.totals {
      try Trial.check(totals.violation, seed: seed)
    }
    let report = RareReport(
      results: zip(cells, outcome.totals).map { RareReport.Result(cell: $0, totals: $1) },
      seed: seed, runs: runs, isPartial: outcome.runs < runs)
    return Simrun.Answer(
      text: report.text(format, palette), exitCode: report.isPartial ? .interrupted : .success)
  }

  private func carryOut() async throws -> WeighedReplications.Outcome {
    let progress = ProgressMeter(total: runs)
    defer { progress.erase() }
    let replications = WeighedReplications(
      cells: cells.map { cell in
        Replications.Cell(cell.world.scenario) {
          cell.strategy.client(in: cell.world.scenario, process: $0)
        }
      }, seed: seed, runs: runs)
    do throws(TimeOutOfRange) {
      return try await replications.carryOut(threads: threads) { done in
        progress.show(done)
        return Interruption.wasRequested
      }
    } catch {
      throw Problem(error.message, .badData)
    }
  }
}

extension Scenario {
  /// Whether the person leaves an opening at a moment that is drawn.
  fileprivate var drawsLeaving: Bool {
    guard usage.kind == .opening, case .after = lifecycle.leaves else { return false }
    return true
  }
}
