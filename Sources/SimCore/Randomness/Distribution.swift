/// How a delay or another length of time is distributed.
///
/// All values are at least zero.
public indirect enum Distribution: Equatable, Sendable {
  /// Always the same.
  case constant(Duration)
  /// Every length between the two is equally likely.
  case uniform(from: Duration, to: Duration)
  /// The logarithm is uniform: each factor is as likely as any other.
  case logUniform(from: Duration, to: Duration)
  /// Memoryless, with this mean.
  case exponential(mean: Duration)
  /// Normal, by the mean and the standard deviation before the cut: a draw below zero becomes zero.
  case normal(mean: Duration, deviation: Duration)
  /// The logarithm is normal.
  case logNormal(LogNormal)
  /// A power is exponential.
  case weibull(Weibull)
  /// Draws from measured values.
  case empirical(Empirical)
  /// Independent parts, added.
  case sum([Distribution])
  /// One of the parts, chosen by its weight.
  case mixture([Part])
  /// A part whose draws are cut to a greatest value.
  case cap(Distribution, at: Duration)

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

  /// A part of a mixture.
  public struct Part: Equatable, Sendable {
    /// How often the part is chosen, beside the weights of the others; they need not add up to one.
    public let weight: Double
    /// What is drawn from if it is chosen.
    public let distribution: Distribution

    /// A part by its weight and its distribution.
    public init(weight: Double, _ distribution: Distribution) {
      self.weight = weight
      self.distribution = distribution
    }
  }
}

extension Distribution {
  /// What is wrong with the parameters, as a clause that follows the name of the field; nil if nothing is.
  public var problem: String? {
    switch self {
    case .constant(let value):
      value < .zero ? "is negative" : nil
    case .uniform(let from, let to):
      from < .zero ? "begins below zero" : to < from ? "ends before it begins" : nil
    case .logUniform(let from, let to):
      from <= .zero ? "needs a from above zero" : to < from ? "ends before it begins" : nil
    case .exponential(let mean):
      mean < .zero ? "has a negative mean" : nil
    case .normal(let mean, let deviation):
      mean < .zero ? "has a negative mean" : deviation < .zero ? "has a negative sd" : nil
    case .logNormal(let logNormal):
      logNormal.problem
    case .weibull(let weibull):
      weibull.problem
    case .empirical(let empirical):
      empirical.every.map { $0 < .nanoseconds(1) } ?? false
        ? "needs an every, the time from row to row, above zero" : nil
    case .sum(let parts):
      parts.isEmpty ? "is a sum of nothing" : parts.lazy.compactMap(\.problem).first
    case .mixture(let parts):
      if parts.isEmpty {
        "is a mixture of nothing"
      } else if !parts.allSatisfy({ 0 < $0.weight && $0.weight <= 1e9 }) {
        "needs weights above 0 and up to 1,000,000,000"
      } else {
        parts.lazy.compactMap(\.distribution.problem).first
      }
    case .cap(let part, let greatest):
      greatest < .zero ? "needs an at, its greatest value, of at least zero" : part.problem
    }
  }
}
