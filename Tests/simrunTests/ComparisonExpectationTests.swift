import SimCore
import SimTestSupport
import Strategies
import Testing

@testable import simrun

/// Expectations that set one strategy against another on the same worlds.
struct ComparisonExpectationTests {
  private func experiment(_ text: String) throws -> Experiment {
    var reader = JSON5Reader(text)
    return try Experiment(reader.read(), file: "f.json5")
  }

  /// The verdicts of the only world of an experiment, by strategy and text.
  private func verdicts(_ text: String) async throws -> [(String, String, ExpectationJudge.Verdict)]
  {
    let variant = try #require(try experiment(text).variants.first)
    let world = try await variant.worlds()[0].carriedOut(threads: 2)
    return world.results.flatMap { result in
      result.verdicts.map { (result.strategy.name, $0.expectation.text, $0.verdict) }
    }
  }

  @Test(arguments: [
    ("signOuts < naive", "naive", 1, simrun.Expectation.Comparison.Relation.less),
    (
      "signOuts per call <= 50% of single-flight+margin:60s", "single-flight+margin:60s", 0.5,
      .atMost
    ),
    ("signOuts by kill ≥ 2 of naive, three attempts", "naive, three attempts", 2, .atLeast),
    ("waitAdded p95 > naive", "naive", 1, .more),
  ])
  func `A name stands where a value could`(
    text: String, strategy: String, factor: Double,
    relation: simrun.Expectation.Comparison.Relation
  ) throws {
    let expectation = try simrun.Expectation(text)
    #expect(
      expectation.condition
        == .compares(.init(relation: relation, factor: factor, strategy: strategy)))
    #expect(expectation.reference == strategy)
  }

  @Test(arguments: [
    (
      "signOuts = naive",
      "has \"=\" before the name of a strategy, where <, <=, >, or >= should stand"
    ),
    ("signOuts < half of naive", "has \"half\" where a share such as 50% should stand"),
    (
      "signOuts < -1",
      "has \"-1\" where a number, a percentage, or the name of a strategy should stand"
    ),
  ])
  func `What is wrong with a comparison is said`(text: String, message: String) {
    #expect(throws: FieldProblem(message)) { try simrun.Expectation(text) }
  }

  /// Five calls with a token that has expired refresh five times where nobody shares, else once: four fewer per run.
  @Test func `Every run tells`() async throws {
    let found = try await verdicts(
      """
      { usage: { opens: "expired" }, network: "slow-4g", runs: 50, strategies: ["naive", "single-flight"],
        expect: ["refreshes < naive", "refreshes <= 20% of naive", "refreshes < 19% of naive",
          "refreshes per opening < naive", "refreshes per refresh < naive", "refreshes per month < naive",
          "openings <= naive", "openings < naive", "calls >= naive", "waitAdded max < 1000 of naive"] }
      """)
    // What compares with naive says nothing about naive itself.
    #expect(found.allSatisfy { $0.0 == "single-flight" })
    let kinds = Dictionary(uniqueKeysWithValues: found.map { ($0.1, $0.2.kind) })
    #expect(kinds["refreshes < naive"] == .pass)
    #expect(kinds["refreshes < 19% of naive"] != .pass)
    #expect(kinds["refreshes per opening < naive"] == .pass)
    #expect(kinds["openings <= naive"] == .pass)
    #expect(kinds["openings < naive"] == .inconclusive)
    #expect(kinds["calls >= naive"] == .pass)
    #expect(kinds["waitAdded max < 1000 of naive"] == .pass)
    let texts = Dictionary(uniqueKeysWithValues: found.map { ($0.1, $0.2.found) })
    #expect(
      texts["refreshes per refresh < naive"]
        == "nothing to measure it by: the strategies have 50 and 250 refreshes, so rates per refresh do not "
        + "compare run by run; compare per run")
    #expect(
      texts["refreshes per month < naive"]
        == "nothing to measure it by: usage.horizon is none, so a run has no length in months")
    #expect(
      try #require(texts["refreshes < naive"]).hasPrefix(
        "50 against 250 of naive; difference to it -4 per run"))
  }

  @Test func `A name that is no strategy is told with its place`() {
    #expect {
      try experiment("{ strategies: 'naive',\n expect: ['calls = 1', 'signOuts < nave'] }")
    } throws: { error in
      let message = (error as? Problems)?.list.first?.message ?? ""
      return message.hasPrefix(
        "f.json5:2:24: expect: \"signOuts < nave\": unknown strategy \"nave\";")
        && message.hasSuffix("Did you mean \"naive\"?")
    }
    #expect {
      try experiment("{ strategies: 'naive', expect: 'signOuts < naive' }")
    } throws: { error in
      (error as? Problems)?.list.map(\.message) == [
        "f.json5:1:32: expect: \"signOuts < naive\" compares naive with itself; name another strategy"
      ]
    }
  }

  @Test func `A strategy of the file may be the other side`() async throws {
    let found = try await verdicts(
      """
      { usage: { opens: "expired" }, network: "slow-4g", runs: 50,
        strategies: ["single-flight", { name: "our own", base: "naive" }],
        expect: ["refreshes < our own"] }
      """)
    #expect(found.map(\.0) == ["single-flight"])
    #expect(found.map(\.2.kind) == [.pass])
  }

  // MARK: Units and points

  @Test func `A user is a run of sessions and nothing else`() async throws {
    let opening = try await verdicts(
      "{ runs: 5, strategies: 'naive', expect: ['calls per user = 5 ± 1%', 'refreshes per refresh = 1 ± 1%'] }"
    )
    #expect(opening[0].2.kind == .fail)
    #expect(
      opening[0].2.found
        == "nothing to measure it by: only a run of sessions is the life of a user, and usage.kind is opening"
    )
    #expect(opening[1].2.kind == .fail)
    #expect(opening[1].2.found == "nothing to measure it by: no refresh reached the server")
    let sessions = try await verdicts(
      "{ usage: { preset: 'sessions', horizon: '1d' }, runs: 5, strategies: 'naive', expect: 'calls per user > 1' }"
    )
    #expect(sessions[0].2.kind == .pass)
  }

  @Test func `Points of a sweep are worlds with expectations of their own`() async throws {
    let variant = try #require(
      try experiment(
        """
        { over: "usage.callers=1,2,3", strategies: "naive", runs: 10,
          expect: ["calls > 9", "at usage.callers=2: calls = 20"] }
        """
      ).variants.first)
    let worlds = try variant.worlds()
    #expect(worlds.map(\.place) == ["usage.callers=1", "usage.callers=2", "usage.callers=3"])
    let second = try await worlds[1].carriedOut(threads: 1)
    #expect(second.results[0].verdicts.map(\.verdict.kind) == [.pass, .pass])
    let third = try await worlds[2].carriedOut(threads: 1)
    #expect(third.results[0].verdicts.map(\.expectation.text) == ["calls > 9"])
  }

  @Test(arguments: [
    ("usage.callers=7", "names usage.callers=7, which over does not go through; use 1, 2, or 3"),
    ("margin=5s", "names \"margin\", but over goes through usage.callers"),
  ])
  func `A point that is not there is told with its place`(point: String, clause: String) {
    #expect {
      try experiment(
        "{ over: 'usage.callers=1,2,3', strategies: 'naive', expect: 'at \(point): calls = 1' }")
    } throws: { error in
      (error as? Problems)?.list.map(\.message) == [
        "f.json5:1:61: expect: \"at \(point): calls = 1\" \(clause)"
      ]
    }
  }

  // MARK: Runs that would decide

  /// A rate of 1 % with a half-width of 0.2 % and a limit 0.1 % above: 1000 · ((1.95996 + 1.28155)/1.95996 · 2)².
  @Test func `The runs that would decide follow from the interval`() {
    let value = Reading(estimate: 0.01, low: 0.008, high: 0.012, text: "")
    let needed = RunsNeeded(runs: 1000, value, limit: 0.011)
    #expect(needed.count == 10942)
    #expect(needed.words == "about 11,000 runs would decide")
    let none = Reading(estimate: 0, low: 0, high: 0.004, text: "")
    #expect(RunsNeeded(runs: 1000, none, limit: 0.001).count == 4000)
    #expect(
      RunsNeeded(runs: 1000, value, limit: 0.01).words
        == "more runs than are feasible would decide")
  }
}
