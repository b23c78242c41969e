import SimCore

/// A sweep as a figure to show to others.
struct SweepFigure {
  /// The file.
  let text: String

  private static let width = 900.0
  private static let headHeight = 76.0
  private static let panelHeight = 400.0

  /// The most values of a second axis that lines can be told apart by.
  static let mostLines = 6

  /// Draws a report.
  init(_ report: SweepReport) {
    let series = report.series(report.sweep.subject)
    let isMap = report.sweep.axes.count > 1 && report.sweep.axes[1].values.count > Self.mostLines
    text = isMap ? Self.maps(report, series) : Self.lines(report, series)
  }

  private static func lines(_ report: SweepReport, _ series: [SweepSeries]) -> String {
    // With one axis all clients share a panel; with two each has its own.
    let panels =
      report.sweep.axes.count == 1
      ? [series]
      : report.sweep.contenders.indices.map { contender in
        series.filter { $0.contender == contender }
      }
    var drawing = SVGDrawing(
      width: width, height: headHeight + panelHeight * Double(panels.count))
    head(report, &drawing)
    for (index, panel) in panels.enumerated() {
      LinePanel(
        report, panel, scale: report.scale(series), number: index,
        top: headHeight + panelHeight * Double(index), width: width, height: panelHeight
      ).draw(&drawing)
    }
    return drawing.text
  }

  private static func maps(_ report: SweepReport, _ series: [SweepSeries]) -> String {
    let maps = report.sweep.contenders.indices.map { contender in
      HeatMap(
        report, series.filter { $0.contender == contender }, scale: report.scale(series))
    }
    var drawing = SVGDrawing(
      width: max(width, maps.map(\.width).max() ?? 0),
      height: headHeight + maps.reduce(0) { $0 + $1.height })
    head(report, &drawing)
    var top = headHeight
    for map in maps {
      map.draw(&drawing, top: top)
      top += map.height
    }
    return drawing.text
  }

  private static func head(_ report: SweepReport, _ drawing: inout SVGDrawing) {
    let sweep = report.sweep
    let axes = sweep.axes.map(\.name).joined(separator: " and ")
    let title = "\(sweep.subject.name) over \(axes)"
    drawing.describe(title: title)
    drawing.write(title, at: (24, 30), size: 17, weight: "bold")
    var line = 50.0
    for note in notes(report) {
      drawing.write(note, at: (24, line), fill: "#555555")
      line += 17
    }
  }

  private static func notes(_ report: SweepReport) -> [String] {
    let runs = report.points.map(\.runsDone)
    let (least, most) = (runs.min() ?? 0, runs.max() ?? 0)
    let count = least == most ? most.grouped : "\(least.grouped) to \(most.grouped)"
    let servers = Set(report.points.flatMap { $0.results.map(\.server) })
    let world = [
      "\(count) \(report.points[0].results[0].scenario.shape.noun)s at each point",
      servers.count == 1 ? "server \(servers.first ?? "")" : nil, "seed \(report.sweep.seed)",
      "simrun \(Version.number)",
    ]
    let chosen = report.choices.compactMap { choice in
      choice.chosen.map { position in
        "\(report.label(choice.contender, choice.second)): \(choice.candidates[position].value)"
      }
    }
    let target = report.sweep.target.map { target in
      let words = "Target \(target.text)"
      if chosen.isEmpty { return "\(words): no value surely meets it" }
      let list = "\(words): chosen \(chosen.joined(separator: ", "))"
      return SVGDrawing.width(list) < width - 48 ? list : "\(words): what was chosen is marked"
    }
    return [world.compactMap(\.self).joined(separator: "; ")] + [target].compactMap(\.self)
  }
}

extension SweepReport {
  /// What tells a series from the others.
  func label(_ contender: Int, _ second: String?) -> String {
    let client = sweep.contenders.count > 1 || second == nil ? title(contender) : nil
    return [client, second.map { "\(sweep.axes[1].name)=\($0)" }].compactMap(\.self)
      .joined(separator: ", ")
  }
}
