/// A continuous quantile function made fast to evaluate: cubics where they are good enough, itself elsewhere.
///
/// Inversion needs one random number per draw and keeps draws comparable across scenarios, but a logarithm
/// and an exponential for each is what a simulation then spends most of its time on. So the unit interval is
/// cut into 512 cells, with a cubic through four points of each. Where the cubic is off by more than a part
/// in two million, as in the tails, the function itself is evaluated.
struct QuantileTable: Sendable {
  private let quantile: @Sendable (Double) -> Double
  /// Four coefficients per cell, lowest power first; the first is NaN where the cubic is not good enough.
  private let coefficients: [Double]

  private static let bits: UInt64 = 9
  private static let cells = 1 << 9
  private static let tolerance = 5e-7

  /// A table of nothing.
  init() {
    quantile = { _ in 0 }
    coefficients = []
  }

  /// A table of the quantile function of a distribution of positive numbers.
  init(_ quantile: @escaping @Sendable (Double) -> Double) {
    self.quantile = quantile
    coefficients = (0..<Self.cells).flatMap { cell in
      func value(_ t: Double) -> Double { quantile((Double(cell) + t) / Double(Self.cells)) }
      let cubic = Self.cubic(value(0), value(1.0 / 3), value(2.0 / 3), value(1))
      // Where a cubic through these four points is farthest from a smooth function.
      let isGood = [0.1273, 0.8727].allSatisfy { t in
        (Self.evaluate(cubic, at: t) - value(t)).magnitude <= Self.tolerance * value(t)
      }
      return isGood ? cubic : [.nan, 0, 0, 0]
    }
  }

  /// The cubic with these values at 0, 1/3, 2/3, and 1.
  private static func cubic(_ y0: Double, _ y1: Double, _ y2: Double, _ y3: Double) -> [Double] {
    let d1 = y1 - y0
    let d2 = y2 - 2 * y1 + y0
    let d3 = y3 - 3 * y2 + 3 * y1 - y0
    // Newton's forward differences in s = 3t: y0 + s d1 + s(s-1)/2 d2 + s(s-1)(s-2)/6 d3.
    return [y0, 3 * d1 - 1.5 * d2 + d3, 4.5 * (d2 - d3), 4.5 * d3]
  }

  private static func evaluate(_ cubic: [Double], at t: Double) -> Double {
    cubic[0] + t * cubic[1] + t * t * (cubic[2] + t * cubic[3])
  }

  /// The quantile at a probability given by 64 random bits.
  @inline(__always)
  func value(at bits: UInt64) -> Double {
    let base = 4 * Int(bits >> (64 - Self.bits))
    let t = Double((bits << Self.bits) >> 12) * 0x1p-52
    let low = coefficients[base] + t * coefficients[base + 1]
    let value = low + t * t * (coefficients[base + 2] + t * coefficients[base + 3])
    return value.isNaN ? quantile((Double(bits >> 12) + 0.5) * 0x1p-52) : value
  }
}
