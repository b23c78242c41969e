import SimCore

/// A question whose answer follows from what runs gave, so that several machines can share them.
protocol Plan {
  /// The runs that it takes.
  var trials: [Trial] { get }

  /// What is odd about the question without being wrong.
  var warnings: [String] { get }

  /// The answer.
  ///
  /// - Parameters:
  ///   - outcomes: what each trial gave.
  ///   - format: how it is written.
  ///   - palette: the colours of text.
  /// - Returns: the answer with its exit code.
  /// - Throws: a ``Problem`` if there is none.
  func answer(
    _ outcomes: [Replications.Outcome], _ format: OutputFormat, _ palette: Palette
  ) throws -> Simrun.Answer
}

extension Plan {
  /// Carries out the runs of a shard, trial by trial; Ctrl-C ends them early.
  ///
  /// - Throws: a ``Problem`` if a drawn time is out of range or the simulator breaks a rule of its model.
  func carryOut(threads: Int, _ shard: Shard = .whole) async throws -> [Replications.Outcome] {
    var outcomes: [Replications.Outcome] = []
    for trial in trials { outcomes.append(try await trial.carryOut(threads: threads, shard)) }
    return outcomes
  }
}
