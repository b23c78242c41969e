import SimCore

/// A part of a figure with a line and a band of intervals for each series.
struct LinePanel {
  private let report: SweepReport
  private let series: [SweepSeries]
  private let scale: ChartScale
  private let placement: AxisPlacement
  private let number: Int
  private let left = 96.0
  private let right: Double
  private let top: Double
  private let bottom: Double
  /// Places that words already take.
  private var taken: [(x: ClosedRange<Double>, y: ClosedRange<Double>)] = []

  /// Told apart also by people who see few colours (Okabe and Ito).
  private static let colours = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#8c8c00",
  ]

  private static let targetColour = "#b00020"

  /// A panel.
  ///
  /// - Parameters:
  ///   - report: what it is drawn from.
  ///   - series: its lines.
  ///   - scale: of its vertical axis, which all panels share.
  ///   - number: which panel it is, from 0.
  ///   - top: where it begins.
  ///   - width: of the whole figure.
  ///   - height: how high it is, with its title and axis.
  init(
    _ report: SweepReport, _ series: [SweepSeries], scale: ChartScale, number: Int, top: Double,
    width: Double, height: Double
  ) {
    self.report = report
    self.series = series
    self.scale = scale
    self.number = number
    placement = AxisPlacement(report.sweep.axes[0])
    let names = series.map { Self.name($0, report) }
    let room = names.map { SVGDrawing.width($0, weight: "bold") }.max() ?? 0
    right = width - min(room + 24, 320)
    self.top = top + 34
    bottom = top + height - 62
  }

  private static func name(_ series: SweepSeries, _ report: SweepReport) -> String {
    series.second.map { "\(report.sweep.axes[1].name)=\($0)" } ?? report.title(series.contender)
  }

  private func colour(_ index: Int) -> String { Self.colours[index % Self.colours.count] }

  private func x(_ index: Int) -> Double {
    left + placement.positions[index] * (right - left)
  }

  /// Where the upper limit of none stands, beside those of other series at the same value.
  private func xOfNone(_ position: Int, _ index: Int) -> Double {
    if placement.isCategorical { return xBeside(position, index) }
    let others = series.indices.filter { series[$0].points[position]?.estimate == 0 }
    let place = Double(others.firstIndex(of: index) ?? 0) - Double(others.count - 1) / 2
    return x(position) + place * min(7, 28 / Double(others.count))
  }

  /// Where a mark stands that would cover those of other series at the same value.
  private func xBeside(_ position: Int, _ index: Int) -> Double {
    x(position) + (Double(index) - Double(series.count - 1) / 2) * min(7, 28 / Double(series.count))
  }

  /// Where an estimate stands: on its value, unless values are words and series side by side can be told apart.
  private func xMarked(_ position: Int, _ index: Int) -> Double {
    placement.isCategorical ? xBeside(position, index) : x(position)
  }

  private func y(_ value: Double) -> Double {
    bottom - scale.position(value) * (bottom - top)
  }

  /// Draws it.
  func draw(_ drawing: inout SVGDrawing) {
    var panel = self
    panel.drawAll(&drawing)
  }

  private mutating func drawAll(_ drawing: inout SVGDrawing) {
    drawing.clip("panel\(number)", at: (left, top), width: right - left, height: bottom - top)
    drawAxes(&drawing)
    drawTitle(&drawing)
    for index in series.indices { drawBand(index, &drawing) }
    drawTarget(&drawing)
    drawMargins(&drawing)
    for index in series.indices { drawLine(index, &drawing) }
    for index in series.indices { drawChosen(index, &drawing) }
    drawNames(&drawing)
  }

  // MARK: Axes

  private func drawAxes(_ drawing: inout SVGDrawing) {
    for tick in scale.ticks {
      drawing.line(from: (left, y(tick)), to: (right, y(tick)), stroke: "#e4e4e4")
      drawing.write(
        report.sweep.subject.tick(tick), at: (left - 8, y(tick) + 4), .end, fill: "#444444")
    }
    let axis = report.sweep.axes[0]
    for index in placement.labelled(axis.values, width: right - left) {
      drawing.line(from: (x(index), bottom), to: (x(index), bottom + 5), stroke: "#444444")
      drawing.write(axis.values[index], at: (x(index), bottom + 19), .middle, fill: "#444444")
    }
    drawing.line(from: (left, bottom), to: (right, bottom), stroke: "#444444")
    drawing.line(from: (left, top), to: (left, bottom), stroke: "#444444")
    drawing.write(axis.name, at: ((left + right) / 2, bottom + 40), .middle, size: 13)
    drawing.write(
      report.sweep.subject.name + (scale.kind == .logarithmic ? " (log scale)" : ""),
      at: (22, (top + bottom) / 2), .middle, size: 13, turnedBy: -90)
  }

  private func drawTitle(_ drawing: inout SVGDrawing) {
    let hasExact = series.contains { $0.points.contains { $0?.exact != nil } }
    let hasNone = series.contains { $0.points.contains { $0?.estimate == 0 } }
    var start = left
    if report.sweep.axes.count > 1 {
      let title = report.title(series[0].contender)
      drawing.write(title, at: (left, top - 14), weight: "bold")
      start += SVGDrawing.width(title, weight: "bold") + 16
    }
    let words = [
      placement.isCategorical ? "Bars: 95 % intervals" : "Bands: 95 % intervals",
      hasExact ? "dotted: exact" : nil,
      hasNone ? "open: none seen, and their upper limit" : nil,
    ]
    drawing.write(
      words.compactMap(\.self).joined(separator: "; "), at: (start, top - 14), fill: "#555555")
  }

  // MARK: Series

  /// Runs of neighbours that can be joined: those of which something was seen.
  private func stretches(_ series: SweepSeries) -> [[(index: Int, point: SweepSeries.Point)]] {
    var stretches: [[(index: Int, point: SweepSeries.Point)]] = [[]]
    for (index, point) in series.points.enumerated() {
      if let point, point.estimate > 0 {
        stretches[stretches.count - 1].append((index, point))
      } else {
        stretches.append([])
      }
    }
    return stretches.filter { !$0.isEmpty }
  }

  private func drawBand(_ index: Int, _ drawing: inout SVGDrawing) {
    for stretch in stretches(series[index]) {
      guard stretch.count > 1, !placement.isCategorical else {
        for (position, point) in stretch {
          drawing.line(
            from: (xMarked(position, index), y(point.low)),
            to: (xMarked(position, index), y(point.high)),
            stroke: colour(index), width: 2)
        }
        continue
      }
      let above: [SVGDrawing.Point] = stretch.map { (x($0.index), y($0.point.high)) }
      let below: [SVGDrawing.Point] = stretch.reversed().map { (x($0.index), y($0.point.low)) }
      drawing.area(above + below, fill: colour(index), opacity: 0.18)
    }
  }

  private func drawLine(_ index: Int, _ drawing: inout SVGDrawing) {
    let colour = colour(index)
    let exact: [SVGDrawing.Point] = series[index].points.enumerated().compactMap {
      position, point in
      point?.exact.map {
        (x(position), bottom - max(scale.unbounded($0), -3) * (bottom - top))
      }
    }
    drawing.path(
      exact, stroke: colour, width: 1.2, dashes: "2 3", within: "panel\(number)")
    let isDense = series[index].points.count > 120
    for stretch in stretches(series[index]) {
      drawing.path(
        stretch.map { (xMarked($0.index, index), y($0.point.estimate)) }, stroke: colour,
        width: placement.isCategorical ? 0.8 : 1.8)
      for (position, point) in stretch where !isDense || stretch.count == 1 {
        drawing.circle(
          at: (xMarked(position, index), y(point.estimate)), radius: 3, fill: colour, stroke: colour
        )
      }
    }
    for (position, point) in series[index].points.enumerated() {
      guard let point, point.estimate == 0 else { continue }
      drawing.line(
        from: (xOfNone(position, index), y(point.high)), to: (xOfNone(position, index), bottom),
        stroke: colour, width: 1.2)
      drawing.circle(
        at: (xOfNone(position, index), y(point.high)), radius: 3.5, fill: "#ffffff", stroke: colour)
    }
  }

  private func drawTarget(_ drawing: inout SVGDrawing) {
    guard let limit = report.sweep.target?.condition.limit else { return }
    drawing.line(
      from: (left, y(limit)), to: (right, y(limit)), stroke: Self.targetColour, width: 1.2,
      dashes: "7 4")
  }

  /// The published margins, where the axis is one of margins.
  private mutating func drawMargins(_ drawing: inout SVGDrawing) {
    guard report.sweep.axes[0].path == Axis.marginPath else { return }
    var margins: [(margin: Duration, colour: String)] = []
    for (index, series) in series.enumerated() {
      let points = report.sweep.contenders[series.contender].points
      let position = series.second.flatMap { report.sweep.axes[1].values.firstIndex(of: $0) } ?? 0
      let margin = SafeMargin.published(points[position].scenario).margin
      guard !margins.contains(where: { $0.margin == margin }) else { continue }
      margins.append((margin, colour(index)))
    }
    for (index, (margin, colour)) in margins.enumerated() {
      let colour = margins.count == 1 ? "#555555" : colour
      let words = "d_p99 + s_max = \(margin.inSeconds.short) s"
      guard let position = placement.position(margin.inSeconds) else { continue }
      let x = left + position * (right - left)
      drawing.line(from: (x, top), to: (x, bottom), stroke: colour, width: 1.2, dashes: "5 4")
      let isNearEnd = x + SVGDrawing.width(words) + 8 > right
      let line = top + 14 + 16 * Double(index)
      let start = isNearEnd ? x - 6 - SVGDrawing.width(words) : x + 6
      take(words, from: start, line: line)
      drawing.clear(behind: words, from: start, line: line)
      drawing.write(
        words, at: (isNearEnd ? x - 6 : x + 6, line), isNearEnd ? .end : .start, fill: colour)
    }
  }

  // MARK: Words

  private mutating func take(_ words: String, from start: Double, line: Double) {
    let width = SVGDrawing.width(words, weight: "bold")
    taken.append((start...start + width, line - 11...line + 2))
  }

  private func isTaken(_ x: ClosedRange<Double>, _ y: ClosedRange<Double>) -> Bool {
    taken.contains { $0.x.overlaps(x) && $0.y.overlaps(y) }
  }

  private mutating func drawChosen(_ index: Int, _ drawing: inout SVGDrawing) {
    guard let chosen = series[index].chosen, let point = series[index].points[chosen] else {
      return
    }
    let value = point.estimate == 0 ? point.high : point.estimate
    let x = point.estimate == 0 ? xOfNone(chosen, index) : xMarked(chosen, index)
    let y = y(value)
    drawing.circle(at: (x, y), radius: 8, fill: "none", stroke: colour(index), width: 2)
    let words = "chosen: \(report.sweep.axes[0].values[chosen])"
    let width = SVGDrawing.width(words, weight: "bold")
    let isNearEnd = x + width + 14 > right
    let start = isNearEnd ? x - 12 - width : x + 12
    var line = y - 12
    while isTaken(start...start + width, line - 11...line + 2) { line -= 5 }
    take(words, from: start, line: line)
    drawing.clear(behind: words, from: start, line: line, weight: "bold")
    drawing.write(
      words, at: (isNearEnd ? x - 12 : x + 12, line), isNearEnd ? .end : .start,
      fill: colour(index), weight: "bold")
  }

  /// The names at the right ends of the lines, moved apart where they would cover each other.
  private func drawNames(_ drawing: inout SVGDrawing) {
    let ends = (names + [nameOfTarget].compactMap(\.self)).enumerated().sorted {
      ($0.element.y, $0.offset) < ($1.element.y, $1.offset)
    }.map(\.element)
    var next = top
    var places: [Double] = []
    for end in ends {
      places.append(max(end.y, next))
      next = places[places.count - 1] + 15
    }
    // What was pushed below the panel moves up again.
    var limit = bottom
    for position in places.indices.reversed() {
      places[position] = min(places[position], limit)
      limit = places[position] - 15
    }
    for (end, place) in zip(ends, places) {
      drawing.write(
        end.text, at: (right + 12, place + 4), fill: end.colour, weight: "bold")
    }
  }

  private typealias Name = (text: String, y: Double, colour: String)

  private var names: [Name] {
    series.indices.compactMap { index in
      guard let point = series[index].points.compactMap(\.self).last else { return nil }
      return (
        Self.name(series[index], report), y(point.estimate == 0 ? point.high : point.estimate),
        colour(index)
      )
    }
  }

  private var nameOfTarget: Name? {
    guard let target = report.sweep.target, let limit = target.condition.limit else { return nil }
    let words = "target" + target.text.dropFirst(report.sweep.subject.name.count)
    return (words, y(limit), Self.targetColour)
  }
}
