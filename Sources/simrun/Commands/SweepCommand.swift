import SimCore
import Strategies

/// `simrun sweep`: one field or two over their values, on the same worlds.
struct SweepCommand: Plan {
  let axes: [Axis]
  let points: [SweepPoint]
  let target: Expectation?
  let trials: [Trial]
  let warnings: [String] = []

  /// What the options ask for.
  ///
  /// - Throws: all ``Problems`` of the options together.
  init(_ arguments: CommandLineArguments) throws {
    throw Problem("sweep is not there yet")
  }

  func answer(
    _ outcomes: [Replications.Outcome], _ format: OutputFormat, _ palette: Palette
  ) throws -> Simrun.Answer {
    throw Problem("sweep is not there yet")
  }
}
