/// A device: what its processes share beside their store.
struct DeviceState: BitwiseCopyable {
  /// Since when it is locked; nil while it is not.
  var lockedSince: Int64?
  /// Whether it was unlocked since it started.
  var wasUnlocked = true
  /// How far the wall clock was set forward so far, in nanoseconds.
  var clockStep: Int64 = 0
  /// When it started, by true time.
  var startedAt: Int64 = 0

  /// How long after the locking what needs an unlocked device can still be used (10 s on iOS).
  private static let lockGrace: Int64 = 10_000_000_000

  /// Whether something of this class can be read and written.
  func allows(_ protection: ProtectionClass, at now: Instant) -> Bool {
    guard wasUnlocked else { return false }
    guard protection == .whenUnlocked, let lockedSince else { return true }
    return now.nanoseconds - lockedSince < Self.lockGrace
  }
}
