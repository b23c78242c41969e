/// The metrics of many runs of one client in one world.
///
/// Everything is a sum of integers, so totals of parts add up to the totals of all in any order.
public struct Totals: Sendable, Codable {
  /// How sure the intervals are.
  public var confidence = Confidence.usual
  /// How many runs were added.
  public private(set) var runs = 0
  /// The combined fingerprint of the runs.
  public private(set) var fingerprint: UInt64 = 0
  /// How many events were taken from the queue, as a measure of work.
  public private(set) var events = 0
  /// How long calls waited, from their start to the sending of their last attempt.
  public private(set) var waits = DurationHistogram()

  private var sums = [MetricSums](repeating: MetricSums(), count: RunTally.positions)
  private var unitSquares = UnitVector()
  private var lifeUnusedSums = TokenMean(grain: 1000)
  private var exposureSums = TokenMean(grain: 10_000_000)
  /// Spent refresh tokens that would have been answered for ever.
  public private(set) var endlessExposures = 0
  private var firstSignOut = UInt64.max
  private var firstRevocation = UInt64.max
  private var firstDuplicate = UInt64.max
  /// The first run that broke a rule of the model, with the rule.
  package private(set) var violation: Breach?

  /// A run that broke a rule of the model.
  package struct Breach: Sendable, Codable {
    package let run: UInt64
    package let rule: Invariants.Violation
  }

  /// One number per unit that a metric is counted per.
  private struct UnitVector: Codable {
    var run = 0
    var opening = 0
    var call = 0
    var refresh = 0

    subscript(unit: MetricUnit) -> Int {
      switch unit {
      case .run: run
      case .opening: opening
      case .call: call
      case .refresh: refresh
      }
    }

    static func += (left: inout UnitVector, right: UnitVector) {
      left.run += right.run
      left.opening += right.opening
      left.call += right.call
      left.refresh += right.refresh
    }

    static func * (factor: Int, vector: UnitVector) -> UnitVector {
      UnitVector(
        run: factor * vector.run, opening: factor * vector.opening, call: factor * vector.call,
        refresh: factor * vector.refresh)
    }

    var squared: UnitVector {
      UnitVector(
        run: run * run, opening: opening * opening, call: call * call,
        refresh: refresh * refresh)
    }
  }

  /// Sums over runs of a count, of its square, and of its products with the units of the run.
  private struct MetricSums: Codable {
    var count = 0
    var squared = 0
    var timesUnits = UnitVector()
  }

  package init() {}

  /// What was counted in all runs together.
  public subscript(metric: Metric) -> Int { sums[metric.rawValue].count }

  /// The lowest run with a sign-out, else with a revocation, else with a duplicate refresh.
  public var firstBadRun: UInt64? {
    [firstSignOut, firstRevocation, firstDuplicate].first { $0 != .max }
  }

  /// What was counted at a position, which is a metric or a part of it.
  func count(at position: Int) -> Int { sums[position].count }

  /// The variance between runs of what is counted at a position.
  func variance(at position: Int) -> Double {
    guard runs > 1 else { return 0 }
    let (n, sum) = (Double(runs), Double(sums[position].count))
    return max(0, Double(sums[position].squared) - sum * sum / n) / (n - 1)
  }

  /// How many sign-outs had this cause.
  public func signOuts(by cause: SignOutCause) -> Int { sums[RunTally.position(of: cause)].count }

  /// How often a metric was counted per unit; nil if there was no such unit.
  public func rate(_ metric: Metric, per unit: MetricUnit) -> RateEstimate? {
    rate(of: metric, at: metric.rawValue, per: unit)
  }

  /// How often sessions ended by this cause per unit; nil if there was no such unit.
  public func rate(signOutsBy cause: SignOutCause, per unit: MetricUnit) -> RateEstimate? {
    rate(of: .signOuts, at: RunTally.position(of: cause), per: unit)
  }

  /// The rate of what is counted at a position, which is a metric or a part of it.
  private func rate(of metric: Metric, at position: Int, per unit: MetricUnit) -> RateEstimate? {
    let units = unit.metric.map { self[$0] } ?? runs
    guard units > 0 else { return nil }
    let sum = sums[position]
    let ratio = RatioSums(
      runs: runs, count: sum.count, units: units, countSquared: sum.squared,
      countTimesUnits: sum.timesUnits[unit], unitsSquared: unitSquares[unit])
    return ratio.isProportion
      ? RateEstimate.proportion(ratio.count, of: runs, confidence)
      : RateEstimate.ratio(ratio, most: most(metric, per: unit, units: units), confidence)
  }

  /// The exact limits of a rate where each run answered yes or no; nil otherwise.
  public func limits(_ metric: Metric, per unit: MetricUnit) -> (low: Double, high: Double)? {
    limits(of: metric, at: metric.rawValue, per: unit)
  }

  /// The exact limits of a rate of sign-outs by a cause where each run answered yes or no; nil otherwise.
  public func limits(
    signOutsBy cause: SignOutCause, per unit: MetricUnit
  ) -> (low: Double, high: Double)? {
    limits(of: .signOuts, at: RunTally.position(of: cause), per: unit)
  }

  /// The exact limits of the rate of what is counted at a position.
  private func limits(
    of metric: Metric, at position: Int, per unit: MetricUnit
  ) -> (low: Double, high: Double)? {
    let units = unit.metric.map { self[$0] } ?? runs
    let sum = sums[position]
    guard units == runs, runs > 0, unitSquares[unit] == runs, sum.squared == sum.count,
      most(metric, per: unit, units: units) == 1
    else { return nil }
    return BinomialLimits.limits(sum.count, of: runs, confidence)
  }

  /// The most that a unit counts of a metric on average: one, or one per call where calls are many.
  private func most(_ metric: Metric, per unit: MetricUnit, units: Int) -> Double {
    let hasSeveralPerRun = sums[metric.rawValue].squared > sums[metric.rawValue].count
    return switch metric.counted {
    // A life of weeks may lose its session again and again, as often as it refreshes.
    case .run where unit == .run && hasSeveralPerRun:
      max(1, Double(self[.refreshes]) / Double(units))
    case unit, .run, .opening: 1
    case .call, .refresh: max(1, Double(self[.calls]) / Double(units))
    }
  }

  /// The mean of what calls waited; nil if none sent anything.
  public var meanWait: Duration? { waits.mean }

  /// How long a spent refresh token would still have been answered, on average over those for which that ended;
  /// nil if there is none.
  public var exposure: Duration? {
    exposureSums.tokens > 0
      ? .nanoseconds(Int64(exposureSums.sum / Int128(exposureSums.tokens))) : nil
  }

  /// The mean share of an access token's lifetime that was left at its rotation; nil without a rotation.
  public var lifeUnused: Double? {
    lifeUnusedSums.tokens > 0
      ? Double(lifeUnusedSums.sum) * 1e-9 / Double(lifeUnusedSums.tokens) : nil
  }

  /// ``exposure`` in seconds with its interval; nil without one.
  public var exposureEstimate: RateEstimate? {
    exposureSums.mean(per: 1e9, runs: runs, confidence)
  }

  /// ``lifeUnused`` with its interval; nil without one.
  public var lifeUnusedEstimate: RateEstimate? {
    lifeUnusedSums.mean(per: 1e9, runs: runs, confidence)
  }

  package mutating func add(
    _ tally: borrowing RunTally, _ fingerprint: Fingerprint, run: UInt64, events: Int,
    violation: Invariants.Violation?
  ) {
    runs += 1
    self.events += events
    self.fingerprint &+= fingerprint.marked(run: run)
    let units = UnitVector(
      run: 1, opening: tally[.openings], call: tally[.calls], refresh: tally[.refreshes])
    unitSquares += units.squared
    var sums = self.sums.mutableSpan
    var touched = tally.touched
    while touched != 0 {
      let index = touched.trailingZeroBitCount
      touched &= touched - 1
      let count = tally.count(at: index)
      sums[index].count += count
      sums[index].squared += count * count
      sums[index].timesUnits += count * units
    }
    lifeUnusedSums.add(tally.lifeUnused, of: tally[.rotations])
    exposureSums.add(tally.exposure, of: tally[.rotations] - tally.endlessExposures)
    endlessExposures += tally.endlessExposures
    if tally[.signOuts] + tally[.revocations] + tally[.duplicates] > 0 {
      noteBadness(of: tally, run: run)
    }
    if let violation { note(Breach(run: run, rule: violation)) }
  }

  /// Adds what calls waited in all runs of a tallier, once it has counted its last.
  package mutating func addWaits(of tallier: borrowing Tallier) {
    waits.merge(tallier.waits)
  }

  private mutating func noteBadness(of tally: borrowing RunTally, run: UInt64) {
    if tally[.duplicates] > 0 { firstDuplicate = min(firstDuplicate, run) }
    if tally[.revocations] > 0 { firstRevocation = min(firstRevocation, run) }
    if tally[.signOuts] > 0 { firstSignOut = min(firstSignOut, run) }
  }

  /// Keeps the violation of the lowest run.
  private mutating func note(_ found: Breach) {
    if let violation, violation.run <= found.run { return }
    violation = found
  }

  /// Adds the totals of other runs.
  package mutating func merge(_ other: Totals) {
    runs += other.runs
    events += other.events
    fingerprint &+= other.fingerprint
    waits.merge(other.waits)
    unitSquares += other.unitSquares
    for index in sums.indices {
      sums[index].count += other.sums[index].count
      sums[index].squared += other.sums[index].squared
      sums[index].timesUnits += other.sums[index].timesUnits
    }
    lifeUnusedSums.merge(other.lifeUnusedSums)
    exposureSums.merge(other.exposureSums)
    endlessExposures += other.endlessExposures
    firstSignOut = min(firstSignOut, other.firstSignOut)
    firstRevocation = min(firstRevocation, other.firstRevocation)
    firstDuplicate = min(firstDuplicate, other.firstDuplicate)
    if let theirs = other.violation { note(theirs) }
  }
}
