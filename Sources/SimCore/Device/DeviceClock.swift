/// How a device's clock differs from true time.
public struct ClockError: Equatable, Sendable {
  /// What the clock shows too much as the run begins; negative for a clock that is late.
  public var offset: Duration
  /// How much too fast it runs, in parts per million.
  public var drift: Double
  /// When it is set, in order.
  public var steps: [ClockStep]

  /// A clock that is right unless told otherwise.
  public init(offset: Duration = .zero, drift: Double = 0, steps: [ClockStep] = []) {
    self.offset = offset
    self.drift = drift
    self.steps = steps
  }
}

/// A moment at which a wall clock is set, by the person or by time synchronisation.
public struct ClockStep: Equatable, Sendable {
  /// How far it is set forward; negative for back.
  public let by: Duration
  /// When, counted from the minting of the first pair.
  public let at: Duration

  /// A step by its size and moment.
  public init(by: Duration, at: Duration) {
    self.by = by
    self.at = at
  }
}

/// What the clocks of a device show at one moment.
public struct ClockReading: Sendable {
  /// The clock on the wall, with its offset, drift, and steps.
  public let wall: WallTime
  /// Time since the device started, with its drift.
  public let continuous: WallTime
  /// The same without the time in which the app was suspended and the device is taken to sleep.
  public let suspending: WallTime

  package init(wall: WallTime, continuous: WallTime, suspending: WallTime) {
    self.wall = wall
    self.continuous = continuous
    self.suspending = suspending
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

  /// What all clocks show at a true instant, after steps and sleep of these lengths in nanoseconds.
  ///
  /// Those that count from a start begin anew at `startedAt`, in nanoseconds of true time.
  package func readings(
    at instant: Instant, stepped: Int64, asleep: Int64, startedAt: Int64 = 0
  ) -> ClockReading {
    var elapsed = instant.nanoseconds
    var before = startedAt
    if drift != 0 {
      elapsed &+= Self.scaled(elapsed, by: drift)
      before &+= Self.scaled(before, by: drift)
    }
    return ClockReading(
      wall: WallTime(nanoseconds: elapsed &+ offset &+ stepped),
      continuous: WallTime(nanoseconds: elapsed &- before),
      suspending: WallTime(nanoseconds: elapsed &- before &- asleep))
  }

  /// What the wall clock shows at a true instant before any step.
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
