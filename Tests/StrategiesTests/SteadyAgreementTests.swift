import SimCore
import SimTestSupport
import Strategies
import Testing

/// Steady traffic against values that were worked out by quadrature and confirmed by an independent simulation.
struct SteadyAgreementTests {
  #if DEBUG
  private static let cycles = 1_000.0
  /// What the beginning and the end of a run may add to its refreshes: one of forty, and a little.
  private static let ends = 0.05
  #else
  private static let cycles = 60_000.0
  private static let ends = 0.005
  #endif

  private func totals(
    _ strategy: Strategy, rate: Double, cycle: Double, _ change: (inout Scenario) -> Void = { _ in }
  ) async throws -> (totals: Totals, hours: Double) {
    // The horizon lies half a cycle after the end of one, where a run has counted no more tokens and no fewer than
    // its length has in the long run; 25 runs tell the error.
    let runs = 25
    let horizon = (max(40, Self.cycles / Double(runs)).rounded() + 0.5) * cycle
    let scenario = Scenario.with {
      $0.usage = Usage(
        kind: .steady, interval: .exponential(mean: .nanoseconds(Int64(1e9 / rate))),
        horizon: .seconds(Int(horizon)))
      change(&$0)
    }
    let replications = Replications(
      cells: [.init(scenario) { strategy.client(in: scenario, process: $0) }], seed: 1, runs: runs)
    let totals = try await replications.carryOut(threads: 2).totals[0]
    return (totals, Double(runs) * (horizon.rounded(.down) / 3600))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let rate: Double
    let perCall: Double
    let cycle: Double
    let perHour: Double
    var testDescription: String { "\(rate) calls a second" }
  }

  /// Calls per second, 401s per call, mean cycle in seconds, refreshes per hour; at most one call a second in debug.
  static let rows: [Row] = [
    Row(rate: 0.001, perCall: 0.0023071, cycle: 1300.207, perHour: 2.76879),
    Row(rate: 0.01, perCall: 0.0074868, cycle: 400.270, perHour: 8.99392),
    Row(rate: 0.1, perCall: 0.0095508, cycle: 310.789, perHour: 11.58340),
    Row(rate: 1, perCall: 0.0090555, cycle: 303.177, perHour: 11.87427),
  ]

  /// What is left of the beginning and the end of a run is stated as a tolerance beside the error.
  @Test(arguments: rows)
  func `401s per call and refreshes per hour agree at each rate`(row: Row) async throws {
    let (totals, hours) = try await totals(
      try strategy("single-flight"), rate: row.rate, cycle: row.cycle)
    let measured = try #require(totals.rate(.firstUnauthorized, per: .call))
    #expect(
      (measured.estimate - row.perCall).magnitude
        <= 3.3 * measured.standardError + 0.002 * row.perCall,
      "\(measured.estimate) ± \(measured.standardError) for \(row.perCall)")
    let perHour = Double(totals[.refreshes]) / hours
    #expect(
      isClose(perHour, row.perHour, relative: Self.ends + 0.005), "\(perHour) for \(row.perHour)")
    #expect(totals[.signOuts] == 0)
  }

  @Test func `A client that does not check meets more`() async throws {
    let (totals, _) = try await totals(
      try strategy("single-flight").checking(.none), rate: 0.1, cycle: 310)
    let measured = try #require(totals.rate(.firstUnauthorized, per: .call))
    #expect(
      (measured.estimate - 0.039051).magnitude <= 3.3 * measured.standardError + 0.0001,
      "\(measured.estimate)")
  }

  /// A margin of 30 s at a call in ten seconds: refreshes per hour, and the life thrown away.
  @Test func `The cost of a margin agrees`() async throws {
    let (totals, hours) = try await totals(
      try strategy("single-flight+margin"), rate: 0.1, cycle: 283)
    #expect(isClose(Double(totals[.refreshes]) / hours, 12.7119, relative: Self.ends + 0.005))
    #expect(isClose(try #require(totals.lifeUnused), 0.058299, relative: Self.ends + 0.005))
    #expect(totals[.needless] == 0)
    #expect(totals[.firstUnauthorized] == 0)
  }

  /// A margin as long as the lifetime: every call finds the token too old, and those that wait share a refresh.
  @Test func `A margin of the lifetime is a loop`() async throws {
    let looping = try strategy("single-flight").named("loop", margin: .seconds(301))
    let (totals, hours) = try await totals(looping, rate: 0.1, cycle: 12.4)
    #expect(isClose(Double(totals[.refreshes]) / hours, 290.3226, relative: Self.ends + 0.005))
    #expect(isClose(try #require(totals.lifeUnused), 0.958667, relative: 0.01))
    let needless = try #require(totals.rate(.needless, per: .refresh))
    #expect(needless.estimate > 0.999)
  }
}

extension Strategy {
  /// The strategy with another check before use.
  fileprivate func checking(_ check: ClientProfile.Check) -> Strategy {
    var copy = self
    copy.decisions.check = check
    return copy
  }
}
