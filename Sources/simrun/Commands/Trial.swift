import SimCore
import Strategies

/// Runs of several clients on the same worlds, watched for errors of the simulator itself.
struct Trial {
  let cells: [(strategy: Strategy, scenario: Scenario)]
  let runs: Int
  let seed: UInt64
  let threads: Int

  /// Carries out the runs; Ctrl-C ends them early.
  ///
  /// - Throws: a ``Problem`` if a drawn time is out of range or the simulator breaks a rule of its model.
  func carryOut() async throws -> Replications.Outcome {
    let replications = Replications(
      cells: cells.map { strategy, scenario in
        Replications.Cell(scenario) { strategy.client(in: scenario, process: $0) }
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

  private func checkRules(_ outcome: Replications.Outcome) throws {
    for totals in outcome.totals {
      guard let breach = totals.violation else { continue }
      throw Problem(
        "internal error: run \(breach.run) with seed \(seed) broke a rule of the model: "
          + breach.rule.rawValue,
        .internalError)
    }
  }
}
