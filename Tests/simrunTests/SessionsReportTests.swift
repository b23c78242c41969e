import Foundation
import SimCore
import Strategies
import Testing

@testable import simrun

/// Reports of people's months and of fleets, on totals made by hand.
struct SessionsReportTests {
  private let access = AccessToken(id: 0)

  /// A thousand runs of an opening of two calls, the first with a 401 and a refresh; in the first hundred the second
  /// call fails, and the user is signed out.
  private func totals() -> Totals {
    var totals = Totals()
    for run in 0..<1000 {
      var facts: [Fact] = [
        .screenOpened, .callStarted(1), .attemptSent(1, attempt: 1, access),
        .attemptJudged(1, attempt: 1, access, .unauthorized), .refreshSent(1, RefreshToken(id: 0)),
        .refreshArrived(1, RefreshToken(id: 0)),
        .refreshJudged(1, RefreshToken(id: 0), .refused(.serverError)),
        .callEnded(1, .succeeded), .callStarted(2),
        .callEnded(2, run < 100 ? .signedOut : .succeeded),
      ]
      if run < 100 { facts.append(.signedOut(.rejected, needlessly: false)) }
      var tallier = Tallier()
      for fact in facts { tallier.observe(fact, at: .init(nanoseconds: 1)) }
      tallier.finish()
      totals.add(tallier.tally, Fingerprint(), run: UInt64(run), events: 1, violation: nil)
    }
    return totals
  }

  private func report(_ kind: Usage.Kind) throws -> RunReport {
    var scenario = Scenario()
    // Two months, so that a rate per month is half of one per run.
    scenario.usage = Usage(kind: kind, horizon: .seconds(60 * 86_400), clients: 500)
    let strategy = StrategyCatalog.singleFlight
    let totals = totals()
    let profile = strategy.client(in: scenario).profile
    let result = RunReport.Result(
      variant: nil, strategy: strategy, typed: "single-flight", server: "strict",
      scenario: scenario, profile: profile, totals: totals,
      prediction: PredictionReport(scenario, profile, totals), expired: nil, difference: nil)
    return RunReport(
      results: [result], seed: 7, runs: 1000, isPartial: false,
      worldOptions: [(.usage, "sessions")])
  }

  /// 100 in 1,000 has Wilson's interval 0.0829 to 0.1202; half of it is that of a month.
  @Test func `Sessions are told on a screen, in numbers of a month`() throws {
    let text = TextReport(try report(.sessions), Palette(isColoured: false)).text
    #expect(
      text == """
        1,000 users over 60d; 0.0167 openings and 0.0333 calls a day; server strict; seed 7

        client, best first  signed out per user and month  which is
        single-flight       0.05 (0.0415 to 0.0601)        about one in 20 months

        Why
          single-flight, 100 sign-outs
              100 %  another failure was taken for the end of the session (mistakenError)

        per user       401s a month  failed calls  refreshes a day  duplicates a month
        single-flight  0.5           5.00 %        0.0167           0

        A call also fails when the person leaves before its answer. Who was signed out signs in at the next
        opening; until then all calls fail.

        See one
          simrun trace --strategy single-flight --usage sessions --run 0

        """)
  }

  @Test func `Causes are told largest first, with their shares`() throws {
    let report = try report(.sessions)
    let counts: [SignOutCause: Int] = [
      .lostAnswer: 25, .suspension: 70, .kill: 3, .lostWrite: 1, .staleWrite: 1,
    ]
    let causes = SignOutCauses { counts[$0] ?? 0 }
    #expect(
      SessionsText(report, Palette(isColoured: false)).causes(report.results[0], causes) == """
          single-flight, 100 sign-outs
             70.0 %  the app was suspended when the answer came (suspension)
             25.0 %  the answer was lost on its way (lostAnswer)
             3.00 %  the app was killed before the new tokens were stored (kill)
             2.00 %  lostWrite, staleWrite
        """)
    #expect(
      JSONReport.causes(causes)
        == .object(["suspension": 70, "lostAnswer": 25, "kill": 3, "lostWrite": 1, "staleWrite": 1])
    )
    #expect(
      SessionsText(report, Palette(isColoured: false))
        .causes(report.results[0], SignOutCauses { _ in 0 }) == nil)
  }

  @Test func `The client that signs out least comes first`() throws {
    let one = try report(.sessions)
    let first = one.results[0]
    let second = RunReport.Result(
      variant: "none", strategy: first.strategy, typed: nil, server: "strict",
      scenario: first.scenario, profile: first.profile, totals: Totals(),
      prediction: first.prediction, expired: nil, difference: nil)
    let quiet = RunReport.Result(
      variant: "quiet", strategy: first.strategy, typed: nil, server: "strict",
      scenario: first.scenario, profile: first.profile, totals: quietTotals(),
      prediction: first.prediction, expired: nil, difference: nil)
    let report = RunReport(
      results: [second, first, quiet], seed: 7, runs: 1000, isPartial: false, worldOptions: [])
    let rows = TextReport(report, Palette(isColoured: false)).text.split(separator: "\n")
    #expect(rows[2].hasPrefix("quiet: single-flight  0 (below"))
    #expect(rows[3].hasPrefix("single-flight  "))
    #expect(rows[4].hasPrefix("none: single-flight   –"))
  }

  /// A run in which nothing goes wrong.
  private func quietTotals() -> Totals {
    var totals = Totals()
    var tallier = Tallier()
    for fact in [Fact.screenOpened, .callStarted(1), .callEnded(1, .succeeded)] {
      tallier.observe(fact, at: .init(nanoseconds: 1))
    }
    tallier.finish()
    totals.add(tallier.tally, Fingerprint(), run: 0, events: 1, violation: nil)
    return totals
  }

  @Test func `Tables and files have rates per month`() throws {
    let report = try report(.sessions)
    #expect(
      ReportTable(report).markdown.hasSuffix(
        "| single-flight | 0.05 (0.0415 to 0.0601) | about one in 20 months | 0.5 (0.498 to 0.5) | "
          + "5.00 % (4.15 to 6.01 %) | 0.0167 | 0 |\n"))
    let line = try #require(
      CSVReport.text(report).split(separator: "\n").first { $0.contains("signOuts,month") })
    #expect(line.hasPrefix("single-flight,strict,signOuts,month,100,0.05,0.0414"))
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(JSONReport.text(report).utf8)) as? [String: Any])
    let result = try #require((root["results"] as? [[String: Any]])?.first)
    let metrics = try #require(result["metrics"] as? [String: Any])
    let signOuts = try #require(metrics["signOuts"] as? [String: Any])
    let monthly = try #require(signOuts["perMonth"] as? [String: Double])
    #expect(monthly["estimate"] == 0.05)
    #expect(result["causes"] is [String: Any])
  }

  @Test func `A fleet is told by what reaches the server`() throws {
    let report = try report(.fleet)
    let text = TextReport(report, Palette(isColoured: false)).text
    #expect(text.hasPrefix("1,000 fleets of 500 clients over 60d; server strict; seed 7\n\n"))
    // A tenth of the runs have a sign-out, and each run has 500 clients.
    #expect(text.contains("100 %    5.00 %        0.0200 %"))
    #expect(CSVReport.text(report).contains("single-flight,strict,refreshes,second,,1.9"))
    #expect(!CSVReport.text(report).contains(",month,"))
  }

  @Test(arguments: [
    ("signOuts per month < 0.061", ExpectationJudge.Verdict.Kind.pass),
    ("signOuts per month < 0.04", .fail), ("signOuts per month < 0.05", .inconclusive),
    ("calls per day < 0.1", .pass), ("signOuts per hour > 0", .pass),
  ])
  func `An expectation may be about a month`(text: String, kind: ExpectationJudge.Verdict.Kind)
    throws
  {
    let result = try report(.sessions).results[0]
    let judge = ExpectationJudge(
      scenario: result.scenario, profile: result.profile, totals: result.totals)
    #expect(judge.verdict(try Expectation(text)).kind == kind)
  }

  @Test(arguments: [
    (90.0, "about 3 a day"), (45, "about 2 a day"), (12.4, "about 12 a month"),
    (1.5, "about 2 a month"), (1, "about one a month"), (0.4, "about one in 3 months"),
    (0.1, "about one in 10 months"), (0.05, "about one in 20 months"),
    (0.04, "about one in 2 years"), (0.001, "about one in 82 years"),
    (1e-6, "less than one in 1,000 years"),
  ])
  func `A rate has words`(perMonth: Double, words: String) {
    #expect(Frequency.words(perMonth: perMonth) == words)
  }

  @Test(arguments: [
    (0.9, "none seen"), (0.1, "rarer than one in 10 months"),
    (0.00384, "rarer than one in 21 years"),
  ])
  func `What was never seen has a limit in words`(perMonth: Double, words: String) {
    #expect(Frequency.limit(perMonth: perMonth) == words)
  }
}
