public import SimCore

/// How many runs a check against a right value takes: a million in a release build, fewer in a debug one.
#if DEBUG
public let agreementRuns = 15_000
#else
public let agreementRuns = 1_000_000
#endif

extension RateEstimate {
  /// Whether the measured rate lies within 3.3 standard errors of a right value: a right simulator fails one time
  /// in a thousand, so seeds are fixed.
  public func isWithin3Errors(of expected: Double) -> Bool {
    (estimate - expected).magnitude <= 3.3 * standardError
  }
}
