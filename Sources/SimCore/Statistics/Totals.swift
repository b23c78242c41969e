/// The metrics of many runs of one client in one world.
///
/// Everything is a sum of integers, so totals of parts add up to the totals of all in any order.
public struct Totals: Sendable {
  /// How many runs were added.
  public private(set) var runs = 0
  /// The combined fingerprint of the runs.
  public private(set) var fingerprint: UInt64 = 0
  /// How long calls waited, from their start to the sending of their last attempt.
  public private(set) var waits = DurationHistogram()

  private var counts = [Int](repeating: 0, count: Metric.allCases.count)
  private var squares = [Int](repeating: 0, count: Metric.allCases.count)
  private var products = [Int](
    repeating: 0, count: Metric.allCases.count * MetricUnit.allCases.count)
  private var unitSquares = [Int](repeating: 0, count: MetricUnit.allCases.count)
  private var waitSum: Int128 = 0
  private var lifeUnusedSum: Int128 = 0
  private var firstRun: [UInt64] = [.max, .max, .max]
  /// The first run that broke a rule of the model, with the rule.
  package private(set) var violation: (run: UInt64, rule: Invariants.Violation)?

  private static let badness: [Metric] = [.signOuts, .revocations, .duplicates]

  package init() {}

  /// What was counted in all runs together.
  public subscript(metric: Metric) -> Int { counts[metric.rawValue] }

  /// The lowest run with a sign-out, else with a revocation, else with a duplicate refresh.
  public var firstBadRun: UInt64? {
    firstRun.first { $0 != .max }
  }

  /// How often a metric was counted per unit; nil if there was no such unit.
  public func rate(_ metric: Metric, per unit: MetricUnit) -> RateEstimate? {
    let units = unit.metric.map { self[$0] } ?? runs
    guard units > 0 else { return nil }
    let sums = RatioSums(
      runs: runs, count: self[metric], units: units, countSquared: squares[metric.rawValue],
      countTimesUnits: products[Self.product(metric, unit)],
      unitsSquared: unitSquares[unit.rawValue])
    return sums.isProportion
      ? RateEstimate.proportion(sums.count, of: runs) : RateEstimate.ratio(sums)
  }

  /// The mean of what calls waited; nil if none sent anything.
  public var meanWait: Duration? {
    waits.count == 0 ? nil : .nanoseconds(Int64(waitSum / Int128(waits.count)))
  }

  /// The mean share of an access token's lifetime that was left at its rotation; nil without a rotation.
  public var lifeUnused: Double? {
    self[.rotations] == 0 ? nil : Double(lifeUnusedSum) * 1e-9 / Double(self[.rotations])
  }

  private static func product(_ metric: Metric, _ unit: MetricUnit) -> Int {
    metric.rawValue * MetricUnit.allCases.count + unit.rawValue
  }

  package mutating func add(
    _ tally: borrowing RunTally, _ fingerprint: Fingerprint, run: UInt64,
    violation: Invariants.Violation?
  ) {
    runs += 1
    self.fingerprint &+= fingerprint.marked(run: run)
    let units = (
      tally[.openings], tally[.calls], tally[.refreshes]
    )
    unitSquares[0] += 1
    unitSquares[1] += units.0 * units.0
    unitSquares[2] += units.1 * units.1
    unitSquares[3] += units.2 * units.2
    var touched = tally.touched
    while touched != 0 {
      let index = touched.trailingZeroBitCount
      touched &= touched - 1
      let count = tally.count(at: index)
      counts[index] += count
      squares[index] += count * count
      let product = index * 4
      products[product] += count
      products[product + 1] += count * units.0
      products[product + 2] += count * units.1
      products[product + 3] += count * units.2
    }
    for wait in tally.waits {
      waits.add(wait)
      waitSum += Int128(wait)
    }
    lifeUnusedSum += Int128(tally.lifeUnused)
    noteBadness(of: tally, run: run)
    if let violation, self.violation.map({ run < $0.run }) ?? true {
      self.violation = (run, violation)
    }
  }

  private mutating func noteBadness(of tally: borrowing RunTally, run: UInt64) {
    for (index, metric) in Self.badness.enumerated() where tally[metric] > 0 {
      firstRun[index] = min(firstRun[index], run)
    }
  }

  /// Adds the totals of other runs.
  package mutating func merge(_ other: Totals) {
    runs += other.runs
    fingerprint &+= other.fingerprint
    waits.merge(other.waits)
    Self.add(other.counts, to: &counts)
    Self.add(other.squares, to: &squares)
    Self.add(other.products, to: &products)
    Self.add(other.unitSquares, to: &unitSquares)
    waitSum += other.waitSum
    lifeUnusedSum += other.lifeUnusedSum
    firstRun = zip(firstRun, other.firstRun).map(min)
    if let theirs = other.violation, violation.map({ theirs.run < $0.run }) ?? true {
      violation = theirs
    }
  }

  private static func add(_ more: [Int], to sums: inout [Int]) {
    for index in sums.indices { sums[index] += more[index] }
  }
}
