extension Duration {
  /// Whole nanoseconds, rounded toward zero.
  ///
  /// - Precondition: the duration lies within ±292 years, as every checked scenario's do.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// Seconds as a floating-point number.
  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// Whole nanoseconds, or nil beyond ±290 years, the longest time that a scenario may name.
  package var nanosecondsIfRepresentable: Int64? {
    let limit = 290 * 365 * 86_400
    let seconds = components.seconds
    return seconds > -Int64(limit) && seconds < Int64(limit) ? nanoseconds : nil
  }
}
