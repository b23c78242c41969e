import SimCore

/// A small chart for a terminal: a row per value, with the interval and the estimate of one quantity.
struct SweepChart {
  private let report: SweepReport
  private let scale: ChartScale
  private let series: [SweepSeries]
  private let labelWidth: Int
  private let width: Int

  /// The most columns that the chart takes.
  static let mostColumns = 100

  /// The most rows; what is longer is no small chart.
  private static let mostRows = 120

  private static let valueWidth = 12

  init(_ report: SweepReport) {
    self.report = report
    series = report.series(report.sweep.subject)
    scale = report.scale(series)
    let longest = report.sweep.axes[0].values.map(\.count).max() ?? 0
    labelWidth = min(max(longest, report.sweep.axes[0].name.count), 24)
    width = Self.mostColumns - labelWidth - 4 - Self.valueWidth
  }

  /// The chart; nil if it would be too long to be read.
  var text: String? {
    guard series.reduce(0, { $0 + $1.points.count }) <= Self.mostRows else { return nil }
    let blocks = series.map { series in
      ([title(series)] + [ticks] + zip(report.sweep.axes[0].values, series.points).map(row))
        .filter { !$0.isEmpty }.joined(separator: "\n")
    }
    return ([legend] + blocks).joined(separator: "\n\n")
  }

  private var legend: String {
    let points = series.flatMap { $0.points.compactMap(\.self) }
    let kind = scale.kind == .logarithmic ? "log scale" : "linear scale"
    let marks = [
      "├●┤ estimate with its interval",
      points.contains { $0.estimate == 0 } ? "○ none, and its upper limit" : nil,
      points.contains { $0.exact != nil } ? "◆ exact" : nil,
      report.sweep.target == nil ? nil : "┊ target",
    ]
    return "\(report.sweep.subject.name), \(kind)\n"
      + marks.compactMap(\.self).joined(separator: "; ")
  }

  private func title(_ series: SweepSeries) -> String {
    let isOnly = report.sweep.contenders.count == 1
    let second = series.second.map { "\(report.sweep.axes[1].name)=\($0)" }
    return [isOnly && second != nil ? nil : report.title(series.contender), second]
      .compactMap(\.self).joined(separator: ", ")
  }

  /// The values written above the columns that they stand for.
  private var ticks: String {
    var line = [Character](repeating: " ", count: width + 10)
    var end = -2
    for tick in scale.ticks {
      let text = Array(report.sweep.subject.tick(tick))
      let start = max(0, min(column(tick) - text.count / 2, line.count - text.count))
      guard start > end + 1 else { continue }
      line.replaceSubrange(start..<start + text.count, with: text)
      end = start + text.count
    }
    return
      (report.sweep.axes[0].name.cut(labelWidth).leftPadded(to: labelWidth) + "  "
      + String(line)).trimmedEnd
  }

  private func row(_ value: String, _ point: SweepSeries.Point?) -> String {
    let label = value.cut(labelWidth).leftPadded(to: labelWidth) + "  "
    guard let point else { return label + "–" }
    var line = [Character](repeating: " ", count: width)
    if let limit = report.sweep.target?.condition.limit { line[column(limit)] = "┊" }
    let (from, to) = (column(point.low), column(point.high))
    if from < to {
      for position in from...to { line[position] = "─" }
      line[from] = point.low > 0 || scale.kind == .linear ? "├" : "─"
      line[to] = "┤"
    }
    if let exact = point.exact, exact >= scale.low { line[column(exact)] = "◆" }
    line[column(point.estimate)] = point.estimate == 0 ? "○" : "●"
    let text = report.sweep.subject.text(point.estimate)
    return label + String(line) + text.leftPadded(to: Self.valueWidth)
  }

  private func column(_ value: Double) -> Int {
    Int((scale.position(value) * Double(width - 1)).rounded())
  }
}

extension String {
  /// The text, cut to a width.
  fileprivate func cut(_ width: Int) -> String {
    count <= width ? self : prefix(width - 1) + "…"
  }

  /// The text without spaces at its end.
  fileprivate var trimmedEnd: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
