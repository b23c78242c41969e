/// What the prediction must know of a distribution, in seconds and without sampling.
package struct DelayLaw {
  private let law: any Law
  /// The mean.
  package let mean: Double
  /// The greatest number that no draw falls below.
  package let least: Double

  package init(_ distribution: Distribution) {
    self.init(Self.law(of: distribution))
  }

  private init(_ law: any Law) {
    self.law = law
    mean = law.mean
    least = law.least
  }

  private static func law(of distribution: Distribution) -> any Law {
    let choices = alternatives(distribution)
    guard choices.count == 1 else {
      return MixtureLaw(choices.map { ($0.weight, DelayLaw($0.distribution)) })
    }
    switch choices[0].distribution {
    case .constant(let value): return ConstantLaw(value.inSeconds)
    case .uniform(let from, let to) where from == to: return ConstantLaw(from.inSeconds)
    case .uniform(let from, let to): return UniformLaw(from: from.inSeconds, to: to.inSeconds)
    case .logUniform(let from, let to) where from == to: return ConstantLaw(from.inSeconds)
    case .logUniform(let from, let to):
      return LogUniformLaw(from: from.inSeconds, to: to.inSeconds)
    case .exponential(let mean) where mean == .zero: return ConstantLaw(0)
    case .exponential(let mean): return ExponentialLaw(mean: mean.inSeconds)
    case .normal(let mean, let deviation) where deviation == .zero:
      return ConstantLaw(mean.inSeconds)
    case .normal(let mean, let deviation):
      return CutNormalLaw(mu: mean.inSeconds, sigma: deviation.inSeconds)
    case .logNormal(let logNormal):
      let (mu, sigma) = logNormal.logarithm
      return sigma > 0
        ? LogNormalLaw(mu: mu, sigma: sigma) : ConstantLaw(ElementaryFunctions.exp(mu))
    case .weibull(let weibull):
      let (shape, scale) = weibull.parameters
      return WeibullLaw(shape: shape, scale: scale)
    case .empirical(let empirical): return EmpiricalTable(empirical)
    case .sum(let parts): return SumLaw(parts)
    case .mixture(let parts): return DelayLaw(parts[0].distribution).law
    case .cap(let part, let greatest): return CapLaw(DelayLaw(part), at: greatest.inSeconds)
    }
  }

  /// The most alternatives that a sum of mixtures is taken apart into, each of which takes its own table.
  private static let mostAlternatives = 8

  /// The choices that the mixtures within a distribution leave, each with its probability and without a mixture.
  ///
  /// A rare spike beside a body is then two sums, each of which is known better than their mean would be. Only a
  /// sum with very many choices keeps a mixture as a part.
  private static func alternatives(
    _ distribution: Distribution
  ) -> [(weight: Double, distribution: Distribution)] {
    switch distribution {
    case .mixture(let parts):
      let total = parts.reduce(0) { $0 + $1.weight }
      return parts.flatMap { part in
        alternatives(part.distribution).map { (part.weight / total * $0.weight, $0.distribution) }
      }
    case .sum(let parts):
      let sums = parts.reduce([(weight: 1.0, parts: [Distribution]())]) { sums, part in
        let choices = alternatives(part)
        guard sums.count * choices.count <= mostAlternatives else {
          return sums.map { ($0.weight, $0.parts + [part]) }
        }
        return sums.flatMap { sum in
          choices.map { (sum.weight * $0.weight, sum.parts + $0.distribution.terms) }
        }
      }
      return sums.map { ($0.weight, .sum($0.parts)) }
    case .cap(let part, let greatest):
      return alternatives(part).map { ($0.weight, .cap($0.distribution, at: greatest)) }
    default: return [(1, distribution)]
    }
  }

  /// The same law with tables of its stop-loss transform where that is no closed form.
  func tabulated() -> DelayLaw { DelayLaw(law.tabulated()) }

  /// A number that draws fall below at most once in a million times.
  package var nearlyLeast: Double { law.nearlyLeast }

  /// A number that draws exceed at most once in a million times.
  package var nearlyGreatest: Double { law.nearlyGreatest }

  /// A number that draws exceed with a probability of less than 1e-15, or never.
  package var greatest: Double { law.greatest }

  /// Whether draws have many values of which each is likely, as measured ones have.
  var isStaircase: Bool { law.isStaircase }

  /// The stop-loss transform: the mean of how much a draw exceeds `k`.
  package func stopLoss(_ k: Double) -> Double { k > least ? law.stopLoss(k) : mean - k }

  /// The probability that a draw exceeds `k`.
  package func survival(_ k: Double) -> Double { k >= least ? law.survival(k) : 1 }

  /// The mean of `function` over the draws.
  package func expectation(tolerance: Double, _ function: (Double) -> Double) -> Double {
    law.expectation(tolerance: tolerance, function)
  }

  /// The mean of `function` over at most about this many points that stand for the draws.
  package func mean(of function: (Double) -> Double, overPoints most: Int) -> Double {
    points(atMost: SumLaw.mostPoints).grouped(atMost: most).mean(of: function)
  }

  /// At most about this many points whose weighted averages stand for the mean over the draws.
  func points(atMost most: Int) -> WeightedPoints { law.points(atMost: most) }
}

extension Distribution {
  /// What it adds up: the parts of a sum, else itself.
  fileprivate var terms: [Distribution] {
    if case .sum(let parts) = self { parts } else { [self] }
  }
}
