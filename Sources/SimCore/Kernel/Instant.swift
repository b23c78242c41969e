/// A moment of true simulated time.
///
/// Counted in nanoseconds since the run began; the range is ±292 years. What a device believes the
/// time to be is a ``WallTime`` and does not mix with this type.
public struct Instant: Comparable, Hashable, Sendable, BitwiseCopyable {
  /// Nanoseconds since the run began; negative before it.
  public let nanoseconds: Int64

  /// The moment the run began: in `opening` and `timeline`, the minting of the first pair.
  public static let zero = Instant(nanoseconds: 0)

  /// A moment given in nanoseconds since the run began.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Whether `left` comes before `right`.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The time from `start` to this moment.
  public func since(_ start: Instant) -> Duration {
    .nanoseconds(nanoseconds - start.nanoseconds)
  }

  /// This moment moved by `nanoseconds`, or nil if that is out of range.
  package func advanced(byNanoseconds nanoseconds: Int64) -> Instant? {
    let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
    return overflow ? nil : Instant(nanoseconds: sum)
  }
}
