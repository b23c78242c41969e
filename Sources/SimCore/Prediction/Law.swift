/// A law of lengths of time in seconds, whose transforms need no sampling.
protocol Law: Sendable {
  /// The mean.
  var mean: Double { get }
  /// The greatest number that no draw falls below.
  var least: Double { get }
  /// A number that draws fall below at most once in a million times.
  var nearlyLeast: Double { get }
  /// A number that draws exceed at most once in a million times.
  var nearlyGreatest: Double { get }
  /// A number that draws exceed with a probability of less than 1e-15, or never.
  var greatest: Double { get }
  /// Whether draws have many values of which each is likely, as measured ones have.
  var isStaircase: Bool { get }

  /// The mean of how much a draw exceeds `k`, which must be above the least.
  func stopLoss(_ k: Double) -> Double
  /// The probability that a draw exceeds `k`, which must not be below the least.
  func survival(_ k: Double) -> Double
  /// The mean of `function` over the draws.
  func expectation(tolerance: Double, _ function: (Double) -> Double) -> Double
  /// At most about this many points whose weighted averages stand for the mean over the draws.
  ///
  /// A smooth law is cut by the trapezoid rule in a variable in which its density falls off at both ends, where that
  /// rule converges faster than any power.
  func points(atMost most: Int) -> WeightedPoints
  /// The same law with a table of its stop-loss transform, if that is no closed form.
  func tabulated() -> any Law
}

extension Law {
  var nearlyLeast: Double { least }
  var nearlyGreatest: Double { greatest }
  var isStaircase: Bool { false }
  func tabulated() -> any Law { self }
}

/// Always the same.
struct ConstantLaw: Law {
  private let value: Double

  init(_ value: Double) {
    self.value = value
  }

  var mean: Double { value }
  var least: Double { value }
  var greatest: Double { value }
  func stopLoss(_ k: Double) -> Double { 0 }
  func survival(_ k: Double) -> Double { 0 }

  func expectation(tolerance: Double, _ function: (Double) -> Double) -> Double {
    function(value)
  }

  func points(atMost most: Int) -> WeightedPoints { WeightedPoints([(value, 1)]) }
}

/// Every value between the two is equally likely.
struct UniformLaw: Law {
  private let from: Double
  private let to: Double

  init(from: Double, to: Double) {
    self.from = from
    self.to = to
  }

  var mean: Double { 0.5 * (from + to) }
  var least: Double { from }
  var greatest: Double { to }

  func stopLoss(_ k: Double) -> Double {
    k >= to ? 0 : (to - k) * (to - k) / (2 * (to - from))
  }

  func survival(_ k: Double) -> Double { max(0, (to - k) / (to - from)) }

  func expectation(tolerance: Double, _ function: (Double) -> Double) -> Double {
    let width = to - from
    return Quadrature.integral(splits: [from, to], tolerance: tolerance * width, function) / width
  }

  func points(atMost most: Int) -> WeightedPoints {
    let width = (to - from) / Double(most)
    return WeightedPoints(
      (0..<most).map { (from + (Double($0) + 0.5) * width, 1 / Double(most)) })
  }
}

/// The logarithm is uniform.
struct LogUniformLaw: Law {
  private let from: Double
  private let to: Double
  /// The logarithm of the ratio of the ends.
  private let width: Double

  init(from: Double, to: Double) {
    self.from = from
    self.to = to
    width = ElementaryFunctions.log(to / from)
  }

  var mean: Double { (to - from) / width }
  var least: Double { from }
  var greatest: Double { to }

  func stopLoss(_ k: Double) -> Double {
    k >= to ? 0 : max(0, to - k - k * ElementaryFunctions.log(to / k)) / width
  }

  func survival(_ k: Double) -> Double {
    k >= to ? 0 : ElementaryFunctions.log(to / k) / width
  }

  func expectation(tolerance: Double, _ function: (Double) -> Double) -> Double {
    Quadrature.integral(splits: [0, 1], tolerance: tolerance) {
      function(from * ElementaryFunctions.exp(width * $0))
    }
  }

  /// Cells of equal probability, each at its mean.
  func points(atMost most: Int) -> WeightedPoints {
    let step = width / Double(most)
    let meanFactor = (ElementaryFunctions.exp(step) - 1) / step
    return WeightedPoints(
      (0..<most).map {
        (from * ElementaryFunctions.exp(Double($0) * step) * meanFactor, 1 / Double(most))
      })
  }
}
