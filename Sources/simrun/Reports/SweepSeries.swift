import SimCore

/// What a chart shows of one client over the first axis, at one value of the second.
struct SweepSeries {
  struct Point {
    let value: String
    let estimate: Double
    let low: Double
    let high: Double
    /// What the prediction says; nil where it does not apply.
    let exact: Double?
  }

  let contender: Int
  let second: String?
  /// One per value of the first axis; nil where there was nothing to measure.
  let points: [Point?]
  /// The position of the value that was chosen.
  let chosen: Int?
}

extension SweepReport {
  /// All series of a quantity, those of one client next to each other.
  func series(_ quantity: Quantity) -> [SweepSeries] {
    let seconds: [String?] = sweep.axes.count > 1 ? sweep.axes[1].values : [nil]
    return sweep.contenders.indices.flatMap { contender in
      seconds.enumerated().map { position, second in
        let values = sweep.axes[0].values
        let results = values.indices.map {
          points[$0 * seconds.count + position].results[contender]
        }
        return SweepSeries(
          contender: contender, second: second,
          points: zip(values, results).map { Self.point($0, $1, quantity) },
          chosen: choice(contender, second)?.chosen)
      }
    }
  }

  private static func point(
    _ value: String, _ result: RunReport.Result, _ quantity: Quantity
  ) -> SweepSeries.Point? {
    quantity.reading(result).map { reading in
      let shown = reading.shown ?? (reading.low, reading.high)
      return SweepSeries.Point(
        value: value, estimate: reading.estimate, low: max(0, shown.low), high: shown.high,
        exact: quantity == .firstUnauthorized ? result.exact : nil)
    }
  }

  /// The scale on which all of some series can be read; predictions may lie below it.
  func scale(_ series: [SweepSeries]) -> ChartScale {
    let points = series.flatMap { $0.points.compactMap(\.self) }
    let limit = sweep.target?.condition.limit
    return ChartScale(
      points.flatMap { $0.estimate > 0 ? [0.999 * $0.estimate, $0.high] : [$0.high] }
        + [limit].compactMap(\.self))
  }
}

extension SweepChoice {
  /// The position of the value that was chosen; nil if none was.
  var chosen: Int? {
    if case .chosen(let position) = outcome { position } else { nil }
  }
}
