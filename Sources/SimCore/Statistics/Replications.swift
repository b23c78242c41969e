import Synchronization

/// Many runs of one or several clients on the same worlds, on as many cores as wanted.
///
/// Run `i` of each cell lives through the same day (common random numbers). Results are sums of integers,
/// so neither the number of threads nor their order matters.
public struct Replications: Sendable {
  /// A world with a client.
  public struct Cell: Sendable {
    let scenario: Scenario
    let makeClient: @Sendable (Int) -> any Client & ~Copyable

    /// A world with clients, made anew for each thread; asked for by the number of a process from 1.
    public init(
      _ scenario: Scenario, client makeClient: @escaping @Sendable (Int) -> any Client & ~Copyable
    ) {
      self.scenario = scenario
      self.makeClient = makeClient
    }
  }

  /// What the runs gave.
  public struct Outcome: Sendable, Codable {
    /// One per cell.
    public fileprivate(set) var totals: [Totals]
    /// The differences of each further cell to the first.
    public fileprivate(set) var pairs: [PairedTotals]
    /// How many runs of each cell were done: the first ones, without a gap.
    public var runs: Int { totals.first?.runs ?? 0 }

    /// How sure the intervals are.
    public var confidence = Confidence.usual {
      didSet {
        for index in totals.indices { totals[index].confidence = confidence }
        for index in pairs.indices { pairs[index].confidence = confidence }
      }
    }

    /// Adds what other runs of the same cells gave.
    ///
    /// - Precondition: both are of as many cells.
    public mutating func merge(_ other: Outcome) {
      for index in totals.indices { totals[index].merge(other.totals[index]) }
      for index in pairs.indices { pairs[index].merge(other.pairs[index]) }
    }
  }

  /// The worlds and clients.
  public let cells: [Cell]
  /// The seed.
  public let seed: UInt64
  /// The runs of each cell.
  public let runs: Range<Int>

  /// Runs to hand out at a time: few enough to stop soon and to keep all threads busy to the end.
  private var batch: Int {
    let calls = cells.map { max($0.scenario.usage.callers, $0.scenario.usage.timeline.count) }
    return max(1, 500 / max(5, calls.max() ?? 5))
  }

  /// Runs `0 ..< runs` of each cell.
  public init(cells: [Cell], seed: UInt64, runs: Int) {
    self.init(cells: cells, seed: seed, runs: 0..<runs)
  }

  /// Some runs of each cell, by their numbers.
  public init(cells: [Cell], seed: UInt64, runs: Range<Int>) {
    self.cells = cells
    self.seed = seed
    self.runs = runs
  }

  /// Carries out the runs.
  ///
  /// - Parameters:
  ///   - threads: how many tasks share the work.
  ///   - shouldStop: asked after each batch with the number of runs handed out so far; after a yes, the
  ///     other batches under way are finished, and the outcome holds the runs done.
  /// - Returns: what the runs gave.
  /// - Throws: ``TimeOutOfRange`` of the first run that failed so.
  public func carryOut(
    threads: Int, shouldStop: @escaping @Sendable (Int) -> Bool = { _ in false }
  ) async throws(TimeOutOfRange) -> Outcome {
    let next = Cursor(runs.lowerBound)
    let empty = Outcome(
      totals: cells.map { _ in Totals() }, pairs: cells.dropFirst().map { _ in PairedTotals() })
    let parts = await withTaskGroup(of: Part.self) { group in
      for _ in 0..<threads {
        group.addTask { work(takingFrom: next, into: empty, shouldStop: shouldStop) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    // Runs are handed out in order, so the lowest one that failed is the same with any number of threads.
    let failures = parts.compactMap(\.failure)
    if let first = failures.min(by: { $0.run < $1.run }) { throw first.error }
    return parts.reduce(into: empty) { $0.merge($1.outcome) }
  }

  /// What one thread did.
  private struct Part: Sendable {
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

  private func work(
    takingFrom next: Cursor, into empty: Outcome, shouldStop: (Int) -> Bool
  ) -> Part {
    var part = Part(outcome: empty)
    let replicas = cells.map { Replica($0, seed: seed) }
    let batch = batch
    repeat {
      let start = next.take(batch)
      guard start < runs.upperBound else { break }
      for run in start..<min(start + batch, runs.upperBound) {
        do throws(TimeOutOfRange) {
          try live(through: UInt64(run), replicas, &part.outcome)
        } catch {
          next.handOutNoMore()
          part.failure = (run, error)
          return part
        }
      }
    } while !shouldStop(min(next.value, runs.upperBound) - runs.lowerBound)
    for (index, replica) in replicas.enumerated() {
      replica.addWaits(to: &part.outcome.totals[index])
    }
    return part
  }

  private func live(
    through run: UInt64, _ replicas: [Replica], _ outcome: inout Outcome
  ) throws(TimeOutOfRange) {
    for index in replicas.indices {
      try replicas[index].live(through: run, addingTo: &outcome.totals[index])
    }
    for index in replicas.indices.dropFirst() {
      outcome.pairs[index - 1].add(
        replicas[0].simulation.tally, replicas[index].simulation.tally)
    }
  }

  /// The simulation of a cell, which as a value could not stand in an array.
  private final class Replica {
    private(set) var simulation: Simulation

    init(_ cell: Cell, seed: UInt64) {
      simulation = Simulation(cell.scenario, seed: seed, clients: cell.makeClient)
    }

    func live(through run: UInt64, addingTo totals: inout Totals) throws(TimeOutOfRange) {
      try simulation.run(run)
      totals.add(
        simulation.observation.tallier.tally, simulation.fingerprint, run: run,
        events: simulation.events,
        violation: simulation.violation)
    }

    func addWaits(to totals: inout Totals) {
      totals.addWaits(of: simulation.observation.tallier)
    }
  }
}
