/// How a device's clock differs from true time.
public struct ClockError: Equatable, Sendable {
  /// What the clock shows too much as the run begins; negative for a clock that is late.
  public var offset: Duration
  /// How much too fast it runs, in parts per million.
  public var drift: Double

  /// A clock that is right unless told otherwise.
  public init(offset: Duration = .zero, drift: Double = 0) {
    self.offset = offset
    self.drift = drift
  }
}

/// The clock of a device, as a function of true time.
package struct DeviceClock: Sendable {
  private let offset: Int64
  /// The drift in parts per trillion, so that readings are exact integers.
  private let drift: Int64

  package init(_ error: ClockError) {
    offset = error.offset.nanoseconds
    drift = Int64((error.drift * 1e6).rounded())
  }

  /// What the clock shows at a true instant.
  package func reading(at instant: Instant) -> WallTime {
    var shown = instant.nanoseconds &+ offset
    if drift != 0 { shown &+= Self.scaled(instant.nanoseconds, by: drift) }
    return WallTime(nanoseconds: shown)
  }

  /// The true instant at which the clock shows `time`, to the nanosecond.
  package func instant(showing time: WallTime) -> Instant {
    let shown = time.nanoseconds &- offset
    guard drift != 0 else { return Instant(nanoseconds: shown) }
    return Instant(nanoseconds: shown &- Self.scaled(shown, by: drift, over: trillion &+ drift))
  }

  /// The true length of what the clock measures as `nanoseconds`.
  package func trueLength(ofMeasured nanoseconds: Int64) -> Int64 {
    guard drift != 0 else { return nanoseconds }
    return nanoseconds &- Self.scaled(nanoseconds, by: drift, over: trillion &+ drift)
  }

  private static func scaled(_ value: Int64, by factor: Int64, over divisor: Int64 = trillion)
    -> Int64
  {
    divisor.dividingFullWidth(value.multipliedFullWidth(by: factor)).quotient
  }
}

private let trillion: Int64 = 1_000_000_000_000
