/// A stop-loss transform between points, by cubics through its values with its slopes.
///
/// Its slope is minus the probability of exceeding, so both are had from one table. The points lie densest at
/// the lower end; with 1024 of them the cubics are as good as what they go through.
struct StopLossTable: Sendable {
  private struct Point {
    let k: Double
    let stopLoss: Double
    let survival: Double
  }

  private let points: [Point]

  private static let cells = 1024

  /// A table of a function that gives the transform and the probability at a point.
  ///
  /// Cells are about equally long up to `scale` beyond the lower end, and about equally long as a share of their
  /// distance from it beyond: a tail may reach millions of times farther than the body.
  init(from: Double, to: Double, scale: Double, _ function: (Double) -> (Double, Double)) {
    let growth = ElementaryFunctions.log(1 + (to - from) / scale)
    points = (0...Self.cells).map { cell in
      let t = Double(cell) / Double(Self.cells)
      let k = from + scale * (ElementaryFunctions.exp(growth * t) - 1)
      let (stopLoss, survival) = function(k)
      return Point(k: k, stopLoss: stopLoss, survival: survival)
    }
  }

  /// The points on either side of `k`, their distance, and the share of it up to `k`; nil beyond the last point.
  private func place(of k: Double) -> (start: Point, end: Point, step: Double, t: Double)? {
    guard k < points[Self.cells].k else { return nil }
    var low = 0
    var high = Self.cells
    while high - low > 1 {
      let middle = (low + high) / 2
      if points[middle].k <= k { low = middle } else { high = middle }
    }
    let step = points[high].k - points[low].k
    return (points[low], points[high], step, (k - points[low].k) / step)
  }

  /// The mean of how much a draw exceeds `k`, which must not be below the table.
  func stopLoss(_ k: Double) -> Double {
    guard let (start, end, step, t) = place(of: k) else { return 0 }
    let s = 1 - t
    return s * s * ((1 + 2 * t) * start.stopLoss - t * step * start.survival)
      + t * t * ((3 - 2 * t) * end.stopLoss + s * step * end.survival)
  }

  /// The probability that a draw exceeds `k`, which must not be below the table.
  func survival(_ k: Double) -> Double {
    guard let (start, end, step, t) = place(of: k) else { return 0 }
    let slope = 6 * t * (1 - t) * (end.stopLoss - start.stopLoss) / step
    return (1 - t) * (1 - 3 * t) * start.survival + t * (3 * t - 2) * end.survival - slope
  }
}
