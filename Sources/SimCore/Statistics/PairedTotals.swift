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

  package init() {}

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
  /// - Returns: the difference; nil for fewer than two runs.
  public func difference(_ metric: Metric, _ first: Totals, _ second: Totals) -> Difference? {
    guard runs > 1 else { return nil }
    let n = Double(runs)
    let sum = Double(sums[metric.rawValue])
    let mean = sum / n
    let variance = max(0, Double(squares[metric.rawValue]) - sum * mean) / (n - 1)
    // Runs that all gave the same difference tell no variance, but few of them could give another.
    let half =
      variance > 0
      ? confidence.z * (variance / n).squareRoot()
      : max(1, mean.magnitude) * RateEstimate.proportion(0, of: runs, confidence).high
    let unpaired = first.variance(metric) + second.variance(metric)
    return Difference(
      estimate: mean, low: mean - half, high: mean + half,
      onlyFirst: onlyFirst[metric.rawValue], onlySecond: onlySecond[metric.rawValue],
      varianceReduction: variance > 0 ? unpaired / variance : nil)
  }
}

extension Totals {
  /// The variance of a metric between runs.
  func variance(_ metric: Metric) -> Double {
    guard let rate = rate(metric, per: .run), runs > 1 else { return 0 }
    return rate.standardError * rate.standardError * Double(runs)
  }
}
