import SimCore
import Strategies
import Testing

@testable import simrun

/// Several clients read as a decision, on totals made by hand.
struct DecisionTextTests {
  private func tally(signedOut: Bool) -> RunTally {
    var tallier = Tallier()
    tallier.observe(.screenOpened, at: .zero)
    if signedOut { tallier.observe(.signedOut(.rejected, needlessly: false), at: .zero) }
    return tallier.tally
  }

  /// Runs in which both clients, only the first, only the second, and none signs out.
  private func report(_ both: Int, _ first: Int, _ second: Int, _ none: Int) throws -> RunReport {
    var totals = [Totals(), Totals()]
    var pairs = PairedTotals()
    var run: UInt64 = 0
    for (a, b, count) in [
      (true, true, both), (true, false, first), (false, true, second), (false, false, none),
    ] {
      for _ in 0..<count {
        let tallies = [tally(signedOut: a), tally(signedOut: b)]
        for (index, tally) in tallies.enumerated() {
          totals[index].add(tally, Fingerprint(), run: run, events: 1, violation: nil)
        }
        pairs.add(tallies[0], tallies[1])
        run += 1
      }
    }
    let scenario = Scenario()
    let results = try ["naive", "single-flight"].enumerated().map { index, name in
      let strategy = try StrategyName.strategy(name)
      let profile = strategy.client(in: scenario).profile
      return RunReport.Result(
        variant: nil, strategy: strategy, typed: name, server: "strict", scenario: scenario,
        profile: profile, totals: totals[index],
        prediction: PredictionReport(scenario, profile, totals[index]), expired: nil,
        difference: index > 0 ? pairs : nil)
    }
    return RunReport(results: results, seed: 1, runs: Int(run), isPartial: false, worldOptions: [])
  }

  private func text(_ report: RunReport) -> String {
    DecisionText(report, Palette(isColoured: false)).text
  }

  /// Of 10,000 runs 72 are bad with both clients, 25 only with the first, 9 only with the second: closed forms give
  /// a difference of 16 with the error 5.829, which with room for 3.84 more runs is ± 12.05, and pairing divides the variance by 5.19.
  @Test func `The better client stands first, with its paired difference to the first named`()
    throws
  {
    let text = text(try report(72, 25, 9, 9894))
    let rows = text.split(separator: "\n").map(String.init)
    #expect(rows[1].hasPrefix("single-flight"))
    #expect(rows[2].hasPrefix("naive"))
    #expect(
      text.contains(
        """
          single-flight
            16 fewer sign-outs (3.95 to 28); openings with any: 25 only with naive, 9 only here; pairing divided the variance by 5.19
            as many 401s, opening by opening
        """))
    // 97 of 10,000 is 1 of 103, and 81 is 1 of 123; their intervals overlap.
    #expect(
      text.contains(
        "single-flight signs out least, in 1 of 123 openings; naive does in 1 of 103 openings."
      ))
    #expect(!text.contains("Thin data"))
  }

  /// Three more and two fewer of 1,000: the variance of a difference is 5/1000, so that it is 1 ± √(3.84 · 5 + 3.84²).
  @Test func `Few sign-outs tell no difference, and the text warns of thin data`() throws {
    let text = text(try report(0, 3, 2, 995))
    #expect(text.contains("sign-outs cannot be told apart, 6.83 fewer to 4.83 more"))
    #expect(text.contains("Thin data: few sign-outs were seen of single-flight (2) and naive (3)"))
  }

  /// None in 1,000 is below 3.8268 in 1,000 by Wilson, 1 of 261.
  @Test func `Who signs nobody out is named with what that proves`() throws {
    let text = text(try report(0, 500, 0, 500))
    #expect(
      text.contains(
        "single-flight signs nobody out (95 % sure: less than 1 of 261 openings);\nnaive does in 1 of 2 openings."
      ))
  }
}
