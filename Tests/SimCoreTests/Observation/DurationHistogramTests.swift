import SimCore
import Testing

struct DurationHistogramTests {
  private func histogram(_ values: [Int64]) -> DurationHistogram {
    var histogram = DurationHistogram()
    for value in values { histogram.add(value) }
    return histogram
  }

  /// Type 1 of Hyndman and Fan; small values have buckets of their own.
  @Test(arguments: [(500, 5), (900, 9), (950, 10), (990, 10), (1000, 10), (1, 1)])
  func `Quantiles of one to ten`(permille: Int, expected: Int64) {
    #expect(
      histogram(Array(1...10)).quantile(permille: permille) == .nanoseconds(expected))
  }

  @Test func `A rank that is a whole number is not rounded up`() {
    // 0.07 · 100 and 0.55 · 100 in floating point exceed 7 and 55.
    let values = histogram(Array(1...100))
    #expect(values.quantile(permille: 70) == .nanoseconds(7))
    #expect(values.quantile(permille: 550) == .nanoseconds(55))
  }

  @Test func `A quantile is within one part in 256`() {
    for exponent in 0..<62 {
      for factor in [1.0, 1.3, 1.9999] {
        let value = Int64(Double(Int64(1) << Int64(exponent)) * factor)
        var histogram = DurationHistogram()
        histogram.add(value)
        histogram.add(.max / 2)
        guard let quantile = histogram.quantile(permille: 500) else {
          Issue.record("no quantile")
          return
        }
        let (seconds, attoseconds) = quantile.components
        let found = Double(seconds) * 1e9 + Double(attoseconds) * 1e-9
        #expect((found - Double(value)).magnitude <= Double(value) / 256)
      }
    }
  }

  @Test func `Histograms add up`() {
    var first = histogram([1, 5, 900_000])
    first.merge(histogram([2, 7_000_000_000]))
    #expect(first == histogram([7_000_000_000, 900_000, 5, 2, 1]))
    #expect(first.maximum == .seconds(7))
    #expect(DurationHistogram().quantile(permille: 500) == nil)
  }
}
