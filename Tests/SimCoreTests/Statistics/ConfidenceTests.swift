import SimCore
import SimTestSupport
import Testing

/// Quantiles are those of a table of the normal distribution.
struct ConfidenceTests {
  @Test func `A chance of error has its quantile on either side`() {
    #expect(isClose(Confidence(error: 0.05).z, 1.959963984540054, relative: 1e-12))
    #expect(isClose(Confidence(error: 0.001).z, 3.2905267314918945, relative: 1e-12))
  }

  @Test func `Intervals that are to hold together share the chance of error`() {
    #expect(Confidence.usual.shared(by: 1) == .usual)
    #expect(isClose(Confidence.usual.shared(by: 50).z, 3.2905267314918945, relative: 1e-12))
  }

  /// The sum of 1/k² is π²/6; what is left behind the first 100,000 looks is 1/100,000 of it.
  @Test func `The errors of all looks together are those of one interval`() {
    let sum = (1...100_000).reduce(0) { $0 + Confidence.look($1).error }
    #expect(isClose(sum, 0.05 * (1 - 6 / (Double.pi * Double.pi) * 1e-5), relative: 1e-9))
  }

  /// A coin of 1 % is looked at as `--precision` does, to the end of 60,000 tosses: at some look the interval excludes the
  /// truth for at most 5 % of coins, where a plain interval does for far more.
  @Test func `Intervals at all looks hold together, which plain ones do not`() {
    let looks = [1000, 1500, 2250, 3375, 5062, 7593, 11389, 17083, 25624, 38436, 57654]
    var state: UInt64 = 7
    var (excluded, plainlyExcluded) = (0, 0)
    let coins = 300
    for _ in 0..<coins {
      var (count, tosses) = (0, 0)
      var (isExcluded, isPlainlyExcluded) = (false, false)
      for (index, look) in looks.enumerated() {
        while tosses < look {
          // Knuth's linear congruential generator, of which the upper bits are good.
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          if Double(state >> 11) * 0x1p-53 < 0.01 { count += 1 }
          tosses += 1
        }
        let rate = RateEstimate.proportion(count, of: look, .look(index + 1))
        let plain = RateEstimate.proportion(count, of: look)
        if rate.low > 0.01 || rate.high < 0.01 { isExcluded = true }
        if plain.low > 0.01 || plain.high < 0.01 { isPlainlyExcluded = true }
      }
      if isExcluded { excluded += 1 }
      if isPlainlyExcluded { plainlyExcluded += 1 }
    }
    // The chance that more than 25 of 300 are excluded at 5 % is 0.5 %.
    #expect(excluded <= 25)
    #expect(plainlyExcluded > 45)
  }
}
