/// The exact limits of Clopper and Pearson for a probability of which `count` of `runs` trials tell.
///
/// They cover the truth with at least 95 % whatever it is, and so stand where a limit is asserted; Wilson's, which
/// cover it with 95 % on average, stand where a rate is shown.
public enum BinomialLimits {
  /// The lower and upper limit, to about ten digits.
  ///
  /// - Parameters:
  ///   - count: the trials that told yes.
  ///   - runs: all trials, at least one.
  ///   - confidence: that of the interval.
  /// - Returns: the limits; 0 and 1 where the count is none or all.
  public static func limits(
    _ count: Int, of runs: Int, _ confidence: Confidence = .usual
  ) -> (low: Double, high: Double) {
    let k = Double(count)
    let n = Double(runs)
    let low = count == 0 ? 0 : quantile(confidence.error / 2, k, n - k + 1)
    let high = count == runs ? 1 : quantile(1 - confidence.error / 2, k + 1, n - k)
    return (low, high)
  }

  /// Where the beta distribution with these parameters has this much below it, by bisection.
  private static func quantile(_ probability: Double, _ a: Double, _ b: Double) -> Double {
    var low = 0.0
    var high = 1.0
    while high - low > 1e-13 * high, high > 1e-300 {
      let middle = 0.5 * (low + high)
      if share(below: middle, a, b) < probability { low = middle } else { high = middle }
      if middle == low && middle == high { break }
    }
    return 0.5 * (low + high)
  }

  /// The regularised incomplete beta function, by its continued fraction (Lentz's method).
  static func share(below x: Double, _ a: Double, _ b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    // The fraction converges quickly on this side of the mean only.
    if x > (a + 1) / (a + b + 2) { return 1 - share(below: 1 - x, b, a) }
    let logFront =
      logGamma(a + b) - logGamma(a) - logGamma(b) + a * ElementaryFunctions.log(x)
      + b * ElementaryFunctions.log(1 - x)
    return ElementaryFunctions.exp(logFront) * fraction(x, a, b) / a
  }

  private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let tiny = 1e-300
    var c = 1.0
    var d = 1 / nonzero(1 - (a + b) * x / (a + 1), tiny)
    var result = d
    for step in 1...100_000 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / nonzero(1 + even * d, tiny)
      c = nonzero(1 + even / c, tiny)
      result *= d * c
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / nonzero(1 + odd * d, tiny)
      c = nonzero(1 + odd / c, tiny)
      let factor = d * c
      result *= factor
      if (factor - 1).magnitude < 1e-15 { break }
    }
    return result
  }

  private static func nonzero(_ value: Double, _ tiny: Double) -> Double {
    value.magnitude < tiny ? tiny : value
  }

  /// The logarithm of the gamma function, by Stirling's series above ten.
  private static func logGamma(_ x: Double) -> Double {
    var shift = 0.0
    var y = x
    while y < 10 {
      shift += ElementaryFunctions.log(y)
      y += 1
    }
    let inverse = 1 / y
    let square = inverse * inverse
    let series =
      inverse
      * (1.0 / 12 - square
        * (1.0 / 360 - square * (1.0 / 1260 - square * (1.0 / 1680 - square / 1188))))
    return (y - 0.5) * ElementaryFunctions.log(y) - y + 0.91893853320467274178 + series - shift
  }
}
