/// Points that stand for the draws of a distribution, each for a share of them.
struct WeightedPoints: Sendable {
  private let points: [(value: Double, weight: Double)]

  /// Points with their shares, which add up to one.
  init(_ points: [(value: Double, weight: Double)]) {
    self.points = points
  }

  /// Points at equal steps of a variable, each with the density there, scaled to add up to one.
  static func trapezoid(
    from: Double, to: Double, count: Int, _ point: (Double) -> (value: Double, weight: Double)
  ) -> WeightedPoints {
    let step = (to - from) / Double(count)
    let points = (0...count).map { point(from + Double($0) * step) }
    let total = points.reduce(0) { $0 + $1.weight }
    return WeightedPoints(points.map { ($0.value, $0.weight / total) })
  }

  /// A variable from 0 up, and its slope, by another one in which an exponential tail falls off at both ends.
  static func halfLine(_ x: Double) -> (value: Double, slope: Double) {
    let inner = ElementaryFunctions.exp(-x)
    let value = ElementaryFunctions.exp(x - inner)
    return (value, value * (1 + inner))
  }

  /// Points for a density on a half line, by the double exponential rule, scaled to add up to one.
  static func doubleExponential(
    count: Int, _ point: (Double) -> (value: Double, weight: Double)
  ) -> WeightedPoints {
    .trapezoid(from: -4, to: 5, count: count) { x in
      let (t, slope) = halfLine(x)
      let (value, density) = point(t)
      return (value, density * slope)
    }
  }

  /// The points of all parts, those of each for its share, which add up to one.
  static func mixture(_ parts: [(share: Double, points: WeightedPoints)]) -> WeightedPoints {
    WeightedPoints(
      parts.flatMap { part in part.points.points.map { ($0.value, part.share * $0.weight) } })
  }

  /// The points, each moved to where `function` puts it.
  func mapped(_ function: (Double) -> Double) -> WeightedPoints {
    WeightedPoints(points.map { (function($0.value), $0.weight) })
  }

  /// The mean of `function` over the points.
  func mean(of function: (Double) -> Double) -> Double {
    points.reduce(0) { $0 + $1.weight * function($1.value) }
  }

  /// The sums of independent draws of both.
  func adding(_ other: WeightedPoints) -> WeightedPoints {
    WeightedPoints(
      points.flatMap { left in
        other.points.map { (left.value + $0.value, left.weight * $0.weight) }
      })
  }

  /// Neighbouring points put together into at most about this many, each group at its mean.
  func grouped(atMost most: Int) -> WeightedPoints {
    guard points.count > most else { return self }
    var groups: [(value: Double, weight: Double)] = []
    var group = (value: 0.0, weight: 0.0)
    for point in points.sorted(by: { $0.value < $1.value }) where point.weight > 0 {
      let weight = group.weight + point.weight
      group.value = (group.value * group.weight + point.value * point.weight) / weight
      group.weight = weight
      if weight * Double(most) >= 1 {
        groups.append(group)
        group = (0, 0)
      }
    }
    return WeightedPoints(group.weight > 0 ? groups + [group] : groups)
  }
}
