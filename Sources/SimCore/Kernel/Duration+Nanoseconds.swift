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
}
