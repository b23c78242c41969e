/// A device: what its processes share beside their store.
struct Device: BitwiseCopyable {
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

/// A store: the pair, whose session it is, and the lock before it.
struct Store: BitwiseCopyable {
  var pair: StoredPair?
  /// The person whose session it holds, from 1; 0 for nobody.
  var user: Int32 = 0
  /// The position of the process that holds the lock; -1 for none.
  var lockedBy: Int32 = -1

  /// A pair on its way to the store.
  struct Write: BitwiseCopyable {
    let id: RefreshID
    let pair: StoredPair
    /// Which write of its process it is.
    let number: Int32
    let process: Int32
    /// Which life of its process asked for it.
    let life: Int32
  }

  /// A reading that takes time.
  struct Read: BitwiseCopyable {
    let id: StoreReadID
    let life: Int32
  }
}
