/// How a delay or another length of time is distributed.
///
/// All values are at least zero.
public indirect enum Distribution: Equatable, Sendable {
  /// Always the same.
  case constant(Duration)
  /// Every length between the two is equally likely.
  case uniform(from: Duration, to: Duration)
  /// Memoryless, with this mean.
  case exponential(mean: Duration)
  /// The logarithm is normal.
  case logNormal(LogNormal)
  /// Independent draws from measured values.
  case empirical(Empirical)
  /// Independent parts, added.
  case sum([Distribution])
}

/// A log-normal distribution, in one of three ways of giving it.
public enum LogNormal: Equatable, Sendable {
  /// By its mean and the standard deviation of the logarithm.
  case mean(Duration, sigma: Double)
  /// By its median and the standard deviation of the logarithm.
  case median(Duration, sigma: Double)
  /// By two of its quantiles.
  case quantiles(Quantile, Quantile)

  /// The length of time that a share of the draws does not exceed.
  public struct Quantile: Equatable, Sendable {
    /// The share, strictly between 0 and 1.
    public let probability: Double
    /// The length of time.
    public let value: Duration

    /// A quantile by its share and its length of time.
    public init(probability: Double, value: Duration) {
      self.probability = probability
      self.value = value
    }
  }

  /// Mean and standard deviation of the logarithm of the length in seconds.
  package var logarithm: (mu: Double, sigma: Double) {
    switch self {
    case .mean(let mean, let sigma):
      (ElementaryFunctions.log(mean.inSeconds) - 0.5 * sigma * sigma, sigma)
    case .median(let median, let sigma):
      (ElementaryFunctions.log(median.inSeconds), sigma)
    case .quantiles(let first, let second):
      twoQuantiles(first, second)
    }
  }

  private func twoQuantiles(_ first: Quantile, _ second: Quantile) -> (mu: Double, sigma: Double) {
    let z1 = ElementaryFunctions.normalQuantile(first.probability)
    let z2 = ElementaryFunctions.normalQuantile(second.probability)
    let log1 = ElementaryFunctions.log(first.value.inSeconds)
    let sigma = (ElementaryFunctions.log(second.value.inSeconds) - log1) / (z2 - z1)
    return (log1 - sigma * z1, sigma)
  }
}

/// Measured values to draw from.
public struct Empirical: Equatable, Sendable {
  /// Where the values came from.
  public struct Source: Equatable, Sendable {
    /// The file, as it was named.
    public let file: String
    /// The column of the file.
    public let column: String
    /// The factor that each value of the file was multiplied by.
    public let scale: Double

    /// A source by file, column, and factor.
    public init(file: String, column: String, scale: Double) {
      self.file = file
      self.column = column
      self.scale = scale
    }
  }

  /// The values in ascending order, in nanoseconds.
  package let nanoseconds: [Int64]
  /// Where they came from.
  public let source: Source

  /// Measured values, in nanoseconds and any order.
  ///
  /// - Precondition: there is at least one value, and none is negative.
  package init(nanoseconds: [Int64], source: Source) {
    precondition(!nanoseconds.isEmpty, "An empirical distribution needs a value.")
    self.nanoseconds = nanoseconds.sorted()
    precondition(self.nanoseconds[0] >= 0, "A measured length of time is not negative.")
    self.source = source
  }

  /// How many values there are.
  public var count: Int { nanoseconds.count }
}

extension Distribution {
  /// What is wrong with the parameters, as a clause that follows the name of the field; nil if nothing is.
  public var problem: String? {
    switch self {
    case .constant(let value):
      value < .zero ? "is negative" : nil
    case .uniform(let from, let to):
      from < .zero ? "begins below zero" : to < from ? "ends before it begins" : nil
    case .exponential(let mean):
      mean < .zero ? "has a negative mean" : nil
    case .logNormal(let logNormal):
      logNormal.problem
    case .empirical:
      nil
    case .sum(let parts):
      parts.isEmpty ? "is a sum of nothing" : parts.lazy.compactMap(\.problem).first
    }
  }
}

extension LogNormal {
  fileprivate var problem: String? {
    switch self {
    case .mean(let value, let sigma), .median(let value, let sigma):
      if value <= .zero { return "needs a mean or median above zero" }
      return sigma >= 0 && sigma <= 20 ? nil : "needs a sigma from 0 to 20"
    case .quantiles(let first, let second):
      if !(0 < first.probability && first.probability < second.probability
        && second.probability < 1)
      {
        return "needs two different probabilities between 0 and 1, the lower first"
      }
      return .zero < first.value && first.value <= second.value
        ? nil : "needs quantiles above zero that do not fall"
    }
  }
}
