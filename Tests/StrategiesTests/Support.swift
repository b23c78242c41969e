import SimCore
import SimTestSupport
import Strategies
import Testing

/// The strategy of the catalog with this name.
func strategy(_ name: String) throws -> Strategy {
  try #require(StrategyCatalog.all.first { $0.name == name })
}

/// The totals of many runs of a strategy.
func totals(
  _ strategy: Strategy, _ scenario: Scenario, seed: UInt64 = 1, runs: Int
) async throws -> Totals {
  let replications = Replications(
    cells: [.init(scenario) { strategy.client(in: scenario, process: $0) }], seed: seed, runs: runs)
  return try await replications.carryOut(threads: 2).totals[0]
}

/// The metrics of one run.
func tally(_ strategy: Strategy, _ scenario: Scenario, run: UInt64 = 0) throws -> RunTally {
  var simulation = Simulation(scenario, client: strategy.client(in: scenario), seed: 1)
  try simulation.run(run)
  return simulation.tally
}

/// The facts of one run.
func facts(
  _ strategy: Strategy, _ scenario: Scenario, run: UInt64 = 0, seed: UInt64 = 1
) throws -> [Trace.Entry] {
  var simulation = Simulation(scenario, client: strategy.client(in: scenario), seed: seed)
  return try simulation.trace(run).entries
}

/// What should not happen in a run unless a test says so.
private let harm: [Metric] = [
  .failedCalls, .stuckCalls, .rejected, .duplicates, .needless, .reuses, .revocations,
  .revokedByRequest, .lostRotations, .signOuts, .falseSignOuts, .staleStores, .resurrections,
]

/// Expects these counts, and none of any harm that is not among them.
func expect(
  _ tally: RunTally, _ counts: [Metric: Int], sourceLocation: SourceLocation = #_sourceLocation
) {
  let none = Dictionary(uniqueKeysWithValues: harm.map { ($0, 0) })
  for (metric, count) in none.merging(counts, uniquingKeysWith: { $1 }) {
    #expect(tally[metric] == count, "\(metric)", sourceLocation: sourceLocation)
  }
}

extension Scenario {
  /// The published world with constant delays of 50 ms each way and no spread.
  static func constantDelays(_ change: (inout Scenario) -> Void = { _ in }) -> Scenario {
    .with {
      $0.network.uplink = .constant(.milliseconds(50))
      $0.network.downlink = .constant(.milliseconds(50))
      $0.usage.spread = .zero
      $0.clock.offset = .zero
      change(&$0)
    }
  }

  /// A timeline with constant delays.
  static func timeline(
    _ moments: [Usage.Moment], _ change: (inout Scenario) -> Void = { _ in }
  ) -> Scenario {
    .constantDelays {
      $0.usage.kind = .timeline
      $0.usage.timeline = moments
      change(&$0)
    }
  }
}
