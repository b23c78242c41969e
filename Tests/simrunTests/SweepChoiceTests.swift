import SimCore
import Testing

@testable import simrun

/// Choices among values whose intervals were made by hand.
struct SweepChoiceTests {
  private let limit = simrun.Expectation.Condition.below(0.01, orEqual: false)

  private func candidate(
    _ value: String, _ low: Double, _ estimate: Double, _ high: Double, cost: Double = 0,
    _ condition: simrun.Expectation.Condition = .below(0.01, orEqual: false)
  ) -> SweepChoice.Candidate {
    let reading = Reading(estimate: estimate, low: low, high: high, text: "\(estimate)")
    return SweepChoice.Candidate(
      value: value, reading: reading, verdict: ExpectationJudge.kind(condition, reading),
      cost: cost)
  }

  private func decide(
    _ candidates: [SweepChoice.Candidate], _ condition: simrun.Expectation.Condition? = nil
  ) -> SweepChoice.Outcome {
    SweepChoice.decide(
      candidates, condition ?? limit, runs: candidates.map { _ in 10_000 }, .usual)
  }

  @Test func `The first in order is chosen where values cost the same`() {
    let outcome = decide([
      candidate("a", 0.02, 0.03, 0.04), candidate("b", 0.001, 0.002, 0.009),
      candidate("c", 0, 0, 0.001),
    ])
    #expect(outcome == .chosen(1))
  }

  @Test func `The cheapest is chosen, wherever it stands`() {
    let outcome = decide([
      candidate("60s", 0, 0, 0.001, cost: 0.2), candidate("30s", 0, 0, 0.001, cost: 0.1),
      candidate("0s", 0.02, 0.03, 0.04, cost: 0),
    ])
    #expect(outcome == .chosen(1))
  }

  @Test func `What lasts for ever is dearest`() {
    let outcome = decide([
      candidate("unlimited", 0, 0, 0.001, cost: .infinity),
      candidate("1h", 0, 0, 0.001, cost: 3600),
    ])
    #expect(outcome == .chosen(1))
  }

  @Test func `A value is chosen only if its whole interval meets the target`() {
    let open = candidate("a", 0.004, 0.008, 0.012)
    #expect(decide([open, candidate("b", 0, 0.001, 0.0099)]) == .chosen(1))
    #expect(decide([open, candidate("b", 0, 0.001, 0.01)]) != .chosen(1))
  }

  @Test func `The best is named if none will do`() {
    let outcome = decide([
      candidate("a", 0.05, 0.06, 0.07), candidate("b", 0.02, 0.03, 0.04),
      candidate("c", 0.03, 0.04, 0.05),
    ])
    #expect(outcome == .none(best: 1))
  }

  @Test func `A lower limit looks for the greatest`() {
    let above = simrun.Expectation.Condition.above(0.5, orEqual: true)
    let candidates = [
      candidate("a", 0.1, 0.2, 0.3, above), candidate("b", 0.3, 0.4, 0.45, above),
    ]
    #expect(decide(candidates, above) == .none(best: 1))
  }

  /// The upper limit of what was never seen shrinks with the number of runs: from 0.02 to 0.01 with twice as many.
  @Test func `What is undecided says how many runs would tell`() {
    let outcome = decide([candidate("a", 0.05, 0.06, 0.07), candidate("b", 0, 0, 0.02)])
    #expect(outcome == .undecided(1, RunsNeeded(20_000)))
  }

  @Test func `An estimate at the limit is beyond any number of runs`() {
    let outcome = decide([candidate("a", 0.005, 0.01, 0.02)])
    #expect(outcome == .undecided(0, RunsNeeded(.max)))
  }

  @Test func `Without data there is nothing to choose`() {
    let empty = SweepChoice.Candidate(value: "a", reading: nil, verdict: nil, cost: 0)
    #expect(decide([empty, empty]) == .unmeasured)
    #expect(decide([empty, candidate("b", 0, 0, 0.001)]) == .chosen(1))
  }
}
