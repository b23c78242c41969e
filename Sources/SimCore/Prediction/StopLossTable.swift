/// A stop-loss transform between points, by cubics through its values with its slopes.
///
/// Its slope is minus the probability of exceeding, so both are had from one table. The points lie densest at
/// the lower end; with 1024 of them the cubics are as good as what they go through.
struct StopLossTable {
  private let from: Double
  private let width: Double
  private let values: [(stopLoss: Double, survival: Double)]

  private static let cells = 1024

  /// A table of a function that gives the transform and the probability at a point.
  init(from: Double, to: Double, _ function: (Double) -> (Double, Double)) {
    self.from = from
    width = to - from
    let width = width
    values = (0...Self.cells).map { cell in
      let t = Double(cell) / Double(Self.cells)
      return function(from + width * t * t * t)
    }
  }

  private func point(_ cell: Int) -> Double {
    let t = Double(cell) / Double(Self.cells)
    return from + width * t * t * t
  }

  /// The cell that holds `k`, found by halving.
  private func cell(of k: Double) -> Int {
    var low = 0
    var high = Self.cells
    while high - low > 1 {
      let middle = (low + high) / 2
      if point(middle) <= k { low = middle } else { high = middle }
    }
    return low
  }

  /// The mean of how much a draw exceeds `k`, which must not be below the table.
  func stopLoss(_ k: Double) -> Double {
    guard k < from + width else { return 0 }
    let cell = cell(of: k)
    let (start, end) = (values[cell], values[cell + 1])
    let step = point(cell + 1) - point(cell)
    let t = (k - point(cell)) / step
    let s = 1 - t
    return s * s * ((1 + 2 * t) * start.stopLoss - t * step * start.survival)
      + t * t * ((3 - 2 * t) * end.stopLoss + s * step * end.survival)
  }

  /// The probability that a draw exceeds `k`, which must not be below the table.
  func survival(_ k: Double) -> Double {
    guard k < from + width else { return 0 }
    let cell = cell(of: k)
    let (start, end) = (values[cell], values[cell + 1])
    let step = point(cell + 1) - point(cell)
    let t = (k - point(cell)) / step
    let slope = 6 * t * (1 - t) * (end.stopLoss - start.stopLoss) / step
    return (1 - t) * (1 - 3 * t) * start.survival + t * (3 * t - 2) * end.survival - slope
  }
}
