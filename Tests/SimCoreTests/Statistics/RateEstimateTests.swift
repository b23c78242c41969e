import SimCore
import SimTestSupport
import Testing

struct RateEstimateTests {
  /// Closed form, high precision.
  @Test(arguments: [
    (0, 10, 0.0, 0.27753280), (1, 10, 0.01787621, 0.40415003), (5, 10, 0.23659309, 0.76340691),
    (97, 10_000, 0.0079584814, 0.0118180674), (0, 1_000_000, 0, 3.8414441e-6),
    (10_000, 10_000, 0.99961600, 1),
  ])
  func `Wilson's interval has its published ends`(
    count: Int, runs: Int, low: Double, high: Double
  ) {
    let rate = RateEstimate.proportion(count, of: runs)
    #expect((rate.low - low).magnitude <= 5e-9)
    #expect(isClose(rate.high, high, relative: 2e-8))
  }

  /// Three runs of two calls each, with 0, 1, and 2 of them late: R = 1/2, residuals -1, 0, 1, so the variance
  /// is (1 + 0 + 1) · 3/2 / 36 = 1/12.
  @Test func `A ratio's error follows from its residuals over runs`() {
    let rate = RateEstimate.ratio(
      RatioSums(
        runs: 3, count: 3, units: 6, countSquared: 5, countTimesUnits: 6, unitsSquared: 12))
    #expect(rate.estimate == 0.5)
    #expect(isClose(rate.standardError, (1.0 / 12).squareRoot(), relative: 1e-14))
  }

  @Test func `A ratio that is the same in each run has no error`() {
    // 5 of 25 in each of a million runs.
    let rate = RateEstimate.ratio(
      RatioSums(
        runs: 1_000_000, count: 5_000_000, units: 25_000_000, countSquared: 25_000_000,
        countTimesUnits: 125_000_000, unitsSquared: 625_000_000))
    #expect(rate.standardError == 0)
    // None of a million runs differs, so at most 3.84 in a million would: 0.2 times that less, or 0.8 times more.
    #expect(isClose(rate.high - 0.2, 0.8 * 3.8414441e-6, relative: 1e-4))
    #expect(isClose(0.2 - rate.low, 0.2 * 3.8414441e-6, relative: 1e-4))
  }

  @Test func `Where nothing was counted the upper end is that of the runs`() {
    let rate = RateEstimate.ratio(
      RatioSums(
        runs: 10, count: 0, units: 50, countSquared: 0, countTimesUnits: 0, unitsSquared: 250))
    #expect(rate.low == 0)
    #expect(isClose(rate.high, 0.27753280, relative: 2e-8))
  }

  /// Of 300 runs ten had a unit; none of them counted anything, which is none in ten.
  @Test func `Runs without a unit do not count as evidence`() {
    let rate = RateEstimate.ratio(
      RatioSums(
        runs: 300, count: 0, units: 10, countSquared: 0, countTimesUnits: 0, unitsSquared: 10))
    #expect(isClose(rate.high, 0.27753280, relative: 2e-8))
  }

  /// A ratio of 0.1 with a standard error of 0.03 is known as well as from 0.1 · 0.9 / 0.0009 = 100 draws.
  @Test func `A ratio below one has the interval of a simple sample that is worth as much`() {
    // Ten runs of ten calls: with Σx² = 18 the residuals give 18 - 10 = 8, times 10/9, over 100².
    let rate = RateEstimate.ratio(
      RatioSums(
        runs: 10, count: 10, units: 100, countSquared: 18, countTimesUnits: 100, unitsSquared: 1000)
    )
    let worth = 0.09 / (rate.standardError * rate.standardError)
    #expect(isClose(worth, 0.09 / (8.0 * 10 / 9 / 10_000), relative: 1e-12))
    let wilson = RateEstimate.proportion(10, of: 100)
    #expect((rate.low - wilson.low).magnitude < 0.001)
    #expect((rate.high - wilson.high).magnitude < 0.001)
  }

  @Test func `One run alone tells little`() {
    let rate = RateEstimate.ratio(
      RatioSums(
        runs: 1, count: 4, units: 1, countSquared: 16, countTimesUnits: 4, unitsSquared: 1))
    #expect(rate.high - rate.low > 4)
  }

  /// The same counts in units that count up to five are a fifth as likely, on the same evidence.
  @Test func `A count of up to five has a fifth of the share's interval, five times`() {
    let sums = RatioSums(
      runs: 20, count: 17, units: 20, countSquared: 85, countTimesUnits: 17, unitsSquared: 20)
    let rate = RateEstimate.ratio(sums, most: 5)
    #expect(rate.estimate == 0.85)
    #expect(rate.high > 1.5)
    // Four runs of twenty, five each in three and two in one, are worth about 3.4 of 20: Wilson's low is 5 %.
    #expect(rate.low < 0.4 && rate.low > 0.2)
  }

  @Test func `The less one run counted, the more it might have`() {
    let highs = (0...5).map { count in
      RateEstimate.ratio(
        RatioSums(
          runs: 1, count: count, units: 5, countSquared: count * count,
          countTimesUnits: 5 * count, unitsSquared: 25)
      ).high
    }
    #expect(highs == highs.sorted())
    #expect(highs[5] == 1)
  }
}
