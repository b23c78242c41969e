import SimCore
import SimTestSupport
import Testing

struct VerdictTests {
  private func verdict(_ estimate: Double, error: Double, runs: Int = 100_000) -> Verdict {
    Verdict(
      measured: RateEstimate(
        estimate: estimate, low: estimate - 1.96 * error, high: estimate + 1.96 * error,
        standardError: error), predicted: 0.01, runs: runs, predictedError: 0,
      expectedEvents: 1000)
  }

  /// Two one-sided tests at 5 %: the 90 % interval, ±1.645 errors, must lie within 0.0095 to 0.0105.
  @Test func `Agreement needs the 90 % interval within five per cent`() {
    #expect(verdict(0.01, error: 0.000_303) == .agrees)
    #expect(verdict(0.0102, error: 0.000_182) == .agrees)
    #expect(verdict(0.0102, error: 0.000_183) != .agrees)
  }

  /// The 99.9 % interval is ±3.29 errors.
  @Test func `A difference needs the 99.9 % interval beside the prediction`() {
    #expect(verdict(0.0134, error: 0.001) == .differs)
    guard case .inconclusive = verdict(0.0132, error: 0.001) else {
      Issue.record("not inconclusive")
      return
    }
  }

  @Test func `Agreement wins over a difference that is too small to matter`() {
    #expect(verdict(0.0101, error: 0.000_01) == .agrees)
  }

  /// Closed form: (1.6449 + 1.6449)² (1 - p) / (p · 0.05²) openings of one call at p = 0.0099734.
  @Test func `The runs needed give a true agreement a chance of nine in ten`() {
    let p = 0.009973406
    let runs = 10_000
    let error = (p * (1 - p) / Double(runs)).squareRoot()
    let verdict = Verdict(
      measured: RateEstimate(estimate: p, low: 0, high: 1, standardError: error), predicted: p,
      runs: runs, predictedError: 0, expectedEvents: 100)
    guard case .inconclusive(let needed) = verdict else {
      Issue.record("not inconclusive")
      return
    }
    // The published 429,737 takes the quantile to four decimals.
    #expect(isClose(Double(needed), 429_737, relative: 1e-4))
  }

  /// Where little was seen, the error that the prediction implies counts, and a skewed tail is allowed for.
  @Test func `Nothing seen where little was expected is no difference`() {
    let nothing = RateEstimate(estimate: 0, low: 0, high: 0.01, standardError: 0)
    let verdict = Verdict(
      measured: nothing, predicted: 0.01, runs: 60, predictedError: 0.009, expectedEvents: 1.1)
    #expect(verdict != .differs)
    let plenty = Verdict(
      measured: nothing, predicted: 0.01, runs: 60_000, predictedError: 0.0003,
      expectedEvents: 1100)
    #expect(plenty == .differs)
  }
}
