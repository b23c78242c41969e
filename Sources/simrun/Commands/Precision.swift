import SimCore

/// How narrow intervals are to become before the runs stop.
struct Precision {
  /// The greatest half-width of an interval, as a share of its rate.
  let share: Double
  /// The rates to look at in the totals of one client.
  let rates: @Sendable (Totals) -> [RateEstimate]

  /// The runs up to the first look; each later one is at half as many again.
  static let firstLook = 1000

  /// Whether everything that was seen is known well enough, and something was seen.
  ///
  /// A rate of which nothing was seen has no share to be known to, and does not hold up the others.
  func isMet(by outcome: Replications.Outcome) -> Bool {
    let seen = outcome.totals.flatMap(rates).filter { $0.estimate > 0 }
    return !seen.isEmpty && seen.allSatisfy { ($0.high - $0.low) / 2 <= share * $0.estimate }
  }

  /// The numbers of runs at which to look, up to the most.
  static func looks(upTo most: Int) -> [Int] {
    var looks: [Int] = []
    var next = firstLook
    while next < most {
      looks.append(next)
      next += next / 2
    }
    return looks + [most]
  }
}
