/// What the prediction must know of a distribution, in seconds and without sampling.
package struct DelayLaw {
  private typealias Functions = ElementaryFunctions

  private let distribution: Distribution
  /// The different values of an empirical distribution with the share that exceeds each, and the sums of the
  /// values from each on.
  private let table: EmpiricalTable?
  /// A sum is its constants, a first random part, and the rest; nil if it has fewer parts.
  private let shift: Double
  private let parts: [DelayLaw]
  /// The constants and all but the last part of a sum, as points.
  private var firstNodes: [Node] = []

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
    if case .sum(let distributions) = distribution, !parts.isEmpty {
      let last = self.parts.count - 1
      firstNodes = DelayLaw(sumOf: Array(self.parts[..<last]), shift: shift, distributions)
        .nodes(atMost: Self.mostNodes)
    }
  }

  /// The sum of laws that are known already.
  private init(sumOf parts: [DelayLaw], shift: Double, _ distributions: [Distribution]) {
    distribution = .sum(distributions)
    table = nil
    self.shift = shift
    self.parts = parts
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
    case .sum: return overFirstPart(k) { $0.stopLoss($1) }
    }
  }

  /// The probability that a draw exceeds `k`.
  package func survival(_ k: Double) -> Double {
    guard k >= least else { return 1 }
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
    case .sum: return overFirstPart(k) { $0.survival($1) }
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
      return nodes(atMost: 1024).reduce(0) { $0 + $1.weight * function($1.value) }
    case .sum: return mean(of: function, overPoints: Self.mostNodes)
    }
  }

  /// The mean of `function` over at most this many points that stand for the draws.
  package func mean(of function: (Double) -> Double, overPoints most: Int) -> Double {
    Self.grouped(nodes(atMost: Self.mostNodes), atMost: most)
      .reduce(0) { $0 + $1.weight * function($1.value) }
  }

  /// Neighbouring points put together into about this many, each group at its mean.
  private static func grouped(_ nodes: [Node], atMost most: Int) -> [Node] {
    guard nodes.count > most else { return nodes }
    var groups: [Node] = []
    var group = Node(value: 0, weight: 0)
    for node in nodes.sorted(by: { $0.value < $1.value }) where node.weight > 0 {
      let weight = group.weight + node.weight
      let value = (group.value * group.weight + node.value * node.weight) / weight
      group = Node(value: value, weight: weight)
      if weight * Double(most) >= 1 {
        groups.append(group)
        group = Node(value: 0, weight: 0)
      }
    }
    return group.weight > 0 ? groups + [group] : groups
  }

  /// The most points that a law is averaged over.
  private static let mostNodes = 256

  /// A value of the last part's law, averaged over the other parts.
  private func overFirstPart(_ k: Double, _ value: (DelayLaw, Double) -> Double) -> Double {
    guard let last = parts.last else { return 0 }
    return firstNodes.reduce(0) { $0 + $1.weight * value(last, k - $1.value) }
  }

  /// Points with weights whose averages stand for the mean over the draws.
  ///
  /// A log-normal or exponential part is cut by the trapezoid rule in a variable in which its density falls
  /// off at both ends, where that rule converges faster than any power; measured values are grouped.
  private func nodes(atMost most: Int) -> [Node] {
    switch distribution {
    case .constant(let value): return [Node(value: value.inSeconds, weight: 1)]
    case .uniform(let from, let to):
      let count = min(most, 256)
      let width = (to.inSeconds - from.inSeconds) / Double(count)
      return (0..<count).map {
        Node(value: from.inSeconds + (Double($0) + 0.5) * width, weight: 1 / Double(count))
      }
    case .exponential(let mean):
      // t = exp(x - exp(-x)): the double exponential rule for a half line.
      return trapezoid(from: -4, to: 5, count: min(most, 144)) { x in
        let t = Functions.exp(x - Functions.exp(-x))
        return Node(
          value: mean.inSeconds * t, weight: Functions.exp(-t) * t * (1 + Functions.exp(-x)))
      }
    case .logNormal(let logNormal):
      let (mu, sigma) = logNormal.logarithm
      return trapezoid(from: -9, to: 9, count: min(most, 144)) { z in
        Node(value: Functions.exp(mu + sigma * z), weight: Functions.normalDensity(z))
      }
    case .empirical: return Self.grouped(table?.nodes ?? [], atMost: most)
    case .sum:
      return parts.reduce([Node(value: shift, weight: 1)]) { sums, part in
        let nodes = part.nodes(atMost: most)
        let all = sums.flatMap { sum in
          nodes.map { Node(value: sum.value + $0.value, weight: sum.weight * $0.weight) }
        }
        return Self.grouped(all, atMost: most)
      }
    }
  }

  private func trapezoid(
    from: Double, to: Double, count: Int, _ node: (Double) -> Node
  ) -> [Node] {
    let step = (to - from) / Double(count)
    let nodes = (0...count).map { node(from + Double($0) * step) }
    let total = nodes.reduce(0) { $0 + $1.weight }
    return nodes.map { Node(value: $0.value, weight: $0.weight / total) }
  }
}

/// A point that stands for a share of the draws.
private struct Node {
  let value: Double
  let weight: Double
}

/// Measured values, sorted and summed.
private struct EmpiricalTable {
  /// The different values in ascending order, in seconds.
  let values: [Double]
  /// How many draws have each value.
  private let weights: [Double]
  /// How many draws exceed each value, and their sum.
  private let countAbove: [Double]
  private let sumAbove: [Double]
  private let count: Double

  init(_ empirical: Empirical) {
    var values: [Double] = []
    var weights: [Double] = []
    for nanoseconds in empirical.nanoseconds {
      let value = Double(nanoseconds) * 1e-9
      if values.last == value {
        weights[weights.count - 1] += 1
      } else {
        values.append(value)
        weights.append(1)
      }
    }
    var countAbove = [Double](repeating: 0, count: values.count)
    var sumAbove = countAbove
    for index in values.indices.dropLast().reversed() {
      countAbove[index] = countAbove[index + 1] + weights[index + 1]
      sumAbove[index] = sumAbove[index + 1] + weights[index + 1] * values[index + 1]
    }
    self.values = values
    self.weights = weights
    self.countAbove = countAbove
    self.sumAbove = sumAbove
    count = Double(empirical.count)
  }

  var mean: Double { (sumAbove[0] + weights[0] * values[0]) / count }

  func stopLoss(_ k: Double) -> Double {
    let index = last(atMost: k)
    return (sumAbove[index] - k * countAbove[index]) / count
  }

  func survival(_ k: Double) -> Double { countAbove[last(atMost: k)] / count }

  /// The values with their shares.
  var nodes: [Node] { zip(values, weights).map { Node(value: $0, weight: $1 / count) } }

  /// The position of the last value that is at most `k`, which must not be below the first.
  private func last(atMost k: Double) -> Int {
    var low = 0
    var high = values.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if values[middle] <= k { low = middle } else { high = middle }
    }
    return low
  }
}
