/// Sign-outs of many runs, each of which was lived through for two ways to leave and weighed by their probabilities.
///
/// A run gives x = w·Z + (1 - w)·Z′: w is the probability, given everything else in the run, of leaving at a moment
/// of danger, Z are the sign-outs of the run with such a moment, and Z′ those with any other. The mean of x is that of
/// the sign-outs of a plain run, whatever counts as danger. Everything is a sum of integers, weights in units of
/// 2⁻⁵⁶ and squares in units of 2⁻⁸⁰, so totals of parts add up to the totals of all in any order.
public struct RareEventTotals: Sendable {
  /// How many runs were added.
  public private(set) var runs = 0
  /// The combined fingerprint of all that was lived through.
  public private(set) var fingerprint: UInt64 = 0
  /// How many events were taken from the queue, as a measure of work.
  public private(set) var events = 0
  /// The first run that broke a rule of the model, with the rule.
  package private(set) var violation: Totals.Breach?

  private var sum: Int128 = 0
  private var squares: Int128 = 0
  /// The part of the sum that moments without danger gave.
  private var sumOutside: Int128 = 0
  private var weights: Int128 = 0
  /// What plain runs would have squared, and the events that they would have had.
  private var plainSquares: Int128 = 0
  private var plainEvents: Int128 = 0
  private var causes = [Int128](repeating: 0, count: SignOutCause.allCases.count)

  private static let weightBits = 56
  private static let squareBits = 80

  /// A weight in whole units.
  package struct Weight: Sendable {
    fileprivate let units: Int64

    /// A share of one.
    package init(_ share: Double) {
      let whole = Double(1 << RareEventTotals.weightBits)
      units = Int64((min(max(share, 0), 1) * whole).rounded())
    }

    /// What is missing to one.
    package var rest: Weight { Weight(units: (1 << RareEventTotals.weightBits) - units) }

    /// Whether it is nothing.
    package var isZero: Bool { units == 0 }

    private init(units: Int64) {
      self.units = units
    }
  }

  /// One of the two ways to leave in a run, as it was lived through.
  package struct Branch: Sendable {
    let weight: Weight
    let tally: RunTally
    let events: Int

    package init(weight: Weight, tally: RunTally, events: Int) {
      self.weight = weight
      self.tally = tally
      self.events = events
    }
  }

  package init() {}

  /// Adds a run.
  ///
  /// - Parameters:
  ///   - inside: the run with a moment of danger; nil if it has no weight.
  ///   - outside: the run with any other moment; nil if it has no weight.
  package mutating func add(_ inside: Branch?, _ outside: Branch?) {
    runs += 1
    var x: Int128 = 0
    for branch in [inside, outside] {
      guard let branch else { continue }
      let weight = Int128(branch.weight.units)
      let count = Int128(branch.tally[.signOuts])
      x += weight * count
      plainSquares += weight * count * count
      plainEvents += weight * Int128(branch.events)
      guard count > 0 else { continue }
      for cause in SignOutCause.allCases {
        causes[cause.rawValue] += weight * Int128(branch.tally[cause])
      }
    }
    sum += x
    squares += (x * x) >> Int128(2 * Self.weightBits - Self.squareBits)
    weights += Int128(inside?.weight.units ?? 0)
    sumOutside += outside.map { Int128($0.weight.units) * Int128($0.tally[.signOuts]) } ?? 0
  }

  /// Notes what was lived through once, whatever it is for.
  package mutating func note(
    _ fingerprint: Fingerprint, run: UInt64, events: Int, violation: Invariants.Violation?
  ) {
    self.fingerprint &+= fingerprint.marked(run: run)
    self.events += events
    if let violation { note(Totals.Breach(run: run, rule: violation)) }
  }

  /// Keeps the violation of the lowest run.
  private mutating func note(_ found: Totals.Breach) {
    if let violation, violation.run <= found.run { return }
    violation = found
  }

  /// Adds the totals of other runs.
  package mutating func merge(_ other: RareEventTotals) {
    runs += other.runs
    fingerprint &+= other.fingerprint
    events += other.events
    if let theirs = other.violation { note(theirs) }
    sum += other.sum
    squares += other.squares
    sumOutside += other.sumOutside
    weights += other.weights
    plainSquares += other.plainSquares
    plainEvents += other.plainEvents
    for index in causes.indices { causes[index] += other.causes[index] }
  }
}

extension RareEventTotals: Mergeable {}

/// What the sums say.
extension RareEventTotals {
  private static func value(_ sum: Int128, bits: Int = weightBits) -> Double {
    Double(sum) * Double(sign: .plus, exponent: -bits, significand: 1)
  }

  /// Sign-outs per run; 0 without runs.
  public var mean: Double { runs == 0 ? 0 : Self.value(sum) / Double(runs) }

  /// The probability of leaving at a moment of danger; 0 without runs.
  public var danger: Double { runs == 0 ? 0 : Self.value(weights) / Double(runs) }

  /// The share of the sign-outs that moments without danger gave; nil if there are none.
  public var shareOutside: Double? { sum == 0 ? nil : Double(sumOutside) / Double(sum) }

  /// The share of the sign-outs that a cause has; nil if there are none.
  public func share(of cause: SignOutCause) -> Double? {
    sum == 0 ? nil : Double(causes[cause.rawValue]) / Double(sum)
  }

  /// How many sign-outs of equal weight would tell as much, (Σx)²/Σx².
  public var effectiveSignOuts: Double {
    let total = Self.value(sum)
    return squares == 0 ? 0 : total * total / Self.value(squares, bits: Self.squareBits)
  }

  /// Fewer effective sign-outs than this tell no interval: the run that weighs most may not have come yet.
  public static let leastEffectiveSignOuts = 30.0

  /// The variance of what a run gives; 0 where there is none to be seen.
  private var variance: Double {
    guard runs > 1 else { return 0 }
    let squares = Self.value(self.squares, bits: Self.squareBits)
    let around = squares - Double(runs) * mean * mean
    let rounding =
      1e-13 * squares + Self.value(Int128(runs), bits: Self.squareBits)
    return around > rounding ? around / Double(runs - 1) : 0
  }

  /// The standard error of the mean.
  public var standardError: Double { runs == 0 ? 0 : (variance / Double(runs)).squareRoot() }

  /// Sign-outs per run with their 95 % interval; nil if too few were seen to tell one.
  public var rate: RateEstimate? {
    guard effectiveSignOuts >= Self.leastEffectiveSignOuts else { return nil }
    return RateEstimate.mean(mean, error: standardError, runs: runs)
  }

  /// How many plain runs tell as much as one of these; nil if too few sign-outs were seen to know.
  public var gain: Double? {
    guard rate != nil, variance > 0 else { return nil }
    return (Self.value(plainSquares) / Double(runs) - mean * mean) / variance
  }

  /// How much more these runs tell than plain ones of as many events; nil if too few sign-outs were seen to know.
  public var gainPerEvent: Double? { gain.map { $0 * Self.value(plainEvents) / Double(events) } }

  /// How many runs would know the mean to within a tenth of itself, by its standard error; nil without a sign-out.
  public var runsToATenth: Double? {
    guard mean > 0, variance > 0 else { return nil }
    return variance / (mean * mean * 0.01)
  }
}
