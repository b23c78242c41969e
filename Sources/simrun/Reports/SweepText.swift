import SimCore

/// A sweep as text for a person: the choice first, then the tables, then a chart.
struct SweepText {
  private let report: SweepReport
  private let palette: Palette

  init(_ report: SweepReport, _ palette: Palette) {
    self.report = report
    self.palette = palette
  }

  private var sweep: Sweep { report.sweep }

  var text: String {
    let blocks = [partial, heading, choices] + sweep.contenders.indices.map(table) + [chart]
    return blocks.compactMap(\.self).joined(separator: "\n\n") + "\n"
  }

  private var partial: String? {
    report.isPartial ? "Interrupted: not all runs are done, and these are those that are." : nil
  }

  private var heading: String {
    let axes = sweep.axes.map { "\($0.values.count.grouped) values of \($0.name)" }
      .joined(separator: " by ")
    let runs = report.points.map(\.runsDone)
    let (least, most) = (runs.min() ?? 0, runs.max() ?? 0)
    let count = least == most ? most.grouped : "\(least.grouped) to \(most.grouped)"
    let shape = report.points[0].results[0].scenario.shape
    let noun = most == 1 ? shape.noun : shape.noun + "s"
    let servers = Set(report.points.flatMap { $0.results.map(\.server) })
    let server = servers.count == 1 ? "server \(servers.first ?? ""), " : ""
    return
      "\(axes); \(count) \(noun) at each point, the same days at all; \(server)seed \(sweep.seed)"
      + precision
  }

  private var precision: String {
    guard let share = sweep.precision?.share else { return "" }
    let vague = report.points.count { $0.precision?.isReached == false }
    return vague == 0
      ? "\nEach point is known to \(share.percent), in intervals that hold at all looks together."
      : "\n\(vague.grouped) of \(report.points.count.grouped) points are not known to \(share.percent) "
        + "after the most runs (--max-runs)."
  }

  private var choices: String? {
    guard let target = sweep.target else { return nil }
    let blocks = report.choices.map { SweepChoiceText(report, $0).text }
    return ([palette.heading("Target: \(target.text)")] + blocks + [confidence])
      .joined(separator: "\n")
  }

  private var confidence: String {
    let values = sweep.axes[0].values.count
    if sweep.precision != nil {
      return
        "Judged so that all \(values.grouped) values hold together with 95 %, at whatever look they "
        + "stopped; those below are each by itself."
    }
    return values == 1
      ? "Intervals are of 95 %."
      : "Judged by intervals of \((1 - report.judged.error).percent), so that all \(values.grouped) hold "
        + "together with 95 %; those below are of 95 %, each by itself."
  }

  private func table(_ contender: Int) -> String {
    palette.heading(report.title(contender)) + "\n" + SweepTable(report).text(contender)
  }

  private var chart: String? {
    SweepChart(report).text ?? "The chart has too many rows for a terminal; --svg FILE draws it."
  }
}
