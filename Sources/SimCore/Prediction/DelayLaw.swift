/// What the prediction must know of a distribution, in seconds and without sampling.
package struct DelayLaw {
  private typealias Functions = ElementaryFunctions

  private let distribution: Distribution
  /// The values of an empirical distribution.
  private let table: EmpiricalTable?
  /// The constants of a sum, added.
  private let shift: Double
  /// The random parts of a sum, the widest last.
  private let parts: [DelayLaw]
  /// The constants and all but the last part of a sum, as points.
  private let firstParts: WeightedPoints
  /// The stop-loss transform of a sum, tabulated; nil where it is known in closed form.
  private var stopLossTable: StopLossTable?

  package init(_ distribution: Distribution) {
    self.distribution = distribution
    var table: EmpiricalTable?
    var shift = 0.0
    var parts: [DelayLaw] = []
    switch distribution {
    case .empirical(let empirical): table = EmpiricalTable(empirical)
    case .sum(let distributions):
      for part in distributions {
        if case .constant(let value) = part {
          shift += value.inSeconds
        } else {
          parts.append(DelayLaw(part))
        }
      }
    default: break
    }
    self.table = table
    self.shift = shift
    // The last part keeps its closed form: the widest, beside which points of the others lie close.
    self.parts = parts.sorted { $0.mean < $1.mean }
    firstParts =
      parts.isEmpty
      ? WeightedPoints([])
      : Self.points(ofSum: self.parts.dropLast(), shift, atMost: Self.mostPoints)
  }

  /// The same law with a table of its stop-loss transform, for a sum of several random parts.
  func tabulated() -> DelayLaw {
    guard parts.count > 1 else { return self }
    var law = self
    law.stopLossTable = StopLossTable(from: least, to: greatest) { (stopLoss($0), survival($0)) }
    return law
  }

  /// The mean.
  package var mean: Double {
    switch distribution {
    case .constant(let value): value.inSeconds
    case .uniform(let from, let to): 0.5 * (from.inSeconds + to.inSeconds)
    case .exponential(let mean): mean.inSeconds
    case .logNormal(let logNormal): Self.mean(of: logNormal)
    case .empirical: table?.mean ?? 0
    case .sum: parts.reduce(shift) { $0 + $1.mean }
    }
  }

  private static func mean(of logNormal: LogNormal) -> Double {
    let (mu, sigma) = logNormal.logarithm
    return Functions.exp(mu + 0.5 * sigma * sigma)
  }

  /// The greatest number that no draw falls below.
  package var least: Double {
    switch distribution {
    case .constant(let value): value.inSeconds
    case .uniform(let from, _): from.inSeconds
    case .exponential, .logNormal: 0
    case .empirical: table?.values.first ?? 0
    case .sum: parts.reduce(shift) { $0 + $1.least }
    }
  }

  /// A number that draws fall below once in a million times, or never.
  package var nearlyLeast: Double {
    switch distribution {
    case .exponential(let mean): 1e-6 * mean.inSeconds
    case .logNormal(let logNormal):
      Functions.exp(
        logNormal.logarithm.mu + logNormal.logarithm.sigma * Functions.normalQuantile(1e-6))
    case .sum: parts.reduce(shift) { $0 + $1.nearlyLeast }
    case .constant, .uniform, .empirical: least
    }
  }

  /// A number that draws exceed once in a million times, or never.
  package var nearlyGreatest: Double {
    switch distribution {
    case .exponential(let mean): 13.8 * mean.inSeconds
    case .logNormal(let logNormal):
      Functions.exp(
        logNormal.logarithm.mu - logNormal.logarithm.sigma * Functions.normalQuantile(1e-6))
    case .sum: parts.reduce(shift) { $0 + $1.nearlyGreatest }
    case .constant, .uniform, .empirical: greatest
    }
  }

  /// A number that draws exceed with a probability of less than 1e-15, or never.
  package var greatest: Double {
    switch distribution {
    case .constant(let value): value.inSeconds
    case .uniform(_, let to): to.inSeconds
    case .exponential(let mean): 35 * mean.inSeconds
    case .logNormal(let logNormal):
      Functions.exp(logNormal.logarithm.mu + 8 * logNormal.logarithm.sigma)
    case .empirical: table?.values.last ?? 0
    case .sum: parts.reduce(shift) { $0 + $1.greatest }
    }
  }

  /// The stop-loss transform: the mean of how much a draw exceeds `k`.
  package func stopLoss(_ k: Double) -> Double {
    guard k > least else { return mean - k }
    if let stopLossTable { return stopLossTable.stopLoss(k) }
    switch distribution {
    case .constant: return 0
    case .uniform(let from, let to):
      let (a, c) = (from.inSeconds, to.inSeconds)
      return k >= c ? 0 : (c - k) * (c - k) / (2 * (c - a))
    case .exponential(let mean):
      return mean.inSeconds * Functions.exp(-k / mean.inSeconds)
    case .logNormal(let logNormal):
      let (mu, sigma) = logNormal.logarithm
      guard sigma > 0 else { return max(0, Functions.exp(mu) - k) }
      let z = (mu - Functions.log(k)) / sigma
      let excess =
        mean * Functions.normalDistribution(z + sigma) - k * Functions.normalDistribution(z)
      return max(0, excess)
    case .empirical: return table?.stopLoss(k) ?? 0
    case .sum: return overFirstParts(k) { $0.stopLoss($1) }
    }
  }

  /// The probability that a draw exceeds `k`.
  package func survival(_ k: Double) -> Double {
    guard k >= least else { return 1 }
    if let stopLossTable { return stopLossTable.survival(k) }
    switch distribution {
    case .constant: return 0
    case .uniform(let from, let to):
      return max(0, (to.inSeconds - k) / (to.inSeconds - from.inSeconds))
    case .exponential(let mean): return Functions.exp(-k / mean.inSeconds)
    case .logNormal(let logNormal):
      let (mu, sigma) = logNormal.logarithm
      guard k > 0 else { return 1 }
      guard sigma > 0 else { return k < Functions.exp(mu) ? 1 : 0 }
      return Functions.normalDistribution((mu - Functions.log(k)) / sigma)
    case .empirical: return table?.survival(k) ?? 0
    case .sum: return overFirstParts(k) { $0.survival($1) }
    }
  }

  /// The mean of `function` over the draws.
  package func expectation(tolerance: Double, _ function: (Double) -> Double) -> Double {
    switch distribution {
    case .constant(let value): return function(value.inSeconds)
    case .uniform(let from, let to):
      let (a, c) = (from.inSeconds, to.inSeconds)
      guard c > a else { return function(a) }
      return Quadrature.integral(splits: [a, c], tolerance: tolerance * (c - a), function)
        / (c - a)
    case .exponential(let mean):
      return Quadrature.integral(splits: [0, 1, 4, 12, 40], tolerance: tolerance) {
        Functions.exp(-$0) * function(mean.inSeconds * $0)
      }
    case .logNormal(let logNormal):
      let (mu, sigma) = logNormal.logarithm
      return Quadrature.integral(splits: [-9, -3, 0, 3, 9], tolerance: tolerance) {
        Functions.normalDensity($0) * function(Functions.exp(mu + sigma * $0))
      }
    case .empirical:
      return points(atMost: 1024).mean(of: function)
    case .sum: return mean(of: function, overPoints: Self.mostPoints)
    }
  }

  /// The mean of `function` over at most about this many points that stand for the draws.
  package func mean(of function: (Double) -> Double, overPoints most: Int) -> Double {
    points(atMost: Self.mostPoints).grouped(atMost: most).mean(of: function)
  }

  /// The most points that a law is averaged over.
  private static let mostPoints = 256

  /// A value of the last part's law, averaged over the other parts.
  private func overFirstParts(_ k: Double, _ value: (DelayLaw, Double) -> Double) -> Double {
    guard let last = parts.last else { return 0 }
    return firstParts.mean { value(last, k - $0) }
  }

  /// Points whose weighted averages stand for the mean over the draws.
  ///
  /// A log-normal or exponential law is cut by the trapezoid rule in a variable in which its density falls
  /// off at both ends, where that rule converges faster than any power.
  private func points(atMost most: Int) -> WeightedPoints {
    switch distribution {
    case .constant(let value): return WeightedPoints([(value.inSeconds, 1)])
    case .uniform(let from, let to):
      let width = (to.inSeconds - from.inSeconds) / Double(most)
      return WeightedPoints(
        (0..<most).map { (from.inSeconds + (Double($0) + 0.5) * width, 1 / Double(most)) })
    case .exponential(let mean):
      // t = exp(x - exp(-x)): the double exponential rule for a half line.
      return .trapezoid(from: -4, to: 5, count: min(most, 144)) { x in
        let t = Functions.exp(x - Functions.exp(-x))
        return (mean.inSeconds * t, Functions.exp(-t) * t * (1 + Functions.exp(-x)))
      }
    case .logNormal(let logNormal):
      let (mu, sigma) = logNormal.logarithm
      return .trapezoid(from: -9, to: 9, count: min(most, 144)) { z in
        (Functions.exp(mu + sigma * z), Functions.normalDensity(z))
      }
    case .empirical: return (table?.points ?? WeightedPoints([])).grouped(atMost: most)
    case .sum: return Self.points(ofSum: parts[...], shift, atMost: most)
    }
  }

  private static func points(
    ofSum parts: ArraySlice<DelayLaw>, _ shift: Double, atMost most: Int
  ) -> WeightedPoints {
    parts.reduce(WeightedPoints([(shift, 1)])) { sums, part in
      sums.adding(part.points(atMost: most)).grouped(atMost: most)
    }
  }
}
