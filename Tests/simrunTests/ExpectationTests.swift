import SimCore
import Strategies
import Testing

@testable import simrun

/// Expectations about sign-outs by cause.
struct ExpectationTests {
  @Test(arguments: [
    (
      "signOuts by suspension = 1", simrun.Expectation.Unit.total,
      simrun.Expectation.Condition.equals(1)
    ),
    ("signOuts by suspension per run < 5%", .metric(.run), .below(0.05, orEqual: false)),
    ("signOuts by suspension per month = 2 ± 10%", .stretch(.month), .near(2, share: 0.1)),
  ])
  func `A cause stands after the sign-outs`(
    text: String, unit: simrun.Expectation.Unit, condition: simrun.Expectation.Condition
  ) throws {
    let expectation = try simrun.Expectation(text)
    #expect(expectation.measure == .signOuts(by: .suspension))
    #expect(expectation.unit == unit)
    #expect(expectation.condition == condition)
    #expect(expectation.text == text)
  }

  @Test func `Every cause can be expected`() throws {
    for cause in SignOutCause.allCases {
      #expect(
        try simrun.Expectation("signOuts by \(cause.name) = 0").measure == .signOuts(by: cause))
    }
  }

  @Test(arguments: [
    (
      "signOuts by suspensoin = 1",
      "names the unknown cause \"suspensoin\"; simrun show causes lists them. Did you mean \"suspension\"?"
    ),
    ("signOuts by", "names the unknown cause \"\"; simrun show causes lists them."),
    (
      "refreshes by suspension = 1",
      "is not like refreshes = 5, revocations per opening < 0.1%, firstUnauthorized per call = 1% ± 5%, "
        + "signOuts <= 50% of naive, waitAdded max = 35.1s, or prediction agrees"
    ),
  ])
  func `What is wrong with a cause is said`(text: String, message: String) {
    #expect(throws: FieldProblem(message)) { try simrun.Expectation(text) }
  }

  /// In each of 200 equal runs the app is suspended in the middle of its refresh, and signs out at the next one.
  @Test func `A judge counts the sign-outs by each cause`() async throws {
    var reader = JSON5Reader(
      """
      { usage: { kind: "timeline", timeline: "call@400s, leave@400.1s, return@4h, call@4h", horizon: "30d" },
        network: { uplink: "50ms", downlink: "50ms" }, clock: "right", lifecycle: { suspendAfter: "0s" },
        strategies: "single-flight" }
      """)
    let variant = try #require(try Experiment(reader.read(), file: "f.json5").variants.first)
    let totals = try await Trial(
      cells: [(variant.strategies[0], variant.scenario)], runs: 200, seed: 1
    ).carryOut(threads: 2).totals[0]
    let judge = ExpectationJudge(
      scenario: variant.scenario, profile: variant.strategies[0].decisions.profile, totals: totals)
    // Of 200 yeses in 200 runs the exact lower limit is 0.025^(1/200) = 0.98173.
    let expected: [(text: String, kind: ExpectationJudge.Verdict.Kind)] = [
      ("signOuts by suspension = 200", .pass), ("signOuts by kill = 0", .pass),
      ("signOuts by kill = 1", .fail), ("signOuts by suspension per run > 0.981", .pass),
      ("signOuts by suspension per run > 0.982", .inconclusive),
      ("signOuts by kill per run < 0.0183", .pass),
      ("signOuts by kill per run < 0.0182", .inconclusive),
      ("signOuts by suspension per run < 0.5", .fail),
      ("signOuts by suspension per month > 0.98", .pass),
      ("signOuts by suspension per opening = 1", .fail),
    ]
    for (text, kind) in expected {
      #expect(judge.verdict(try simrun.Expectation(text)).kind == kind, "\(text)")
    }
  }
}
