/// A log-normal distribution, in one of three ways of giving it.
public enum LogNormal: Equatable, Sendable {
  /// By its mean and the standard deviation of the logarithm.
  case mean(Duration, sigma: Double)
  /// By its median and the standard deviation of the logarithm.
  case median(Duration, sigma: Double)
  /// By two of its quantiles.
  case quantiles(Distribution.Quantile, Distribution.Quantile)

  /// Mean and standard deviation of the logarithm of the length in seconds.
  package var logarithm: (mu: Double, sigma: Double) {
    switch self {
    case .mean(let mean, let sigma):
      return (ElementaryFunctions.log(mean.inSeconds) - 0.5 * sigma * sigma, sigma)
    case .median(let median, let sigma):
      return (ElementaryFunctions.log(median.inSeconds), sigma)
    case .quantiles(let first, let second):
      let z1 = ElementaryFunctions.normalQuantile(first.probability)
      let z2 = ElementaryFunctions.normalQuantile(second.probability)
      let log1 = ElementaryFunctions.log(first.value.inSeconds)
      let sigma = (ElementaryFunctions.log(second.value.inSeconds) - log1) / (z2 - z1)
      return (log1 - sigma * z1, sigma)
    }
  }

  var problem: String? {
    switch self {
    case .mean(let value, let sigma), .median(let value, let sigma):
      if value <= .zero { return "needs a mean or median above zero" }
      return sigma >= 0 && sigma <= 20 ? nil : "needs a sigma from 0 to 20"
    case .quantiles(let first, let second):
      if let problem = Distribution.Quantile.problem(first, second) { return problem }
      // Quantiles whose probabilities differ only in their last places give no number at all.
      return logarithm.sigma <= 20 ? nil : "needs quantiles that give a sigma from 0 to 20"
    }
  }
}

extension Distribution.Quantile {
  /// What is wrong with a pair that is to determine two parameters.
  static func problem(_ first: Self, _ second: Self) -> String? {
    if !(0 < first.probability && first.probability < second.probability
      && second.probability < 1)
    {
      return "needs two different probabilities between 0 and 1, the lower first"
    }
    return .zero < first.value && first.value <= second.value
      ? nil : "needs quantiles above zero that do not fall"
  }
}
