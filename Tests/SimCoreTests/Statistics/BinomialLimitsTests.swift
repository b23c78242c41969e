import SimCore
import SimTestSupport
import Testing

struct BinomialLimitsTests {
  /// Reference values to eight digits, computed in high precision.
  @Test(
    arguments: [
      (0, 10, 0, 0.30849711), (1, 10, 0.00252858, 0.44501612), (5, 10, 0.18708603, 0.81291397),
      (97, 10_000, 0.0078728873, 0.0118205355), (0, 1_000_000, 0, 3.6888727e-6),
      (10_000, 10_000, 0.99963118, 1),
    ] as [(Int, Int, Double, Double)])
  func `The limits are those of Clopper and Pearson`(
    count: Int, runs: Int, low: Double, high: Double
  ) {
    let limits = BinomialLimits.limits(count, of: runs)
    #expect((limits.low - low).magnitude <= 5e-8 * max(low, 0.1))
    #expect((limits.high - high).magnitude <= 5e-8 * high)
  }

  /// The limit is where the tail of the binomial distribution has 2.5 %, summed term by term.
  @Test func `The tails beyond the limits have 2.5 %`() {
    let (low, high) = BinomialLimits.limits(3, of: 20)
    func tail(_ p: Double, _ counts: ClosedRange<Int>) -> Double {
      counts.reduce(0) { sum, k in
        var term = 1.0
        for i in 0..<k { term *= Double(20 - i) / Double(i + 1) * p }
        for _ in 0..<(20 - k) { term *= 1 - p }
        return sum + term
      }
    }
    #expect(isClose(tail(low, 3...20), 0.025, relative: 1e-9))
    #expect(isClose(tail(high, 0...3), 0.025, relative: 1e-9))
  }
}
