/// The metrics of one run.
public struct RunTally: Sendable {
  private var counts = InlineArray<36, Int32>(repeating: 0)
  /// One bit per metric that is not zero, so that adding up runs visits only those.
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

  /// What was counted, by the position of the metric.
  package func count(at index: Int) -> Int { Int(counts[index]) }

  @inline(__always)
  mutating func count(_ metric: Metric) {
    counts[metric.rawValue] += 1
    touched |= 1 << UInt64(metric.rawValue)
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
