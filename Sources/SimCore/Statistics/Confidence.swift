/// How sure an interval is of holding the truth.
public struct Confidence: Hashable, Sendable, Codable {
  /// The probability that it does not, on either side together; 0.05 for 95 %.
  public let error: Double
  /// The quantile of the normal distribution that leaves half of ``error`` above it.
  package let z: Double

  /// Of a single 95 % interval.
  public static let usual = Confidence(error: 0.05, z: 1.95996398454005424)

  private init(error: Double, z: Double) {
    self.error = error
    self.z = z
  }

  /// An interval that misses the truth with this probability, above 0 and below 1.
  public init(error: Double) {
    self.init(error: error, z: -ElementaryFunctions.normalQuantile(error / 2))
  }

  /// Of each of several intervals that are to hold together as surely as this one by itself (Bonferroni).
  ///
  /// - Parameter comparisons: how many there are, at least one.
  /// - Returns: the confidence of each.
  public func shared(by comparisons: Int) -> Confidence {
    comparisons == 1 ? self : Confidence(error: error / Double(comparisons))
  }

  /// Of the interval at one of a series of looks without an end, all of which hold together with 95 %.
  ///
  /// The errors 0.05 · 6/π² · 1/k² add up to 0.05, so that stopping at a look that one likes does no harm. Looks at
  /// growing numbers of runs need intervals about 1.8 times as wide as a single one.
  ///
  /// - Parameter number: which look it is, from 1.
  /// - Returns: its confidence.
  public static func look(_ number: Int) -> Confidence {
    let share = 6 / (Double.pi * Double.pi * Double(number) * Double(number))
    return Confidence(error: usual.error * share)
  }
}
