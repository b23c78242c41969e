/// The metrics of one run, and the causes of its sign-outs.
///
/// The causes stand after the metrics, so that whatever adds up the ones adds up the others.
public struct RunTally: Sendable {
  /// How many numbers there are.
  package static let positions = 51

  private var counts = InlineArray<51, Int32>(repeating: 0)
  /// One bit per number that is not zero, so that adding up runs visits only those.
  package private(set) var touched: UInt64 = 0
  /// The sum over rotations of the share of the access token's lifetime that was left, in billionths.
  package var lifeUnused: Int64 = 0
  /// The sum over spent refresh tokens of how long they would still have been answered, in nanoseconds.
  package var exposure: Int64 = 0
  /// Spent refresh tokens that would have been answered for ever.
  package var endlessExposures = 0

  /// The longest time from the start of a call to the sending of its last attempt, in nanoseconds.
  package var longestWait: Int64 = 0

  package init() {}

  /// What was counted.
  public subscript(metric: Metric) -> Int { Int(counts[metric.rawValue]) }

  /// How many sign-outs had this cause.
  public subscript(cause: SignOutCause) -> Int { Int(counts[Self.position(of: cause)]) }

  /// Where a cause stands, after the metrics.
  package static func position(of cause: SignOutCause) -> Int { 36 + cause.rawValue }

  /// What was counted, by its position.
  package func count(at index: Int) -> Int { Int(counts[index]) }

  @inline(__always)
  mutating func count(_ metric: Metric) {
    increment(at: metric.rawValue)
  }

  mutating func count(_ metric: Metric, times: Int) {
    guard times > 0 else { return }
    counts[metric.rawValue] += Int32(times)
    touched |= 1 << UInt64(metric.rawValue)
  }

  mutating func count(_ cause: SignOutCause) {
    increment(at: Self.position(of: cause))
  }

  @inline(__always)
  private mutating func increment(at position: Int) {
    counts[position] += 1
    touched |= 1 << UInt64(position)
  }

  /// Back to nothing, visiting only what is not zero.
  mutating func reset() {
    var bits = touched
    while bits != 0 {
      counts[bits.trailingZeroBitCount] = 0
      bits &= bits - 1
    }
    touched = 0
    lifeUnused = 0
    exposure = 0
    endlessExposures = 0
    longestWait = 0
  }
}
