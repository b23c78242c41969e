import SimCore

/// A part of a figure with a cell for each point of a grid.
struct HeatMap {
  private let report: SweepReport
  /// One row each.
  private let series: [SweepSeries]
  private let scale: ChartScale
  private let left: Double
  private let cellWidth: Double
  private let cellHeight: Double

  /// What a cell may be made smaller to, so that large grids can still be looked at.
  private static let mostWidth = 6000.0

  init(_ report: SweepReport, _ series: [SweepSeries], scale: ChartScale) {
    self.report = report
    self.series = series
    self.scale = scale
    let numbers = series.flatMap { $0.points.compactMap { $0.map { $0.estimate } } }
    let widest = numbers.map { SVGDrawing.width(report.sweep.subject.text($0), size: 11) }.max()
    let columns = Double(report.sweep.axes[0].values.count)
    let rows = report.sweep.axes[1].values
    cellWidth = min((widest ?? 0) + 10, max(4, Self.mostWidth / columns))
    cellHeight = min(22, max(4, Self.mostWidth / Double(rows.count)))
    left = 60 + min(rows.map { SVGDrawing.width($0) }.max() ?? 0, 200)
  }

  var width: Double { left + cellWidth * Double(report.sweep.axes[0].values.count) + 30 }
  var height: Double { 34 + cellHeight * Double(series.count) + 62 }

  private var hasNumbers: Bool { cellWidth >= 30 && cellHeight >= 14 }

  /// Draws it.
  ///
  /// - Parameters:
  ///   - drawing: the figure.
  ///   - top: where it begins.
  func draw(_ drawing: inout SVGDrawing, top: Double) {
    let start = top + 34
    let contender = report.title(series[0].contender)
    let chosen = series.contains { $0.chosen != nil } ? "; framed: chosen" : ""
    drawing.write(
      "\(contender); the darker the more\(scale.kind == .logarithmic ? ", on a log scale" : "")\(chosen)",
      at: (left, start - 12), fill: "#555555")
    for (row, series) in series.enumerated() {
      for (column, point) in series.points.enumerated() {
        draw(
          point,
          at: (left + Double(column) * cellWidth, start + Double(row) * cellHeight), &drawing)
      }
    }
    drawChosen(start, &drawing)
    drawAxes(start, &drawing)
  }

  private func draw(
    _ point: SweepSeries.Point?, at corner: SVGDrawing.Point, _ drawing: inout SVGDrawing
  ) {
    let share = point.map { $0.estimate == 0 ? 0 : scale.position($0.estimate) }
    drawing.rectangle(
      at: corner, width: cellWidth, height: cellHeight, fill: share.map(Self.colour) ?? "#eeeeee",
      stroke: "#ffffff")
    guard hasNumbers else { return }
    drawing.write(
      point.map { report.sweep.subject.text($0.estimate) } ?? "–",
      at: (corner.x + cellWidth / 2, corner.y + cellHeight / 2 + 4), .middle, size: 11,
      fill: (share ?? 0) > 0.55 ? "#ffffff" : "#222222")
  }

  private func drawChosen(_ start: Double, _ drawing: inout SVGDrawing) {
    for (row, series) in series.enumerated() {
      guard let chosen = series.chosen else { continue }
      drawing.rectangle(
        at: (left + Double(chosen) * cellWidth, start + Double(row) * cellHeight),
        width: cellWidth, height: cellHeight, fill: "none", stroke: "#d55e00", strokeWidth: 2.5)
    }
  }

  private func drawAxes(_ start: Double, _ drawing: inout SVGDrawing) {
    let axes = report.sweep.axes
    let bottom = start + cellHeight * Double(series.count)
    let width = cellWidth * Double(axes[0].values.count)
    for (row, value) in axes[1].values.enumerated() where cellHeight >= 11 {
      drawing.write(
        value, at: (left - 8, start + (Double(row) + 0.5) * cellHeight + 4), .end, fill: "#444444")
    }
    let widest = axes[0].values.map { SVGDrawing.width($0) }.max() ?? 0
    let stride = Int(((widest + 8) / cellWidth).rounded(.up))
    for (column, value) in axes[0].values.enumerated() where column % max(1, stride) == 0 {
      drawing.write(
        value, at: (left + (Double(column) + 0.5) * cellWidth, bottom + 17), .middle,
        fill: "#444444")
    }
    drawing.write(axes[0].name, at: (left + width / 2, bottom + 38), .middle, size: 13)
    drawing.write(
      axes[1].name, at: (22, (start + bottom) / 2), .middle, size: 13, turnedBy: -90)
  }

  /// From nearly white to dark blue.
  private static func colour(_ share: Double) -> String {
    let (light, dark) = ([237.0, 244, 251], [8.0, 48, 107])
    let parts = zip(light, dark).map { Int(($0 + ($1 - $0) * share).rounded()) }
    return "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
