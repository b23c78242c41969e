import SimCore

/// Where values lie between the ends of a chart, and which of them are written there.
struct ChartScale {
  enum Kind: Equatable {
    case linear
    /// By powers of ten, for rates that span decades.
    case logarithmic
  }

  let kind: Kind
  let low: Double
  let high: Double
  let ticks: [Double]

  /// The ratio from which a linear scale would hide the small values.
  private static let greatestLinearRatio = 30.0

  /// A scale that shows all of some values.
  ///
  /// - Parameter values: estimates, ends of intervals, limits.
  init(_ values: [Double]) {
    let positive = values.filter { $0 > 0 && $0.isFinite }
    guard let least = positive.min(), let most = positive.max() else {
      self.init(upTo: 1)
      return
    }
    if most / least >= Self.greatestLinearRatio {
      self.init(decadesFrom: least, to: most)
    } else {
      self.init(upTo: most)
    }
  }

  /// A linear scale from zero to a round number.
  init(upTo most: Double) {
    self.init(from: 0, to: most)
  }

  /// A linear scale between round numbers.
  init(from least: Double, to most: Double) {
    kind = .linear
    let step = Self.step((most - least) / 5)
    low = (least / step + 1e-9).rounded(.down) * step
    high = max((most / step - 1e-9).rounded(.up) * step, low + step)
    let count = Int(((high - low) / step).rounded())
    let first = low
    ticks = (0...count).map { (first / step + Double($0)).rounded() * step }
  }

  /// A logarithmic scale between numbers that begin with 1, 2, or 5.
  init(decadesFrom least: Double, to most: Double) {
    kind = .logarithmic
    let steps = Self.steps(from: least, to: most)
    low = steps[0]
    high = steps[steps.count - 1]
    let decades = steps.filter(Self.isPower)
    let all = steps.count <= 7 || decades.count < 2 ? steps : decades
    let stride = (all.count + 8) / 9
    ticks = all.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
  }

  /// Numbers that begin with 1, 2, or 5, from the greatest that is not above `least` to the least that is not below
  /// `most`.
  private static func steps(from least: Double, to most: Double) -> [Double] {
    var power = 1.0
    while power > least { power /= 10 }
    while power * 10 <= least { power *= 10 }
    var steps: [Double] = []
    while true {
      for step in [power, 2 * power, 5 * power] {
        if step <= least * (1 + 1e-9) { steps = [step] } else { steps.append(step) }
        if step >= most * (1 - 1e-9), steps.count > 1 { return steps }
      }
      power *= 10
    }
  }

  /// Whether a number begins with 1.
  private static func isPower(_ number: Double) -> Bool {
    var power = 1.0
    while power > number * (1 + 1e-9) { power /= 10 }
    while power * 10 <= number * (1 + 1e-9) { power *= 10 }
    return number < power * 1.5
  }

  /// The least of 1, 2, and 5 times a power of ten that is not below a number.
  private static func step(_ least: Double) -> Double {
    guard least > 0, least.isFinite else { return 1 }
    var power = 1.0
    while power > least { power /= 10 }
    while power * 10 <= least { power *= 10 }
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= least * (1 - 1e-9) } ?? 10 * power
  }

  /// Where a value lies, from 0 to 1; what lies outside is at an end.
  func position(_ value: Double) -> Double {
    value <= low ? 0 : min(max(unbounded(value), 0), 1)
  }

  /// Where a value lies, below 0 or above 1 outside of the ends; of no use for a value of zero by powers of ten.
  func unbounded(_ value: Double) -> Double {
    switch kind {
    case .linear: (value - low) / (high - low)
    case .logarithmic:
      ElementaryFunctions.log(max(value, 1e-300) / low) / ElementaryFunctions.log(high / low)
    }
  }
}
