/// Independent parts, added.
struct SumLaw: Law {
  /// The constants, added.
  private let shift: Double
  /// The random parts, the one with the longest tail last.
  private let parts: [DelayLaw]
  /// The constants and all but the last part, as points.
  private let firstParts: WeightedPoints
  /// The stop-loss transform; nil where it is not tabulated.
  private var table: StopLossTable?

  /// The most points that a law is averaged over.
  static let mostPoints = 256

  init(_ distributions: [Distribution]) {
    var shift = 0.0
    var parts: [DelayLaw] = []
    for part in distributions {
      if case .constant(let value) = part {
        shift += value.inSeconds
      } else {
        parts.append(DelayLaw(part))
      }
    }
    self.shift = shift
    // The last part keeps its closed form. Beside the longest tail the others' points lie close; and what is a
    // staircase itself is better among the points than averaged over them.
    self.parts = parts.sorted {
      ($0.isStaircase ? 0 : 1, $0.nearlyGreatest) < ($1.isStaircase ? 0 : 1, $1.nearlyGreatest)
    }
    firstParts = Self.points(ofSum: self.parts.dropLast(), shift, atMost: Self.mostPoints)
  }

  var isStaircase: Bool { parts.allSatisfy(\.isStaircase) }

  func tabulated() -> any Law {
    guard parts.count > 1 else { return self }
    var law = self
    law.table = StopLossTable(from: least, to: greatest, scale: 0.125 * (mean - least)) {
      (stopLoss($0), survival($0))
    }
    return law
  }

  private func total(_ number: (DelayLaw) -> Double) -> Double {
    parts.reduce(shift) { $0 + number($1) }
  }

  var mean: Double { total(\.mean) }
  var least: Double { total(\.least) }
  var nearlyLeast: Double { total(\.nearlyLeast) }
  var nearlyGreatest: Double { total(\.nearlyGreatest) }
  var greatest: Double { total(\.greatest) }

  func stopLoss(_ k: Double) -> Double {
    if let table { return table.stopLoss(k) }
    return overFirstParts(k) { $0.stopLoss($1) }
  }

  func survival(_ k: Double) -> Double {
    if let table { return table.survival(k) }
    return overFirstParts(k) { $0.survival($1) }
  }

  /// A value of the last part's law, averaged over the other parts.
  ///
  /// Over points, and if there is only one other part, then by quadrature to a billionth of what the points gave:
  /// far out the tails of both parts are wider than the points of one lie close.
  private func overFirstParts(_ k: Double, _ value: (DelayLaw, Double) -> Double) -> Double {
    guard let last = parts.last else { return 0 }
    let average = firstParts.mean { value(last, k - $0) }
    guard parts.count == 2, average > 0 else { return average }
    return parts[0].expectation(tolerance: 1e-9 * average) { value(last, k - shift - $0) }
  }

  func expectation(tolerance: Double, _ function: (Double) -> Double) -> Double {
    points(atMost: Self.mostPoints).mean(of: function)
  }

  func points(atMost most: Int) -> WeightedPoints {
    Self.points(ofSum: parts[...], shift, atMost: most)
  }

  private static func points(
    ofSum parts: ArraySlice<DelayLaw>, _ shift: Double, atMost most: Int
  ) -> WeightedPoints {
    parts.reduce(WeightedPoints([(shift, 1)])) { sums, part in
      sums.adding(part.points(atMost: most)).grouped(atMost: most)
    }
  }
}

/// One of several laws, each with its probability.
struct MixtureLaw: Law {
  private let parts: [(weight: Double, law: DelayLaw)]

  /// Laws with their probabilities, which add up to one.
  init(_ parts: [(weight: Double, law: DelayLaw)]) {
    self.parts = parts
  }

  var isStaircase: Bool { parts.contains(where: \.law.isStaircase) }

  func tabulated() -> any Law { MixtureLaw(parts.map { ($0.weight, $0.law.tabulated()) }) }

  private func average(_ number: (DelayLaw) -> Double) -> Double {
    parts.reduce(0) { $0 + $1.weight * number($1.law) }
  }

  private func bound(
    _ number: (DelayLaw) -> Double, _ choose: (Double, Double) -> Double
  ) -> Double {
    parts.dropFirst().reduce(number(parts[0].law)) { choose($0, number($1.law)) }
  }

  var mean: Double { average(\.mean) }
  var least: Double { bound(\.least, min) }
  var nearlyLeast: Double { bound(\.nearlyLeast, min) }
  var nearlyGreatest: Double { bound(\.nearlyGreatest, max) }
  var greatest: Double { bound(\.greatest, max) }
  func stopLoss(_ k: Double) -> Double { average { $0.stopLoss(k) } }
  func survival(_ k: Double) -> Double { average { $0.survival(k) } }

  func expectation(tolerance: Double, _ function: (Double) -> Double) -> Double {
    average { $0.expectation(tolerance: tolerance, function) }
  }

  /// Each part has its share of the points, however rare it is: a rare part is often the one that matters.
  func points(atMost most: Int) -> WeightedPoints {
    let share = max(48, most / parts.count)
    return .mixture(parts.map { ($0.weight, $0.law.points(atMost: share)) })
  }
}

/// A law whose draws are cut to a greatest value.
struct CapLaw: Law {
  private let law: DelayLaw
  private let cut: Double

  init(_ law: DelayLaw, at cut: Double) {
    self.law = law
    self.cut = cut
  }

  var isStaircase: Bool { law.isStaircase }

  func tabulated() -> any Law { CapLaw(law.tabulated(), at: cut) }

  var mean: Double { law.mean - law.stopLoss(cut) }
  var least: Double { min(law.least, cut) }
  var nearlyLeast: Double { min(law.nearlyLeast, cut) }
  var nearlyGreatest: Double { min(law.nearlyGreatest, cut) }
  var greatest: Double { min(law.greatest, cut) }

  func stopLoss(_ k: Double) -> Double {
    k < cut ? max(0, law.stopLoss(k) - law.stopLoss(cut)) : 0
  }

  func survival(_ k: Double) -> Double { k < cut ? law.survival(k) : 0 }

  func expectation(tolerance: Double, _ function: (Double) -> Double) -> Double {
    law.expectation(tolerance: tolerance) { function(min($0, cut)) }
  }

  func points(atMost most: Int) -> WeightedPoints {
    law.points(atMost: most).mapped { min($0, cut) }
  }
}
