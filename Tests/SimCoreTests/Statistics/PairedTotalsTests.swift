import SimCore
import SimTestSupport
import Testing

struct PairedTotalsTests {
  private func tallier(signedOut: Bool) -> Tallier {
    var tallier = Tallier()
    if signedOut { tallier.observe(.signedOut(.rejected, needlessly: false), at: .zero) }
    return tallier
  }

  /// Ten thousand runs, both lost in 72, only the first in 25, only the second in 9.
  private func published() -> (pairs: PairedTotals, first: Totals, second: Totals) {
    let outcomes =
      [(true, true, 72), (true, false, 25), (false, true, 9), (false, false, 9894)]
    var pairs = PairedTotals()
    var first = Totals()
    var second = Totals()
    var run: UInt64 = 0
    for (a, b, count) in outcomes {
      for _ in 0..<count {
        let one = tallier(signedOut: a)
        let other = tallier(signedOut: b)
        pairs.add(one.tally, other.tally)
        first.add(one.tally, Fingerprint(), run: run, events: 0, violation: nil)
        second.add(other.tally, Fingerprint(), run: run, events: 0, violation: nil)
        run += 1
      }
    }
    return (pairs, first, second)
  }

  /// The half of an interval with a standard error, and room for z² = 3.8414588 runs that differ.
  private func half(_ error: Double, runs: Double) -> Double {
    let (spread, room) = (1.95996398 * error, 3.8414588 / runs)
    return (spread * spread + room * room).squareRoot()
  }

  /// Closed forms.
  @Test func `Differences on the same worlds have their published error`() throws {
    let (pairs, first, second) = published()
    let difference = try #require(pairs.difference(.signOuts, first, second))
    #expect(isClose(difference.estimate, -0.0016, relative: 1e-12))
    // With n - 1 in place of n the published error 0.000582875630 grows by one part in 20,000.
    #expect(
      isClose(
        difference.high - difference.low, 2 * half(0.000582875630, runs: 10_000), relative: 1e-4))
    // Wald's limit is -0.00274242, and Tango's score -0.00287820.
    #expect(isClose(difference.low, -0.00280528, relative: 1e-4))
    #expect(difference.onlyFirst == 25)
    #expect(difference.onlySecond == 9)
    #expect(isClose(try #require(difference.varianceReduction), 5.19223, relative: 2e-4))
  }

  /// b - a/2 is 1/2 in 72 runs, -1/2 in 25, and 1 in 9: the sum is 32.5 and that of the squares 33.25.
  @Test func `A difference to half of the other has its error from the same sums`() throws {
    let (pairs, first, second) = published()
    let difference = try #require(pairs.difference(.signOuts, first, second, timesFirst: 0.5))
    #expect(isClose(difference.estimate, 0.00325, relative: 1e-12))
    #expect(
      isClose(
        difference.high - difference.low, 2 * half(0.000575740303, runs: 10_000), relative: 1e-7))
    let isNothing = pairs.isNothing(.signOuts)
    #expect(!isNothing)
    let isNothingElse = pairs.isNothing(.refreshes)
    #expect(isNothingElse)
  }

  /// One and the same client against itself times f: (1 - f) a, whose error is |1 - f| that of a.
  @Test func `A client against a part of itself`() throws {
    var pairs = PairedTotals()
    var totals = Totals()
    for run in 0..<100 {
      let one = tallier(signedOut: run < 20)
      pairs.add(one.tally, one.tally)
      totals.add(one.tally, Fingerprint(), run: UInt64(run), events: 0, violation: nil)
    }
    let difference = try #require(
      pairs.difference(.signOuts, totals, totals, timesFirst: 0.5))
    #expect(isClose(difference.estimate, 0.1, relative: 1e-12))
    // Var a = 100/99 · 0.2 · 0.8.
    let error = 0.5 * (100.0 / 99 * 0.16 / 100).squareRoot()
    #expect(isClose(difference.high - 0.1, half(error, runs: 100), relative: 1e-7))
  }

  /// The sign test finds seven to none at 1.6 %, six at 3.1 %, and five at 6.3 %.
  @Test(arguments: [(7, true), (4, false)])
  func `Few runs that all differ one way tell little`(count: Int, tells: Bool) throws {
    var pairs = PairedTotals()
    var (first, second) = (Totals(), Totals())
    for run in 0..<1000 {
      let one = tallier(signedOut: run < count)
      let other = tallier(signedOut: false)
      pairs.add(one.tally, other.tally)
      first.add(one.tally, Fingerprint(), run: UInt64(run), events: 0, violation: nil)
      second.add(other.tally, Fingerprint(), run: UInt64(run), events: 0, violation: nil)
    }
    let difference = try #require(pairs.difference(.signOuts, first, second))
    #expect((difference.high < 0) == tells)
  }
}
