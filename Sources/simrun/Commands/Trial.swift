import SimCore
import Strategies

/// Runs of several clients on the same worlds, watched for errors of the simulator itself.
struct Trial {
  let cells: [(strategy: Strategy, scenario: Scenario)]
  /// How many runs, or the most if a precision is asked for.
  let runs: Int
  let seed: UInt64
  /// When to stop earlier; nil to do all runs.
  var precision: Precision?

  /// Carries out the runs; Ctrl-C ends them early.
  ///
  /// With a precision the intervals are those that hold together at all looks.
  ///
  /// - Throws: a ``Problem`` if a drawn time is out of range or the simulator breaks a rule of its model.
  func carryOut(threads: Int, _ shard: Shard = .whole) async throws -> Replications.Outcome {
    let progress = ProgressMeter(total: shard.slice(of: runs).count)
    defer { progress.erase() }
    guard let precision else {
      return try await carryOut(shard.slice(of: runs), threads) { progress.show($0) }
    }
    var outcome = try await carryOut(0..<0, threads) { _ in }
    for (index, look) in Precision.looks(upTo: runs).enumerated() {
      let done = outcome.runs
      outcome.merge(try await carryOut(done..<look, threads) { progress.show(done + $0) })
      outcome.confidence = .look(index + 1)
      if precision.isMet(by: outcome) || Interruption.wasRequested { break }
    }
    return outcome
  }

  private func carryOut(
    _ slice: Range<Int>, _ threads: Int, _ show: @escaping @Sendable (Int) -> Void
  ) async throws -> Replications.Outcome {
    let replications = Replications(
      cells: cells.map { strategy, scenario in
        Replications.Cell(scenario) { strategy.client(in: scenario, process: $0) }
      }, seed: seed, runs: slice)
    let outcome: Replications.Outcome
    do throws(TimeOutOfRange) {
      outcome = try await replications.carryOut(threads: threads) { done in
        show(done)
        return Interruption.wasRequested
      }
    } catch {
      throw Problem(error.message, .badData)
    }
    for totals in outcome.totals { try Self.check(totals.violation, seed: seed) }
    return outcome
  }

  /// Complains of a run that broke a rule of the model.
  ///
  /// - Throws: a ``Problem`` if there is one.
  static func check(_ breach: Totals.Breach?, seed: UInt64) throws {
    guard let breach else { return }
    throw Problem(
      "internal error: run \(breach.run) with seed \(seed) broke a rule of the model: "
        + breach.rule.rawValue,
      .internalError)
  }
}
