import SimTestSupport
import Testing

@testable import SimCore

/// Sums of weighed runs, against what a pocket calculator gives.
struct RareEventTotalsTests {
  private func tally(_ signOuts: Int, by cause: SignOutCause) -> RunTally {
    var tally = RunTally()
    for _ in 0..<signOuts {
      tally.count(.signOuts)
      tally.count(cause)
    }
    return tally
  }

  /// Runs that give a quarter twice, one, and nothing, so often.
  private func totals(times: Int) -> RareEventTotals {
    var totals = RareEventTotals()
    for _ in 0..<times {
      for (share, inside, outside) in [(0.25, 1, 0), (0.25, 1, 0), (0, 0, 1), (0.5, 0, 0)] {
        let weight = RareEventTotals.Weight(share)
        totals.add(
          weight.isZero
            ? nil
            : RareEventTotals.Branch(
              weight: weight, tally: tally(inside, by: .suspension), events: 10),
          RareEventTotals.Branch(
            weight: weight.rest, tally: tally(outside, by: .lostAnswer), events: 20))
      }
    }
    return totals
  }

  /// The mean of 0.25, 0.25, 1, and 0 is 0.375; (Σx)²/Σx² is 1.5²/1.125.
  @Test func `Weighed sign-outs have a mean and an effective number`() {
    let totals = totals(times: 1)
    #expect(totals.runs == 4)
    #expect(totals.mean == 0.375)
    #expect(totals.danger == 0.25)
    #expect(totals.effectiveSignOuts == 2)
    #expect(isClose(totals.standardError, (0.1875 / 4).squareRoot(), relative: 1e-12))
    #expect(isClose(totals.shareOutside ?? 0, 2.0 / 3, relative: 1e-12))
    #expect(isClose(totals.share(of: .suspension) ?? 0, 1.0 / 3, relative: 1e-12))
  }

  @Test func `Fewer than 30 effective sign-outs have no interval and no gain`() {
    let few = totals(times: 14)
    #expect(few.effectiveSignOuts == 28)
    #expect(few.rate == nil)
    #expect(few.gain == nil)
    #expect(totals(times: 15).rate != nil)
  }

  /// Plain runs would have a variance of 0.375 · 0.625, these of (20 · 1.125 - 80 · 0.375²)/79.
  @Test func `The gain is how much the variance is divided by`() throws {
    let totals = totals(times: 20)
    let gain = try #require(totals.gain)
    #expect(isClose(gain, 0.234375 / (11.25 / 79), relative: 1e-12))
    let toATenth = try #require(totals.runsToATenth)
    #expect(isClose(toATenth, 11.25 / 79 / (0.375 * 0.375 * 0.01), relative: 1e-12))
  }

  @Test func `Parts add up to the whole, and no runs are nothing`() {
    var sum = totals(times: 7)
    sum.merge(totals(times: 13))
    let whole = totals(times: 20)
    #expect(sum.runs == whole.runs)
    #expect(sum.mean == whole.mean)
    #expect(sum.standardError == whole.standardError)
    let none = RareEventTotals()
    #expect(none.mean == 0)
    #expect(none.standardError == 0)
    #expect(none.rate == nil)
    #expect(none.shareOutside == nil)
    #expect(none.runsToATenth == nil)
  }

  /// One weight of a billionth, 10,000 times: units of 2⁻⁵⁶ and 2⁻⁸⁰ hold it to six digits.
  @Test func `Tiny weights are kept`() {
    var totals = RareEventTotals()
    let weight = RareEventTotals.Weight(1e-9)
    for _ in 0..<10_000 {
      totals.add(
        RareEventTotals.Branch(weight: weight, tally: tally(1, by: .suspension), events: 1), nil)
    }
    #expect(isClose(totals.mean, 1e-9, relative: 1e-6))
    #expect(isClose(totals.effectiveSignOuts, 10_000, relative: 1e-5))
    #expect(totals.standardError == 0)
  }
}
