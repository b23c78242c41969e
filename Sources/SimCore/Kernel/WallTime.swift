/// A moment as a clock shows it, in nanoseconds after the moment that a right clock showed as the run began.
public struct WallTime: Comparable, Hashable, Sendable, BitwiseCopyable {
  /// Nanoseconds on the clock's face.
  public let nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The time that the clock shows this many seconds later.
  package func advanced(bySeconds seconds: Int32) -> WallTime {
    WallTime(nanoseconds: nanoseconds &+ Int64(seconds) &* 1_000_000_000)
  }

  /// Whether `left` shows an earlier time than `right`.
  public static func < (left: WallTime, right: WallTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
