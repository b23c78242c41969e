/// A set of lengths of time in whole nanoseconds, as ranges that are ascending and apart.
struct LengthSet: Equatable, Sendable {
  private(set) var ranges: [Range<Int64>] = []

  /// Beyond all lengths.
  static let end: Int64 = 1 << 62

  /// What lies in any of these ranges and is at least zero.
  init(_ ranges: [Range<Int64>]) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let range = range.clamped(to: 0..<Self.end)
      guard !range.isEmpty else { continue }
      if let last = self.ranges.last, range.lowerBound <= last.upperBound {
        let end = max(last.upperBound, range.upperBound)
        self.ranges[self.ranges.count - 1] = last.lowerBound..<end
      } else {
        self.ranges.append(range)
      }
    }
  }

  /// All other lengths.
  var complement: LengthSet {
    var start: Int64 = 0
    var gaps: [Range<Int64>] = []
    for range in ranges {
      gaps.append(start..<range.lowerBound)
      start = range.upperBound
    }
    return LengthSet(gaps + [start..<Self.end])
  }
}
