import SimCore
import SimTestSupport
import Testing

struct PairedTotalsTests {
  private func tallier(signedOut: Bool) -> Tallier {
    var tallier = Tallier()
    if signedOut { tallier.observe(.signedOut(.rejected, needlessly: false), at: .zero) }
    return tallier
  }

  /// Ten thousand runs, both lost in 72, only the first in 25, only the second in 9: closed forms.
  @Test func `Differences on the same worlds have their published error`() throws {
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
    let difference = try #require(pairs.difference(.signOuts, first, second))
    #expect(isClose(difference.estimate, -0.0016, relative: 1e-12))
    // With n - 1 in place of n the published error 0.000582875630 grows by one part in 20,000.
    #expect(
      isClose(difference.high - difference.low, 2 * 1.95996398 * 0.000582875630, relative: 1e-4))
    #expect(isClose(difference.low, -0.00274242, relative: 1e-4))
    #expect(difference.onlyFirst == 25)
    #expect(difference.onlySecond == 9)
    #expect(isClose(try #require(difference.varianceReduction), 5.19223, relative: 2e-4))
  }
}
