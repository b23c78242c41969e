import SimCore
import SimTestSupport
import Strategies
import Testing

@testable import simrun

/// The model against the same burst written by hand: two programs that share nothing but the description.
struct HandWrittenBurstTests {
  @Test func `Naive bursts count alike`() async throws {
    let runs = agreementRuns
    var byHand = HandWrittenBurst(.naive, seed: 99)
    for _ in 0..<runs { byHand.run() }
    #expect(byHand.refreshes == 5 * runs)
    #expect(byHand.revoked == runs)
    let strategy = try #require(StrategyCatalog.all.first)
    let scenario = Scenario.expiredBurst()
    let totals = try await Replications(
      cells: [.init(scenario) { strategy.client(in: scenario, process: $0) }], seed: 1, runs: runs
    ).carryOut(threads: 2).totals[0]
    let served = RateEstimate.proportion(5 * runs - totals[.failedCalls], of: runs)
    let servedByHand = RateEstimate.proportion(byHand.served, of: runs)
    let error =
      (served.standardError * served.standardError
      + servedByHand.standardError * servedByHand.standardError).squareRoot()
    #expect((served.estimate - servedByHand.estimate).magnitude <= 3.3 * error)
  }

  @Test func `A burst with one flight is served whole`() {
    var byHand = HandWrittenBurst(.singleFlight, seed: 99)
    for _ in 0..<1000 { byHand.run() }
    #expect(byHand.refreshes == 1000)
    #expect(byHand.served == 5000)
    #expect(byHand.unauthorized == 0)
  }
}
