/// A distribution made ready for drawing: parameters in nanoseconds, quantiles tabulated.
///
/// One flat value rather than an enumeration, whose payloads would be retained at each draw.
package struct Sampler: Sendable {
  private enum Form: Sendable {
    case constant
    case uniform
    case continuous
    case empirical
    case sequence
    case sum
    case mixture
    case cap
  }

  private let form: Form
  /// The value of a constant, the lower end of a uniform distribution, the time from row to row of a sequence, or
  /// where a cap cuts.
  private var base: Int64 = 0
  /// The width of a uniform distribution.
  private var width = 0.0
  private var table = QuantileTable()
  /// The values of an empirical distribution, ascending; those of a sequence in their order.
  private var values: [Int64] = []
  /// The parts of a sum or mixture; what a cap cuts.
  private var parts: [Sampler] = []
  /// The probability that a mixture chooses a part up to this one.
  private var upTo: [Double] = []
  /// The part of a sum that a path drives; -1 if none.
  private var body = -1
  /// Whether a part is a sequence, which only ``sample(_:at:moment:along:)`` can follow.
  package let needsPath: Bool

  /// The largest draw, 290 years.
  ///
  /// Larger ones are cut to it, and then fail as an instant out of range.
  private static let ceiling = 9.1e18

  package init(_ distribution: Distribution) {
    needsPath = distribution.hasSequence
    switch distribution {
    case .constant(let value):
      form = .constant
      base = value.nanoseconds
    case .uniform(let from, let to):
      form = .uniform
      base = from.nanoseconds
      width = Double(to.nanoseconds - from.nanoseconds)
    case .logUniform, .exponential, .normal, .logNormal, .weibull:
      form = .continuous
      table = QuantileTable(distribution.quantile)
    case .empirical(let empirical):
      form = empirical.every == nil ? .empirical : .sequence
      values = empirical.every == nil ? empirical.nanoseconds : empirical.rows
      base = empirical.every?.nanoseconds ?? 0
    case .sum(let distributions):
      form = .sum
      parts = distributions.map(Sampler.init)
      body = distributions.firstIndex(where: \.hasBody) ?? -1
    case .mixture(let weighted):
      form = .mixture
      parts = weighted.map { Sampler($0.distribution) }
      let total = weighted.reduce(0) { $0 + $1.weight }
      var sum = 0.0
      upTo = weighted.map {
        sum += $0.weight
        return sum / total
      }
    case .cap(let part, let greatest):
      form = .cap
      base = greatest.nanoseconds
      parts = [Sampler(part)]
    }
  }

  /// A draw in nanoseconds, rounded to the nearest.
  ///
  /// For lengths of time that no path over time drives: work at a server, visits, absences. A sequence then gives
  /// independent draws of its values.
  @inline(__always)
  package func sample(_ stream: RandomStream, at address: DrawAddress) -> Int64 {
    // A constant takes no draw; it is common enough to be worth the short cut.
    if form == .constant { return base }
    var draws = stream.draws(at: address)
    if form == .continuous { return Self.whole(table.value(at: draws.next())) }
    return sample(&draws, nil)
  }

  /// A draw in nanoseconds for a message that is sent at a moment.
  ///
  /// For the simulation, which alone knows moments. With a path that shares nothing and without a sequence it is
  /// the same draw as without a path. Else the path drives the body of the delay and a sequence follows its rows:
  ///
  /// - In a sum the body is the first random part that is no mixture; the others stay independent, and so do all of
  ///   a sum that has no such part.
  /// - A mixture that is not part of a sum chooses independently, and the path drives the part that it chose.
  /// - In a cap the path drives what is cut.
  @inline(__always)
  package func sample(
    _ stream: RandomStream, at address: DrawAddress, moment: Instant, along path: MessagePath
  ) -> Int64 {
    guard needsPath || path.isShared else { return sample(stream, at: address) }
    var draws = stream.draws(at: address)
    return sample(&draws, Course(path: path, moment: moment, isBody: true))
  }

  /// A path at a moment, and whether it drives what is drawn or only tells sequences where they are.
  private struct Course {
    let path: MessagePath
    let moment: Instant
    var isBody: Bool
  }

  private func sample(_ draws: inout Draws, _ course: Course?) -> Int64 {
    switch form {
    case .constant: return base
    case .uniform, .continuous, .empirical:
      let bits = draws.next()
      guard let course, course.isBody else { return value(at: bits) }
      return value(at: course.path.bits(bits, at: course.moment))
    case .sequence:
      let bits = draws.next()
      guard let course else { return value(at: bits) }
      return values[course.path.row(at: course.moment, every: base, of: values.count)]
    case .sum: return sum(&draws, course)
    case .mixture:
      // Two draws whatever is chosen, so that the choice moves no draw of another part.
      let choice = Draws.unit(draws.next())
      var own = Draws(state: draws.next())
      return parts[upTo.firstIndex { choice < $0 } ?? parts.count - 1].sample(&own, course)
    case .cap: return min(base, parts[0].sample(&draws, course))
    }
  }

  /// The draw of a distribution that takes one draw.
  private func value(at bits: UInt64) -> Int64 {
    switch form {
    case .uniform: base + Self.whole(width * Draws.unit(bits))
    case .continuous: Self.whole(table.value(at: bits))
    default: values[Int(Draws.unit(bits) * Double(values.count))]
    }
  }

  private func sum(_ draws: inout Draws, _ course: Course?) -> Int64 {
    var total: Int64 = 0
    for (index, part) in parts.enumerated() {
      var ofPart = course
      if index != body { ofPart?.isBody = false }
      let (sum, overflow) = total.addingReportingOverflow(part.sample(&draws, ofPart))
      total = overflow ? .max : sum
    }
    return total
  }

  @inline(__always)
  private static func whole(_ nanoseconds: Double) -> Int64 {
    Int64(min(nanoseconds, ceiling) + 0.5)
  }
}

extension Distribution {
  /// The quantile function in nanoseconds, of a distribution that has a continuous one.
  fileprivate var quantile: @Sendable (Double) -> Double {
    switch self {
    case .logUniform(let from, let to):
      let low = ElementaryFunctions.log(Double(from.nanoseconds))
      let width = ElementaryFunctions.log(Double(to.nanoseconds)) - low
      return { ElementaryFunctions.exp(low + $0 * width) }
    case .exponential(let mean):
      let mean = Double(mean.nanoseconds)
      return { -mean * ElementaryFunctions.log(1 - $0) }
    case .normal(let mean, let deviation):
      let (mean, deviation) = (Double(mean.nanoseconds), Double(deviation.nanoseconds))
      return { max(0, mean + deviation * ElementaryFunctions.normalQuantile($0)) }
    case .logNormal(let logNormal):
      let (mu, sigma) = logNormal.logarithm
      let nanoseconds = mu + ElementaryFunctions.log(1e9)
      return {
        ElementaryFunctions.exp(nanoseconds + sigma * ElementaryFunctions.normalQuantile($0))
      }
    case .weibull(let weibull):
      let (shape, scale) = weibull.parameters
      let nanoseconds = ElementaryFunctions.log(scale * 1e9)
      return { ElementaryFunctions.exp(nanoseconds + Weibull.height($0) / shape) }
    default:
      preconditionFailure("Only a continuous distribution has a quantile function to tabulate.")
    }
  }

  /// Whether a path over time would drive it where it is a part of a sum.
  fileprivate var hasBody: Bool {
    switch self {
    case .constant, .mixture: false
    case .uniform, .logUniform, .exponential, .normal, .logNormal, .weibull, .empirical: true
    case .sum(let parts): parts.contains(where: \.hasBody)
    case .cap(let part, _): part.hasBody
    }
  }

  /// Whether a part of it is a sequence.
  var hasSequence: Bool {
    switch self {
    case .constant, .uniform, .logUniform, .exponential, .normal, .logNormal, .weibull: false
    case .empirical(let empirical): empirical.every != nil
    case .sum(let parts): parts.contains(where: \.hasSequence)
    case .mixture(let parts): parts.contains(where: \.distribution.hasSequence)
    case .cap(let part, _): part.hasSequence
    }
  }
}
