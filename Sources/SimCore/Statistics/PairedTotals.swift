/// The differences between two clients that lived through the same runs.
public struct PairedTotals: Sendable, Codable {
  /// How sure the intervals are.
  public var confidence = Confidence.usual
  /// A difference of two rates per run, the second client's minus the first's.
  public struct Difference: Equatable, Sendable {
    /// The mean difference per run.
    public let estimate: Double
    /// The lower end of the interval, of 95 % unless said otherwise.
    public let low: Double
    /// The upper end of the interval.
    public let high: Double
    /// Runs in which only the first client counted any.
    public let onlyFirst: Int
    /// Runs in which only the second client counted any.
    public let onlySecond: Int
    /// The variance of the difference had the runs been independent, divided by what it is; nil without any
    /// variance.
    public let varianceReduction: Double?
  }

  private var runs = 0
  private var sums = [Int](repeating: 0, count: RunTally.positions)
  private var squares = [Int](repeating: 0, count: RunTally.positions)
  private var onlyFirst = [Int](repeating: 0, count: RunTally.positions)
  private var onlySecond = [Int](repeating: 0, count: RunTally.positions)

  /// The differences of no runs.
  public init() {}

  package mutating func add(_ first: RunTally, _ second: RunTally) {
    runs += 1
    var touched = first.touched | second.touched
    while touched != 0 {
      let index = touched.trailingZeroBitCount
      touched &= touched - 1
      let (a, b) = (first.count(at: index), second.count(at: index))
      sums[index] += b - a
      squares[index] += (b - a) * (b - a)
      if b == 0 { onlyFirst[index] += 1 }
      if a == 0 { onlySecond[index] += 1 }
    }
  }

  package mutating func merge(_ other: PairedTotals) {
    runs += other.runs
    for index in sums.indices {
      sums[index] += other.sums[index]
      squares[index] += other.squares[index]
      onlyFirst[index] += other.onlyFirst[index]
      onlySecond[index] += other.onlySecond[index]
    }
  }

  /// The difference in a metric per run.
  ///
  /// - Parameters:
  ///   - metric: what was counted.
  ///   - first: the totals of the first client.
  ///   - second: those of the second.
  ///   - factor: what the first client's count is multiplied by before it is taken from the second's.
  /// - Returns: the difference; nil for fewer than two runs.
  public func difference(
    _ metric: Metric, _ first: Totals, _ second: Totals, timesFirst factor: Double = 1
  ) -> Difference? {
    difference(at: metric.rawValue, first, second, timesFirst: factor)
  }

  /// The difference in the sign-outs by a cause per run; see ``difference(_:_:_:timesFirst:)``.
  public func difference(
    signOutsBy cause: SignOutCause, _ first: Totals, _ second: Totals, timesFirst factor: Double = 1
  ) -> Difference? {
    difference(at: RunTally.position(of: cause), first, second, timesFirst: factor)
  }

  /// Whether both clients counted the same in every single run.
  public func isNothing(_ metric: Metric) -> Bool { squares[metric.rawValue] == 0 }

  /// Whether both clients had as many sign-outs by a cause in every single run.
  public func isNothing(signOutsBy cause: SignOutCause) -> Bool {
    squares[RunTally.position(of: cause)] == 0
  }

  private func difference(
    at position: Int, _ first: Totals, _ second: Totals, timesFirst factor: Double
  ) -> Difference? {
    guard runs > 1 else { return nil }
    let n = Double(runs)
    let variance = variance(at: position, first, second, timesFirst: factor)
    let mean =
      (Double(sums[position]) + (1 - factor) * Double(first.count(at: position))) / n
    // Few runs that differ, all of them one way, have less spread than their number has doubt. With z² of them added to
    // the sum of squares, seven to none exclude zero, where the sign test asks for six, and four would otherwise. Where
    // all gave the same difference, that is all the doubt there is.
    let z = confidence.z
    let room = z * z * max(1, factor, mean.magnitude) / n
    let half = (z * z * variance / n + room * room).squareRoot()
    let unpaired =
      factor * factor * first.variance(at: position) + second.variance(at: position)
    return Difference(
      estimate: mean, low: mean - half, high: mean + half,
      onlyFirst: onlyFirst[position], onlySecond: onlySecond[position],
      varianceReduction: variance > 0 ? unpaired / variance : nil)
  }

  /// The variance between runs of b - f a, from those of a, of b, and of b - a.
  ///
  /// With 2 Cov = Var a + Var b - Var(b - a) it is (1 - f) Var b + f (f - 1) Var a + f Var(b - a).
  private func variance(
    at position: Int, _ first: Totals, _ second: Totals, timesFirst factor: Double
  ) -> Double {
    let n = Double(runs)
    let sum = Double(sums[position])
    let paired = max(0, Double(squares[position]) - sum * sum / n) / (n - 1)
    guard factor != 1 else { return paired }
    let (a, b) = (first.variance(at: position), second.variance(at: position))
    let variance = (1 - factor) * b + factor * (factor - 1) * a + factor * paired
    // Below the rounding of the sums there is no variance to be seen.
    return variance > 1e-13 * (a + b) ? variance : 0
  }
}
