import SimCore

/// How many runs would decide what those that were done leave open.
struct RunsNeeded: Equatable {
  /// The quantile of the normal distribution that leaves 10 % above it.
  private static let z90 = 1.2815515655446004
  /// More than anyone carries out.
  private static let most = 1e12

  /// The number of runs; nil if it is more than are feasible.
  let count: Int?

  /// A number of runs from elsewhere.
  init(_ count: Int) {
    self.count = Double(count) < Self.most ? count : nil
  }

  /// The runs after which the interval of a value excludes a limit with a chance of 90 %, if the value is right.
  ///
  /// Intervals shrink with the root of the number of runs. One of a value that was never seen shrinks with the
  /// number itself, as long as none is seen.
  ///
  /// - Parameters:
  ///   - runs: the runs done.
  ///   - value: what they gave, with its interval.
  ///   - limit: the limit that lies within it.
  ///   - confidence: that of the interval.
  init(runs: Int, _ value: Reading, limit: Double, _ confidence: Confidence = .usual) {
    let distance = (limit - value.estimate).magnitude
    let half = limit > value.estimate ? value.high - value.estimate : value.estimate - value.low
    let root = (1 + Self.z90 / confidence.z) * half / distance
    let factor = value.estimate == 0 && limit > 0 ? value.high / limit : root * root
    let needed = Double(runs) * factor
    count = needed < Self.most ? Int(needed.rounded(.up)) : nil
  }

  /// The number to two digits, rounded up, as part of a sentence.
  var words: String {
    guard let count else { return "more runs than are feasible would decide" }
    var unit = 1
    while count / unit >= 100 { unit *= 10 }
    return "about \(((count + unit - 1) / unit * unit).grouped) runs would decide"
  }
}
