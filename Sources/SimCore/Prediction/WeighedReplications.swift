/// Many runs of openings that the person leaves, weighed by the moment of leaving, for sign-outs too rare to count.
///
/// Only the moment of leaving is weighed, all else is as in a plain run. Each run is lived through up to three times:
///
/// 1. with a person who stays, which tells when refreshes are under way, and so the moments at which leaving would
///    have the app suspended in one;
/// 2. with a person who leaves at a moment drawn from those, if there are any;
/// 3. with a person who leaves at a moment drawn from all others.
///
/// The second and third, weighed by the probabilities of their moments, give what the run gives on average over the
/// moment of leaving. That holds whatever moments are taken for dangerous, and whatever the client then does: a bad
/// choice costs precision alone. Results do not depend on the number of threads.
public struct WeighedReplications: Sendable {
  /// What the runs gave.
  public struct Outcome: Mergeable {
    /// One per cell.
    public fileprivate(set) var totals: [RareEventTotals]

    /// How many runs of each cell were done.
    public var runs: Int { totals.first?.runs ?? 0 }

    mutating func merge(_ other: Outcome) {
      for index in totals.indices { totals[index].merge(other.totals[index]) }
    }
  }

  private let cells: [Replications.Cell]
  private let seed: UInt64
  private let runs: Int

  /// Runs `0 ..< runs` of each cell.
  ///
  /// - Precondition: each is of openings that the person leaves after a time with a distribution.
  public init(cells: [Replications.Cell], seed: UInt64, runs: Int) {
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
    let empty = Outcome(totals: cells.map { _ in RareEventTotals() })
    let calls = cells.map(\.scenario.usage.callers).max() ?? 1
    let shared = SharedRuns(runs: 0..<runs, batch: max(1, 250 / max(5, calls)))
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
    }

    func finish(_ outcome: inout Outcome) {}
  }

  /// The simulation of a cell, which as a value could not stand in an array.
  private final class Replica {
    private var simulation: Simulation
    private let law: LeavingLaw

    init(_ cell: Replications.Cell, seed: UInt64) {
      guard case .after(let leaves) = cell.scenario.lifecycle.leaves else {
        preconditionFailure("Only a drawn moment of leaving can be weighed.")
      }
      law = LeavingLaw(leaves)
      simulation = Simulation(cell.scenario, seed: seed, clients: cell.makeClient)
    }

    func live(
      through run: UInt64, addingTo totals: inout RareEventTotals
    ) throws(TimeOutOfRange) {
      let danger = try danger(in: run, &totals)
      let weight = RareEventTotals.Weight(law.probability(of: danger))
      // The draws of the moment itself, which a run with a given one does not take.
      var draws = simulation.streams.lifecycle.draws(at: Simulation.visitLength)
      let (first, second) = (draws.unit(), draws.unit())
      let inside = try branch(run, weight, leavingIn: danger, at: first, &totals)
      let outside = try branch(run, weight.rest, leavingIn: danger.complement, at: second, &totals)
      totals.add(inside, outside)
    }

    /// When leaving would have the app suspended in a refresh, as nanoseconds after the opening.
    private func danger(
      in run: UInt64, _ totals: inout RareEventTotals
    ) throws(TimeOutOfRange) -> LengthSet {
      simulation.leaving = .never
      let trace = try simulation.trace(run)
      note(run, &totals)
      simulation.turn(to: 0)
      let profile = simulation.process.client.profile
      let budget = simulation.world.scenario.lifecycle.backgroundBudget.nanoseconds
      let delay = simulation.nextSuspension
      return trace.refreshesUnderWay(shiftedBy: profile.holdsTask ? max(delay, budget) : delay)
    }

    /// Lives through a run with a moment of leaving from a set; nil if it has no weight.
    private func branch(
      _ run: UInt64, _ weight: RareEventTotals.Weight, leavingIn set: LengthSet, at unit: Double,
      _ totals: inout RareEventTotals
    ) throws(TimeOutOfRange) -> RareEventTotals.Branch? {
      guard !weight.isZero else { return nil }
      simulation.leaving = .after(law.length(in: set, at: unit))
      try simulation.run(run)
      note(run, &totals)
      return RareEventTotals.Branch(
        weight: weight, tally: simulation.tally, events: simulation.events)
    }

    private func note(_ run: UInt64, _ totals: inout RareEventTotals) {
      totals.note(
        simulation.fingerprint, run: run, events: simulation.events,
        violation: simulation.violation)
    }
  }
}

extension Trace {
  /// When refreshes of the first process were under way, from sent to answered, as nanoseconds after the opening less
  /// a delay.
  fileprivate func refreshesUnderWay(shiftedBy delay: Int64) -> LengthSet {
    var opening: Int64?
    var sent: [Int32: Int64] = [:]
    var ranges: [Range<Int64>] = []
    for entry in entries where entry.process == 1 {
      let moment = entry.instant.nanoseconds
      switch entry.fact {
      case .screenOpened: opening = opening ?? moment
      case .refreshSent(let number, _): sent[number] = moment
      case .refreshAnswered(let number, _), .refreshFailed(let number, _),
        .refreshAbandoned(let number):
        guard let start = sent.removeValue(forKey: number) else { continue }
        ranges.append(start..<moment)
      default: break
      }
    }
    guard let opening else { return LengthSet([]) }
    let shift = opening + min(delay, LengthSet.end)
    return LengthSet(ranges.map { ($0.lowerBound - shift)..<($0.upperBound - shift) })
  }
}
