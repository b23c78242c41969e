/// Measured values, sorted and summed; those of a sequence like any others.
struct EmpiricalTable: Law {
  /// The different values in ascending order, in seconds.
  private let values: [Double]
  /// How many draws have each value.
  private let weights: [Double]
  /// How many draws exceed each value, and their sum.
  private let countAbove: [Double]
  private let sumAbove: [Double]
  private let count: Double

  init(_ empirical: Empirical) {
    var values: [Double] = []
    var weights: [Double] = []
    for nanoseconds in empirical.nanoseconds {
      let value = Double(nanoseconds) * 1e-9
      if values.last == value {
        weights[weights.count - 1] += 1
      } else {
        values.append(value)
        weights.append(1)
      }
    }
    var countAbove = [Double](repeating: 0, count: values.count)
    var sumAbove = countAbove
    for index in values.indices.dropLast().reversed() {
      countAbove[index] = countAbove[index + 1] + weights[index + 1]
      sumAbove[index] = sumAbove[index + 1] + weights[index + 1] * values[index + 1]
    }
    self.values = values
    self.weights = weights
    self.countAbove = countAbove
    self.sumAbove = sumAbove
    count = Double(empirical.count)
  }

  var mean: Double { (sumAbove[0] + weights[0] * values[0]) / count }

  var least: Double { values[0] }
  var isStaircase: Bool { true }
  var greatest: Double { values[values.count - 1] }

  func stopLoss(_ k: Double) -> Double {
    let index = last(atMost: k)
    return (sumAbove[index] - k * countAbove[index]) / count
  }

  func survival(_ k: Double) -> Double { countAbove[last(atMost: k)] / count }

  func expectation(tolerance: Double, _ function: (Double) -> Double) -> Double {
    points(atMost: 1024).mean(of: function)
  }

  func points(atMost most: Int) -> WeightedPoints {
    WeightedPoints(zip(values, weights).map { ($0, $1 / count) }).grouped(atMost: most)
  }

  /// The position of the last value that is at most `k`, which must not be below the first.
  private func last(atMost k: Double) -> Int {
    var low = 0
    var high = values.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if values[middle] <= k { low = middle } else { high = middle }
    }
    return low
  }
}
