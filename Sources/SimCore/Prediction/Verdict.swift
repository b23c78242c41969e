/// Whether a measured rate agrees with a predicted one.
public enum Verdict: Equatable, Sendable {
  /// Within 5 % of the prediction: two one-sided tests at 5 % each.
  case agrees
  /// The 99.9 % interval excludes the prediction.
  case differs
  /// Neither; this many runs would give a true agreement a chance of 90 % to show.
  case inconclusive(runsNeeded: Int)

  /// The relative difference that counts as agreement.
  public static let equivalence = 0.05

  /// The quantiles of the normal distribution that leave 5 % and 0.05 % above them.
  private static let z90 = 1.6448536269514722
  private static let z999 = 3.2905267314918945

  /// Compares a measurement with a prediction.
  ///
  /// - Parameters:
  ///   - measured: the measured rate.
  ///   - predicted: the predicted rate.
  ///   - runs: the runs that the measurement took.
  ///   - predictedError: the standard error that the rate has if the prediction is right; it counts where
  ///     too little was seen to tell the spread.
  ///   - expectedEvents: how many runs should have counted something if the prediction is right.
  public init(
    measured: RateEstimate, predicted: Double, runs: Int, predictedError: Double,
    expectedEvents: Double
  ) {
    let error = max(measured.standardError, predictedError)
    // Few events have a skewed distribution, whose tail is heavier than the normal one.
    let differenceErrors = expectedEvents < 50 ? 5 : Self.z999
    let difference = (measured.estimate - predicted).magnitude
    let tolerance = Self.equivalence * predicted
    if difference + Self.z90 * error <= tolerance {
      self = .agrees
    } else if difference > differenceErrors * error {
      self = .differs
    } else {
      let factor = 2 * Self.z90 * error / tolerance
      let runs = Double(runs) * factor * factor
      self = .inconclusive(runsNeeded: runs < 1e18 ? Int(runs.rounded(.up)) : .max)
    }
  }

  /// The share of the predicted rate to which the measured one is known, as a 95 % half-width.
  public static func resolution(of measured: RateEstimate, predicted: Double) -> Double {
    (measured.high - measured.low) / 2 / predicted
  }
}
