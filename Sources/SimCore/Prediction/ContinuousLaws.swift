private typealias Functions = ElementaryFunctions

/// Memoryless.
struct ExponentialLaw: Law {
  let mean: Double

  var least: Double { 0 }
  var nearlyLeast: Double { 1e-6 * mean }
  var nearlyGreatest: Double { 13.8 * mean }
  var greatest: Double { 35 * mean }
  func stopLoss(_ k: Double) -> Double { mean * Functions.exp(-k / mean) }
  func survival(_ k: Double) -> Double { Functions.exp(-k / mean) }

  func expectation(tolerance: Double, _ function: (Double) -> Double) -> Double {
    Quadrature.integral(splits: [0, 1, 4, 12, 40], tolerance: tolerance) {
      Functions.exp(-$0) * function(mean * $0)
    }
  }

  func points(atMost most: Int) -> WeightedPoints {
    .doubleExponential(count: min(most, 144)) { t in (mean * t, Functions.exp(-t)) }
  }
}

/// A power of it is exponential.
struct WeibullLaw: Law {
  private let shape: Double
  private let scale: Double
  let mean: Double

  init(shape: Double, scale: Double) {
    self.shape = shape
    self.scale = scale
    mean = scale * Functions.gamma(1 + 1 / shape)
  }

  var least: Double { 0 }
  var nearlyLeast: Double { value(1e-6) }
  var nearlyGreatest: Double { value(13.8155106) }
  var greatest: Double { value(35) }

  /// The value that corresponds to one of an exponential law of mean 1.
  private func value(_ exponential: Double) -> Double {
    scale * Functions.exp(Functions.log(exponential) / shape)
  }

  private func exponential(_ value: Double) -> Double {
    Functions.exp(shape * Functions.log(value / scale))
  }

  func stopLoss(_ k: Double) -> Double {
    mean * Functions.upperGammaShare(1 / shape, exponential(k))
  }

  func survival(_ k: Double) -> Double { Functions.exp(-exponential(k)) }

  func expectation(tolerance: Double, _ function: (Double) -> Double) -> Double {
    // In this variable even a root of the exponential is smooth.
    Quadrature.integral(splits: [-4, -2, 0, 1, 2, 3, 5], tolerance: tolerance) { x in
      let (t, slope) = WeightedPoints.halfLine(x)
      return Functions.exp(-t) * slope * function(value(t))
    }
  }

  func points(atMost most: Int) -> WeightedPoints {
    .doubleExponential(count: min(most, 144)) { t in (value(t), Functions.exp(-t)) }
  }
}

/// The logarithm is normal.
struct LogNormalLaw: Law {
  private let mu: Double
  private let sigma: Double
  let mean: Double

  init(mu: Double, sigma: Double) {
    self.mu = mu
    self.sigma = sigma
    mean = Functions.exp(mu + 0.5 * sigma * sigma)
  }

  var least: Double { 0 }
  var nearlyLeast: Double { Functions.exp(mu + sigma * Functions.normalQuantile(1e-6)) }
  var nearlyGreatest: Double { Functions.exp(mu - sigma * Functions.normalQuantile(1e-6)) }
  var greatest: Double { Functions.exp(mu + 8 * sigma) }

  func stopLoss(_ k: Double) -> Double {
    let z = (mu - Functions.log(k)) / sigma
    return max(
      0, mean * Functions.normalDistribution(z + sigma) - k * Functions.normalDistribution(z))
  }

  func survival(_ k: Double) -> Double {
    k > 0 ? Functions.normalDistribution((mu - Functions.log(k)) / sigma) : 1
  }

  func expectation(tolerance: Double, _ function: (Double) -> Double) -> Double {
    Quadrature.integral(splits: [-9, -3, 0, 3, 9], tolerance: tolerance) {
      Functions.normalDensity($0) * function(Functions.exp(mu + sigma * $0))
    }
  }

  func points(atMost most: Int) -> WeightedPoints {
    .trapezoid(from: -9, to: 9, count: min(most, 144)) { z in
      (Functions.exp(mu + sigma * z), Functions.normalDensity(z))
    }
  }
}

/// Normal, and zero in place of what would be negative.
struct CutNormalLaw: Law {
  private let mu: Double
  private let sigma: Double
  /// Below this standard normal number the draw is zero.
  private let cut: Double
  let mean: Double

  init(mu: Double, sigma: Double) {
    self.mu = mu
    self.sigma = sigma
    cut = -mu / sigma
    mean = Self.excess(mu, sigma)
  }

  /// The mean of the positive part of a normal variable.
  private static func excess(_ mu: Double, _ sigma: Double) -> Double {
    let z = mu / sigma
    return max(0, mu * Functions.normalDistribution(z) + sigma * Functions.normalDensity(z))
  }

  var least: Double { 0 }
  var nearlyLeast: Double { max(0, mu + sigma * Functions.normalQuantile(1e-6)) }
  var nearlyGreatest: Double { mu - sigma * Functions.normalQuantile(1e-6) }
  var greatest: Double { mu + 8 * sigma }
  func stopLoss(_ k: Double) -> Double { Self.excess(mu - k, sigma) }
  func survival(_ k: Double) -> Double { Functions.normalDistribution((mu - k) / sigma) }

  /// The probability of zero.
  private var atZero: Double { Functions.normalDistribution(cut) }

  func expectation(tolerance: Double, _ function: (Double) -> Double) -> Double {
    let positive = Quadrature.integral(
      splits: [-9, -3, 0, 3, 9].map { max($0, cut) }, tolerance: tolerance
    ) {
      Functions.normalDensity($0) * function(mu + sigma * $0)
    }
    return positive + atZero * function(0)
  }

  func points(atMost most: Int) -> WeightedPoints {
    let count = min(most, 144)
    guard cut > -9 else {
      return .trapezoid(from: -9, to: 9, count: count) { z in
        (mu + sigma * z, Functions.normalDensity(z))
      }
    }
    let positive = WeightedPoints.doubleExponential(count: count) { t in
      (sigma * t, Functions.normalDensity(cut + t))
    }
    return .mixture([(atZero, WeightedPoints([(0, 1)])), (1 - atZero, positive)])
  }
}
