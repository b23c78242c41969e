/// The project's own elementary functions, equal to the last bit on every platform.
///
/// C libraries differ in the last bit of `log` and `exp`, so a seed would mean different runs on
/// different machines. These use only operations that IEEE 754 rounds exactly. Each is within the
/// stated error of the true value; the tests compare with 60-digit arithmetic.
package enum ElementaryFunctions {
  private static let ln2High = 0x1.62e42feep-1  // 32 bits of ln 2: an exponent times it is exact
  private static let ln2Low = 0x1.a39ef35793c76p-33

  /// The natural logarithm, within 1 ulp.
  ///
  /// Minus infinity at 0, NaN below.
  package static func log(_ x: Double) -> Double {
    guard x > 0 else { return x == 0 ? -.infinity : .nan }
    guard x < .infinity else { return x }
    let isSubnormal = x < .leastNormalMagnitude
    let bits = (isSubnormal ? x * 0x1p54 : x).bitPattern
    var exponent = Int(bits >> 52) - 1023 - (isSubnormal ? 54 : 0)
    var mantissa = Double(bitPattern: (bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000)
    if mantissa > 0x1.6a09e667f3bcdp0 {
      mantissa *= 0.5
      exponent += 1
    }
    // ln(1 + f) = 2 artanh s with s = f / (2 + f); written so that f itself enters exactly.
    let f = mantissa - 1
    let s = f / (2 + f)
    let z = s * s
    let w = z * z
    let even = 2.0 / 5 + w * (2.0 / 9 + w * (2.0 / 13 + w * (2.0 / 17 + w * (2.0 / 21))))
    let odd = 2.0 / 3 + w * (2.0 / 7 + w * (2.0 / 11 + w * (2.0 / 15 + w * (2.0 / 19))))
    let series = z * odd + w * even
    let halfSquare = 0.5 * f * f
    let k = Double(exponent)
    return k * ln2High - ((halfSquare - (s * (halfSquare + series) + k * ln2Low)) - f)
  }

  /// The exponential, within 1 ulp; subnormal results within 1 ulp of theirs.
  package static func exp(_ x: Double) -> Double {
    guard x > -745.2 else { return x.isNaN ? x : 0 }
    guard x < 709.8 else { return x.isNaN ? x : .infinity }
    let scaled = x * 0x1.71547652b82fep0
    let k = Int(scaled + (scaled < 0 ? -0.5 : 0.5))
    let high = x - Double(k) * ln2High
    let low = Double(k) * ln2Low
    let r = high - low
    // exp r = 1 + r + r² q(r), q by its Taylor series for |r| ≤ ln 2 / 2, summed in pairs for speed.
    let r2 = r * r
    let r4 = r2 * r2
    let a = 1.0 / 2 + r * (1.0 / 6) + r2 * (1.0 / 24 + r * (1.0 / 120))
    let b = 1.0 / 720 + r * (1.0 / 5040) + r2 * (1.0 / 40_320 + r * (1.0 / 362_880))
    let c =
      1.0 / 3_628_800 + r * (1.0 / 39_916_800)
      + r2 * (1.0 / 479_001_600 + r * (1.0 / 6_227_020_800))
    let y = 1 + (high + (r2 * (a + r4 * (b + r4 * c)) - low))
    if k > -1022 && k < 1024 {
      return y * Double(bitPattern: UInt64(bitPattern: Int64(k + 1023)) << 52)
    }
    let half = k / 2
    return y * power(half) * power(k - half)
  }

  /// Two to the power of `exponent`, from -1022 to 1023.
  private static func power(_ exponent: Int) -> Double {
    Double(bitPattern: UInt64(bitPattern: Int64(exponent + 1023)) << 52)
  }

  /// The quantile of the standard normal distribution, with a relative error below 1e-15.
  ///
  /// Algorithm AS 241 (M. J. Wichura, Applied Statistics 37, 1988), routine PPND16.
  ///
  /// - Parameter p: a probability.
  /// - Returns: the quantile; infinite at 0 and 1, NaN outside.
  package static func normalQuantile(_ p: Double) -> Double {
    let q = p - 0.5
    if q.magnitude <= 0.425 {
      let r = 0.180625 - q * q
      return q * centralRatio(r)
    }
    guard p > 0, p < 1 else {
      return p == 0 ? -.infinity : p == 1 ? .infinity : .nan
    }
    let r = (-log(q < 0 ? p : 1 - p)).squareRoot()
    let tail = r <= 5 ? nearTailRatio(r - 1.6) : farTailRatio(r - 5)
    return q < 0 ? -tail : tail
  }

  private static func centralRatio(_ r: Double) -> Double {
    let numerator =
      ((((((2.5090809287301226727e+3 * r + 3.3430575583588128105e+4) * r
        + 6.7265770927008700853e+4) * r + 4.5921953931549871457e+4) * r
        + 1.3731693765509461125e+4) * r + 1.9715909503065514427e+3) * r
        + 1.3314166789178437745e+2) * r + 3.3871328727963666080
    let denominator =
      ((((((5.2264952788528545610e+3 * r + 2.8729085735721942674e+4) * r
        + 3.9307895800092710610e+4) * r + 2.1213794301586595867e+4) * r
        + 5.3941960214247511077e+3) * r + 6.8718700749205790830e+2) * r
        + 4.2313330701600911252e+1) * r + 1
    return numerator / denominator
  }

  private static func nearTailRatio(_ r: Double) -> Double {
    let numerator =
      ((((((7.74545014278341407640e-4 * r + 2.27238449892691845833e-2) * r
        + 2.41780725177450611770e-1) * r + 1.27045825245236838258) * r
        + 3.64784832476320460504) * r + 5.76949722146069140550) * r
        + 4.63033784615654529590) * r + 1.42343711074968357734
    let denominator =
      ((((((1.05075007164441684324e-9 * r + 5.47593808499534494600e-4) * r
        + 1.51986665636164571966e-2) * r + 1.48103976427480074590e-1) * r
        + 6.89767334985100004550e-1) * r + 1.67638483018380384940) * r
        + 2.05319162663775882187) * r + 1
    return numerator / denominator
  }

  private static func farTailRatio(_ r: Double) -> Double {
    let numerator =
      ((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r
        + 1.24266094738807843860e-3) * r + 2.65321895265761230930e-2) * r
        + 2.96560571828504891230e-1) * r + 1.78482653991729133580) * r
        + 5.46378491116411436990) * r + 6.65790464350110377720
    let denominator =
      ((((((2.04426310338993978564e-15 * r + 1.42151175831644588870e-7) * r
        + 1.84631831751005468180e-5) * r + 7.86869131145613259100e-4) * r
        + 1.48753612908506148525e-2) * r + 1.36929880922735805310e-1) * r
        + 5.99832206555887937690e-1) * r + 1
    return numerator / denominator
  }

  /// The density of the standard normal distribution.
  package static func normalDensity(_ z: Double) -> Double {
    0.39894228040143267794 * exp(-0.5 * z * z)
  }

  /// The distribution function of the standard normal, with a relative error below 1e-13 for z > -37.
  ///
  /// A power series in the middle, the continued fraction of the tail beyond 2.5.
  package static func normalDistribution(_ z: Double) -> Double {
    if z.magnitude < 2.5 {
      var term = z
      var sum = z
      var odd = 1.0
      while sum + term != sum {
        odd += 2
        term *= z * z / odd
        sum += term
      }
      return 0.5 + normalDensity(z) * sum
    }
    let x = z.magnitude
    guard x < 39 else { return z < 0 ? 0 : 1 }
    var fraction = x
    var n = (40 + 500 / (x * x)).rounded(.down)
    while n > 0 {
      fraction = x + n / fraction
      n -= 1
    }
    let tail = normalDensity(x) / fraction
    return z < 0 ? tail : 1 - tail
  }
}
