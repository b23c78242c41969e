import SimCore

/// Where the values of an axis stand in a figure.
struct AxisPlacement {
  /// From 0 to 1, one per value.
  let positions: [Double]
  /// The scale of numbers; nil where the values stand side by side like words.
  private let scale: Scale?

  private enum Scale {
    case linear(from: Double, to: Double)
    case logarithmic(from: Double, to: Double)
  }

  /// How unequal steps may be for a scale to show all values apart.
  private static let greatestUnevenness = 6.0

  init(_ axis: Axis) {
    let numbers = axis.values.map { Axis.number($0) }
    let count = axis.values.count
    let words = axis.values.indices.map { (Double($0) + 0.5) / Double(count) }
    guard count > 1, let least = numbers.compactMap(\.self).min(),
      let most = numbers.compactMap(\.self).max(), !numbers.contains(nil)
    else {
      (positions, scale) = (words, nil)
      return
    }
    let values = numbers.compactMap(\.self)
    if Self.isEven(values.sorted()) {
      scale = .linear(from: least, to: most)
      positions = values.map { ($0 - least) / (most - least) }
    } else if least > 0, Self.isEven(values.sorted().map(ElementaryFunctions.log)) {
      scale = .logarithmic(from: least, to: most)
      positions = values.map {
        ElementaryFunctions.log($0 / least) / ElementaryFunctions.log(most / least)
      }
    } else {
      (positions, scale) = (words, nil)
    }
  }

  private static func isEven(_ values: [Double]) -> Bool {
    let steps = zip(values.dropFirst(), values).map { $0 - $1 }
    guard let least = steps.min(), let most = steps.max(), least > 0 else { return false }
    return most / least <= greatestUnevenness
  }

  /// Whether the values stand side by side like words.
  var isCategorical: Bool { scale == nil }

  /// Where a number stands; nil outside of the axis, or where it has no scale.
  func position(_ number: Double) -> Double? {
    let position: Double
    switch scale {
    case nil: return nil
    case .linear(let from, let to): position = (number - from) / (to - from)
    case .logarithmic(let from, let to):
      guard number > 0 else { return nil }
      position = ElementaryFunctions.log(number / from) / ElementaryFunctions.log(to / from)
    }
    return (0...1).contains(position) ? position : nil
  }

  /// The positions of the values to write, so that they do not run into each other.
  ///
  /// - Parameters:
  ///   - labels: the values.
  ///   - width: how much room there is.
  /// - Returns: the indices of the values.
  func labelled(_ labels: [String], width: Double) -> [Int] {
    let widest = labels.map { SVGDrawing.width($0) }.max() ?? 0
    for stride in [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] {
      let indices = Array(Swift.stride(from: 0, to: labels.count, by: stride))
      let gaps = zip(indices.dropFirst(), indices).map {
        (positions[$0] - positions[$1]).magnitude * width
      }
      if gaps.allSatisfy({ $0 >= widest + 8 }) { return indices }
    }
    return [0]
  }
}
