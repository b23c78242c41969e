import SimCore
import SimTestSupport
import Strategies
import Testing

struct CoverageTests {
  /// Over 1,000 seeds the 95 % interval of a rate per call holds the exact value in 93 to 97 %.
  ///
  /// If it covers 95 % in truth, fewer than 930 or more than 970 happen 1 time in 270.
  ///
  /// Five calls of an opening share its moment; an interval that took them for independent would cover 66 %.
  @Test func `The interval of a rate per call covers the exact value`() async throws {
    let scenario = Scenario.with { $0.server.lifetime = .fixed(.seconds(20)) }
    let strategy = try strategy("single-flight")
    let profile = strategy.client(in: scenario).profile
    let exact = try RacePrediction(scenario, profile).perCall
    var covered = 0
    for seed in 0..<1000 as Range<UInt64> {
      let totals = try await totals(strategy, scenario, seed: seed, runs: 300)
      let rate = try #require(totals.rate(.firstUnauthorized, per: .call))
      if rate.low <= exact, exact <= rate.high { covered += 1 }
    }
    #expect((930...970).contains(covered))
  }

  /// In sixty openings of twenty calls about one meets a 401.
  ///
  /// Of 300 verdicts on so little, one in a thousand may say that a right simulator differs; four
  /// or more would come 1 time in 500.
  @Test func `A verdict on few events raises no false alarm`() async throws {
    let scenario = Scenario.with { $0.usage.callers = 20 }
    let strategy = try strategy("single-flight")
    let profile = strategy.client(in: scenario).profile
    let prediction = try RacePrediction(scenario, profile)
    var alarms = 0
    for seed in 0..<300 as Range<UInt64> {
      let runs = 60
      let totals = try await totals(strategy, scenario, seed: seed, runs: runs)
      let verdict = Verdict(
        measured: try #require(totals.rate(.firstUnauthorized, per: .call)),
        predicted: prediction.perCall, runs: runs,
        predictedError: prediction.standardError(runs: runs),
        expectedEvents: prediction.perOpening * Double(runs))
      if verdict == .differs { alarms += 1 }
    }
    #expect(alarms < 4)
  }
}
