import SimCore
import SimTestSupport
import Testing

@testable import simrun

/// Whether rates of two results differ by more than chance.
struct RateRegressionTests {
  private func result(_ metrics: String, runs: Int = 1000) throws -> JSONValue {
    var reader = JSON5Reader(
      "{ worlds: [{ variant: 'a', runs: \(runs), results: [{ strategy: 's', metrics: { \(metrics) } }] }] }"
    )
    return try reader.read().value
  }

  private func rate(_ name: String, _ estimate: Double, _ half: Double) -> String {
    "\(name): { count: 10, perRun: { estimate: \(estimate), low: \(estimate - half), high: \(estimate + half) } }"
  }

  /// Half-widths of 1.96 and 2.6133 are errors of 1 and 4/3, whose root of squares is 5/3: a difference of 5 is 3.
  @Test func `Two rates are as many errors apart as their intervals say`() throws {
    var regression = RateRegression()
    regression.add(
      "f", try result(rate("refreshes", 10, Confidence.usual.z)),
      try result(rate("refreshes", 15, Confidence.usual.z * 4 / 3)))
    #expect(regression.pairs.count == 1)
    #expect(isClose(regression.pairs[0].statistic, 3, relative: 1e-9))
    // Half of one per cent lies above 2.575829.
    #expect(isClose(regression.threshold, 2.5758293035489, relative: 1e-9))
    #expect(
      regression.differences.map(\.message) == [
        "a · s: refreshes per run was 10 (8.04 to 12) and is 15 (12.4 to 17.6), 3 standard errors apart; "
          + "if that is meant, simrun check --update writes it anew"
      ])
  }

  /// With ten tests each has 0.1 %, of which half lies above 3.290527.
  @Test func `More comparisons ask for more`() throws {
    let names = [
      "openings", "rotations", "reissues", "graced", "rejected", "refused", "forks", "reuses",
      "unsaved",
    ]
    let same = names.map { rate($0, 1, 0.1) }.joined(separator: ", ")
    var regression = RateRegression()
    regression.add(
      "f", try result("\(rate("refreshes", 10, Confidence.usual.z)), \(same)"),
      try result("\(rate("refreshes", 15, Confidence.usual.z * 4 / 3)), \(same)"))
    #expect(regression.pairs.count == 10)
    #expect(isClose(regression.threshold, 3.2905267314919, relative: 1e-9))
    #expect(regression.differences.isEmpty)
    #expect(regression.words.contains("10 rates compared"))
    #expect(regression.words.contains("none differs"))
  }

  /// None in 1,000 runs has Wilson's limit z²/(1000 + z²) = 0.0038267; 20 in 1,000 are 4.5 errors from it.
  @Test func `None is a rate too`() throws {
    let twenty =
      "signOuts: { count: 20, perRun: { estimate: 0.02, low: 0.012983, high: 0.030692 } }"
    var regression = RateRegression()
    regression.add("f", try result(""), try result(twenty))
    #expect(regression.pairs.count == 1)
    #expect(regression.pairs[0].old.estimate == 0)
    #expect(isClose(regression.pairs[0].old.high, 0.00382673, relative: 1e-5))
    // Errors 0.0038267/3.92 = 0.00097621 and 0.017709/3.92 = 0.0045176 make 0.0046219.
    #expect(isClose(regression.pairs[0].statistic, 4.3273, relative: 1e-4))
    #expect(regression.differences.count == 1)
  }

  @Test func `Single runs and other units are not compared`() throws {
    var regression = RateRegression()
    regression.add(
      "f", try result("signOuts: { count: 1 }", runs: 1),
      try result("refreshes: { count: 2 }", runs: 1))
    regression.add(
      "f", try result(rate("refreshes", 1, 0.1)),
      try result("refreshes: { count: 1, perMonth: { estimate: 9, low: 8, high: 10 } }"))
    #expect(regression.pairs.isEmpty)
    #expect(regression.words == "no rate is there to compare; single runs have none")
  }
}
