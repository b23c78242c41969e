/// Points that stand for the draws of a distribution, each for a share of them.
struct WeightedPoints {
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
