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
  public struct Outcome: Sendable, Codable, Mergeable {
    /// One per cell.
    public fileprivate(set) var totals: [Totals]
    /// The differences of each further cell to the first.
    public fileprivate(set) var pairs: [PairedTotals]
    /// How many runs of each cell were done: the first ones, without a gap.
    public var runs: Int { totals.first?.runs ?? 0 }

    /// An outcome from its parts.
    ///
    /// - Precondition: there is a pair for each cell but the first.
    public init(totals: [Totals], pairs: [PairedTotals]) {
      precondition(pairs.count == max(0, totals.count - 1), "One pair for each further cell.")
      self.totals = totals
      self.pairs = pairs
    }

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
    let empty = Outcome(
      totals: cells.map { _ in Totals() }, pairs: cells.dropFirst().map { _ in PairedTotals() })
    let shared = SharedRuns(runs: runs, batch: batch)
    return try await shared.carryOut(threads: threads, into: empty, shouldStop: shouldStop) {
      Worker(replicas: cells.map { Replica($0, seed: seed) })
    }
  }

  /// What one thread works with.
  private struct Worker: RunWorker {
    let replicas: [Replica]

    func live(through run: UInt64, addingTo outcome: inout Outcome) throws(TimeOutOfRange) {
      for index in replicas.indices {
        try replicas[index].live(through: run, addingTo: &outcome.totals[index])
      }
      for index in replicas.indices.dropFirst() {
        outcome.pairs[index - 1].add(
          replicas[0].simulation.tally, replicas[index].simulation.tally)
      }
    }

    func finish(_ outcome: inout Outcome) {
      for (index, replica) in replicas.enumerated() {
        replica.addWaits(to: &outcome.totals[index])
      }
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
