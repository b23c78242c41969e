/// A standard normal number for each instant that changes steadily over time: a pure function of its stream.
///
/// Between two neighbouring points of a grid, each with an independent normal number, the number is interpolated and
/// rescaled to unit variance. So instants a few parts of the spacing apart have nearly the same number, and those
/// two spacings apart have independent ones.
package struct SharedPath: Sendable {
  private let stream: RandomStream
  private let spacing: Int64

  /// A path by its source of chance and the distance of its grid points in nanoseconds.
  ///
  /// - Precondition: the spacing is positive.
  package init(_ stream: RandomStream, spacing: Int64) {
    precondition(spacing > 0, "The points of a grid lie apart.")
    self.stream = stream
    self.spacing = spacing
  }

  /// The number at an instant.
  package func normal(at instant: Instant) -> Double {
    let (point, past) = instant.nanoseconds.dividedRoundingDown(by: spacing)
    let after = Double(past) / Double(spacing)
    let before = 1 - after
    let sum = before * gridNormal(point) + after * gridNormal(point + 1)
    return sum / (before * before + after * after).squareRoot()
  }

  private func gridNormal(_ point: Int64) -> Double {
    var draws = stream.draws(at: DrawAddress(gridPoint: point))
    return ElementaryFunctions.normalQuantile(draws.unit())
  }
}

/// What the messages of one direction in one run have in common.
///
/// The simulation makes one per run and direction, and hands it to ``Sampler/sample(_:at:moment:along:)``.
package struct MessagePath: Sendable {
  private let shared: SharedPath?
  /// How much of a normal number comes from the path, and how much is the message's own.
  private let ofPath: Double
  private let own: Double
  /// Where sequences start, as random bits.
  private let start: UInt64

  /// A path that drives a share of each message's delay.
  ///
  /// Two messages sent at one instant have normal numbers with a correlation of `share`.
  ///
  /// - Parameters:
  ///   - shared: the path; nil for independent delays.
  ///   - share: the share of the variance that the path gives, from 0 to 1.
  ///   - start: where sequences start, which is the same for both directions; see ``sequenceStart(_:)``.
  package init(_ shared: SharedPath? = nil, share: Double = 0, start: UInt64) {
    precondition(0 <= share && share <= 1, "A share lies between 0 and 1.")
    self.shared = share > 0 ? shared : nil
    ofPath = share.squareRoot()
    own = (1 - share).squareRoot()
    self.start = start
  }

  /// Where the sequences of a run start, from its stream of the cause `connectivity`.
  package static func sequenceStart(_ connectivity: RandomStream) -> UInt64 {
    var draws = connectivity.draws(at: DrawAddress(gridPoint: 0))
    return draws.next()
  }

  /// Whether messages share anything but where sequences start.
  var isShared: Bool { shared != nil }

  /// Random bits of a message, moved to where the path is at its moment.
  func bits(_ bits: UInt64, at moment: Instant) -> UInt64 {
    guard let shared else { return bits }
    let number = ElementaryFunctions.normalQuantile(Draws.unit(bits))
    let share = ElementaryFunctions.normalDistribution(
      ofPath * shared.normal(at: moment) + own * number)
    return share < 1 ? UInt64(share * 0x1p64) : .max
  }

  /// The row of a sequence at a moment: the start, and one row on for each full `spacing` of the run.
  func row(at moment: Instant, every spacing: Int64, of count: Int) -> Int {
    let first = Int64(start.multipliedFullWidth(by: UInt64(count)).high)
    let rows = moment.nanoseconds.dividedRoundingDown(by: spacing).quotient
    let (_, onward) = rows.dividedRoundingDown(by: Int64(count))
    return Int((first + onward) % Int64(count))
  }
}

extension Int64 {
  /// The quotient rounded down, and the rest, which is at least zero.
  fileprivate func dividedRoundingDown(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
