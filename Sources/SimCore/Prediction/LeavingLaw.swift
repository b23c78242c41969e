/// The law of the time after an opening at which a person leaves, in whole nanoseconds as it is drawn.
struct LeavingLaw: Sendable {
  private let law: DelayLaw

  init(_ distribution: Distribution) {
    law = DelayLaw(distribution).tabulated()
  }

  /// The probability of less than this.
  ///
  /// Draws are rounded to whole nanoseconds, so a limit lies between two of them, where no value can be.
  private func share(below nanoseconds: Int64) -> Double {
    if nanoseconds >= LengthSet.end { return 1 }
    return nanoseconds <= 0 ? 0 : 1 - law.survival((Double(nanoseconds) - 0.5) * 1e-9)
  }

  /// The probability of a length in a set.
  func probability(of set: LengthSet) -> Double {
    set.ranges.reduce(0) { $0 + probability(of: $1) }
  }

  private func probability(of range: Range<Int64>) -> Double {
    max(0, share(below: range.upperBound) - share(below: range.lowerBound))
  }

  /// The length that a number between 0 and 1 stands for among those of a set, shorter ones first.
  ///
  /// - Parameters:
  ///   - set: a set with a probability above zero.
  ///   - unit: a number strictly between 0 and 1.
  /// - Returns: nanoseconds.
  func length(in set: LengthSet, at unit: Double) -> Int64 {
    var rest = unit * probability(of: set)
    var place = set.ranges[0]
    for range in set.ranges {
      let share = probability(of: range)
      guard share > 0 else { continue }
      place = range
      if rest <= share { break }
      rest -= share
    }
    let before = share(below: place.lowerBound)
    return inverse(min(before + rest, share(below: place.upperBound)), in: place)
  }

  /// The shortest length of a range up to which the law has at least this share.
  private func inverse(_ share: Double, in range: Range<Int64>) -> Int64 {
    var low = range.lowerBound
    var high = range.upperBound - 1
    while low < high {
      let middle = low + (high - low) / 2
      if self.share(below: middle + 1) >= share { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
