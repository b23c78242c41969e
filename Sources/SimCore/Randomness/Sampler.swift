/// A distribution made ready for drawing: parameters in nanoseconds, quantiles tabulated.
///
/// One flat value rather than an enumeration, whose payloads would be retained at each draw.
package struct Sampler: Sendable {
  private enum Form: Sendable {
    case constant
    case uniform
    case continuous
    case empirical
    case sum
  }

  private let form: Form
  /// The value of a constant; the lower end of a uniform distribution.
  private var base: Int64 = 0
  /// The width of a uniform distribution.
  private var width = 0.0
  private var table = QuantileTable()
  /// The values of an empirical distribution.
  private var values: [Int64] = []
  /// The parts of a sum.
  private var parts: [Sampler] = []

  /// The largest draw, 290 years.
  ///
  /// Larger ones are cut to it, and then fail as an instant out of range.
  private static let ceiling = 9.1e18

  package init(_ distribution: Distribution) {
    switch distribution {
    case .constant(let value):
      form = .constant
      base = value.nanoseconds
    case .uniform(let from, let to):
      form = .uniform
      base = from.nanoseconds
      width = Double(to.nanoseconds - from.nanoseconds)
    case .exponential(let mean):
      form = .continuous
      let mean = Double(mean.nanoseconds)
      table = QuantileTable { -mean * ElementaryFunctions.log(1 - $0) }
    case .logNormal(let logNormal):
      form = .continuous
      let (mu, sigma) = logNormal.logarithm
      let nanoseconds = mu + ElementaryFunctions.log(1e9)
      table = QuantileTable {
        ElementaryFunctions.exp(nanoseconds + sigma * ElementaryFunctions.normalQuantile($0))
      }
    case .empirical(let empirical):
      form = .empirical
      values = empirical.nanoseconds
    case .sum(let distributions):
      form = .sum
      parts = distributions.map(Sampler.init)
    }
  }

  /// A draw in nanoseconds, rounded to the nearest.
  @inline(__always)
  package func sample(_ stream: RandomStream, at address: DrawAddress) -> Int64 {
    // A constant takes no draw; it is common enough to be worth the short cut.
    if form == .constant { return base }
    var draws = stream.draws(at: address)
    if form == .continuous { return Self.whole(table.value(at: draws.next())) }
    return sample(&draws)
  }

  private func sample(_ draws: inout Draws) -> Int64 {
    switch form {
    case .constant: base
    case .uniform: base + Self.whole(width * draws.unit())
    case .continuous: Self.whole(table.value(at: draws.next()))
    case .empirical: values[Int(draws.unit() * Double(values.count))]
    case .sum: sum(&draws)
    }
  }

  private func sum(_ draws: inout Draws) -> Int64 {
    var total: Int64 = 0
    for part in parts {
      let (sum, overflow) = total.addingReportingOverflow(part.sample(&draws))
      total = overflow ? .max : sum
    }
    return total
  }

  @inline(__always)
  private static func whole(_ nanoseconds: Double) -> Int64 {
    Int64(min(nanoseconds, ceiling) + 0.5)
  }
}
