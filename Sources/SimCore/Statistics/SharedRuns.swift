import Synchronization

/// Runs that threads share: each takes the next few whenever it is done with the ones before.
struct SharedRuns: Sendable {
  /// The runs by their numbers.
  let runs: Range<Int>
  /// How many to hand out at a time.
  let batch: Int

  /// Carries out the runs.
  ///
  /// - Parameters:
  ///   - threads: how many tasks share the work.
  ///   - empty: the outcome of no run.
  ///   - shouldStop: asked after each batch with the number of runs handed out so far; after a yes, the
  ///     other batches under way are finished, and the outcome holds the runs done.
  ///   - makeWorker: what one thread works with.
  /// - Returns: what the runs gave.
  /// - Throws: ``TimeOutOfRange`` of the first run that failed so.
  func carryOut<Worker: RunWorker>(
    threads: Int, into empty: Worker.Outcome, shouldStop: @escaping @Sendable (Int) -> Bool,
    makeWorker: @escaping @Sendable () -> Worker
  ) async throws(TimeOutOfRange) -> Worker.Outcome {
    let next = Cursor(runs.lowerBound)
    let parts = await withTaskGroup(of: Part<Worker.Outcome>.self) { group in
      for _ in 0..<threads {
        group.addTask { work(makeWorker(), takingFrom: next, into: empty, shouldStop: shouldStop) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    // Runs are handed out in order, so the lowest one that failed is the same with any number of threads.
    let failures = parts.compactMap(\.failure)
    if let first = failures.min(by: { $0.run < $1.run }) { throw first.error }
    return parts.reduce(into: empty) { $0.merge($1.outcome) }
  }

  /// What one thread did.
  private struct Part<Outcome: Mergeable>: Sendable {
    var outcome: Outcome
    var failure: (run: Int, error: TimeOutOfRange)?
  }

  private final class Cursor: Sendable {
    private let position: Atomic<Int>

    init(_ start: Int) {
      position = Atomic(start)
    }

    func take(_ count: Int) -> Int {
      position.add(count, ordering: .relaxed).oldValue
    }

    var value: Int { position.load(ordering: .relaxed) }

    func handOutNoMore() {
      position.store(.max / 2, ordering: .relaxed)
    }
  }

  private func work<Worker: RunWorker>(
    _ worker: Worker, takingFrom next: Cursor, into empty: Worker.Outcome,
    shouldStop: (Int) -> Bool
  ) -> Part<Worker.Outcome> {
    var part = Part(outcome: empty)
    repeat {
      let start = next.take(batch)
      guard start < runs.upperBound else { break }
      for run in start..<min(start + batch, runs.upperBound) {
        do throws(TimeOutOfRange) {
          try worker.live(through: UInt64(run), addingTo: &part.outcome)
        } catch {
          next.handOutNoMore()
          part.failure = (run, error)
          return part
        }
      }
    } while !shouldStop(min(next.value, runs.upperBound) - runs.lowerBound)
    worker.finish(&part.outcome)
    return part
  }
}

/// Sums that add up in any order.
protocol Mergeable: Sendable {
  /// Adds the sums of other runs.
  mutating func merge(_ other: Self)
}

/// Lives through runs on one thread.
protocol RunWorker: SendableMetatype {
  associatedtype Outcome: Mergeable

  /// Adds what a run gives.
  func live(through run: UInt64, addingTo outcome: inout Outcome) throws(TimeOutOfRange)

  /// Adds what is known only after the last run.
  func finish(_ outcome: inout Outcome)
}
