/// A rate with a confidence interval.
public struct RateEstimate: Equatable, Sendable {
  /// The count divided by the units.
  public let estimate: Double
  /// The lower end of the interval, of 95 % unless said otherwise.
  public let low: Double
  /// The upper end of the interval.
  public let high: Double
  /// The standard error of the estimate over runs.
  public let standardError: Double

  package init(estimate: Double, low: Double, high: Double, standardError: Double) {
    self.estimate = estimate
    self.low = low
    self.high = high
    self.standardError = standardError
  }

  /// The share of runs in which something happened, with Wilson's interval.
  ///
  /// - Parameters:
  ///   - count: the runs in which it happened.
  ///   - runs: all runs, at least one.
  ///   - confidence: that of the interval.
  /// - Returns: the share.
  package static func proportion(
    _ count: Int, of runs: Int, _ confidence: Confidence = .usual
  ) -> RateEstimate {
    let n = Double(runs)
    let p = Double(count) / n
    let (low, high) = wilson(p, n, confidence.z)
    return RateEstimate(
      estimate: p, low: count == 0 ? 0 : low, high: count == runs ? 1 : high,
      standardError: (p * (1 - p) / n).squareRoot())
  }

  private static func wilson(
    _ p: Double, _ n: Double, _ z: Double
  ) -> (low: Double, high: Double) {
    let centre = p + z * z / (2 * n)
    let half = z * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    let scale = 1 + z * z / n
    return ((centre - half) / scale, (centre + half) / scale)
  }

  /// A ratio of sums over runs, with the interval that follows from its linearisation.
  ///
  /// Runs are the independent units; what happens within one is not independent. A ratio below the most that
  /// a unit counts gets Wilson's interval for the share of that most, for the size of a simple sample that
  /// would know it as well; that holds where few runs counted anything.
  ///
  /// - Parameters:
  ///   - sums: the sums over runs.
  ///   - most: the most that one unit usually counts.
  ///   - confidence: that of the interval.
  /// - Returns: the ratio.
  package static func ratio(
    _ sums: RatioSums, most: Double = 1, _ confidence: Confidence = .usual
  ) -> RateEstimate {
    let ratio = Double(sums.count) / Double(sums.units)
    guard sums.count != 0 else { return nothing(sums, most: most, confidence) }
    return mean(
      ratio, error: linearisedError(sums, ratio), runs: sums.runs, most: most, confidence)
  }

  /// A mean over runs that is above zero, with the interval that follows from its standard error.
  ///
  /// - Parameters:
  ///   - ratio: the mean.
  ///   - error: its standard error, 0 where all runs gave the same.
  ///   - runs: how many there are.
  ///   - most: the most that one unit usually counts.
  ///   - confidence: that of the interval.
  /// - Returns: the mean.
  static func mean(
    _ ratio: Double, error: Double, runs: Int, most: Double = 1, _ confidence: Confidence = .usual
  ) -> RateEstimate {
    let half = confidence.z * error
    if error == 0 {
      // Runs that all gave the same tell no variance, but few of them could give something else.
      let doubt = proportion(0, of: runs, confidence).high
      let above = ratio > most ? ratio : most - ratio
      return RateEstimate(
        estimate: ratio, low: ratio - doubt * ratio, high: ratio + doubt * above,
        standardError: 0)
    }
    guard ratio < most else {
      return RateEstimate(
        estimate: ratio, low: max(0, ratio - half), high: ratio + half, standardError: error)
    }
    let share = ratio / most
    let (low, high) = wilson(
      share, share * (1 - share) * most * most / (error * error), confidence.z)
    return RateEstimate(
      estimate: ratio, low: most * low, high: most * high, standardError: error)
  }

  private static func linearisedError(_ sums: RatioSums, _ ratio: Double) -> Double {
    let squares =
      Double(sums.countSquared) - 2 * ratio * Double(sums.countTimesUnits)
      + ratio * ratio * Double(sums.unitsSquared)
    // Below the rounding of the sums there is no variance to be seen.
    let variance = squares > 1e-13 * Double(sums.countSquared) ? squares : 0
    let runs = Double(sums.runs)
    let smallSample = runs > 1 ? runs / (runs - 1) : 1
    return (variance * smallSample).squareRoot() / Double(sums.units)
  }

  /// None among as many runs of equal size as these are worth: Kish's effective sample size.
  private static func nothing(
    _ sums: RatioSums, most: Double, _ confidence: Confidence
  ) -> RateEstimate {
    let units = Double(sums.units)
    let effectiveRuns = units * units / Double(sums.unitsSquared)
    let none = proportion(0, of: max(1, Int(effectiveRuns.rounded())), confidence)
    return RateEstimate(estimate: 0, low: 0, high: most * none.high, standardError: 0)
  }
}

/// What a ratio of sums over runs and its error are made of.
package struct RatioSums {
  package let runs: Int
  package let count: Int
  package let units: Int
  package let countSquared: Int
  package let countTimesUnits: Int
  package let unitsSquared: Int

  package init(
    runs: Int, count: Int, units: Int, countSquared: Int, countTimesUnits: Int,
    unitsSquared: Int
  ) {
    self.runs = runs
    self.count = count
    self.units = units
    self.countSquared = countSquared
    self.countTimesUnits = countTimesUnits
    self.unitsSquared = unitsSquared
  }

  /// Whether each run has one unit and answered yes or no.
  var isProportion: Bool {
    units == runs && unitsSquared == runs && countSquared == count && count > 0
  }
}
