import SimCore
import Strategies

/// A sweep as a table: one row per point and client.
struct SweepTable {
  private let report: SweepReport

  init(_ report: SweepReport) {
    self.report = report
  }

  private var axes: [Axis] { report.sweep.axes }
  private var quantities: [Quantity] { report.sweep.quantities }

  /// Whether the prediction applies anywhere, and its quantity is shown.
  private var hasExact: Bool {
    quantities.contains(.firstUnauthorized)
      && report.points.contains { $0.results.contains { $0.exact != nil } }
  }

  private var header: [String] {
    axes.map(\.name)
      + quantities.flatMap {
        $0 == .firstUnauthorized && hasExact ? [$0.name, "exact"] : [$0.name]
      }
  }

  private func row(_ point: Int, _ contender: Int) -> [String] {
    let result = report.points[point].results[contender]
    let cells = quantities.flatMap { quantity in
      let text = quantity.cell(result)
      return quantity == .firstUnauthorized && hasExact
        ? [text, result.exact?.percent ?? "–"] : [text]
    }
    return report.sweep.contenders[contender].points[point].values + cells
  }

  /// The points of one client, in columns of equal width.
  func text(_ contender: Int) -> String {
    ReportTable(header: header, rows: report.points.indices.map { row($0, contender) }).text
  }

  /// All points of all clients.
  var markdown: String {
    ReportTable(
      header: ["strategy"] + header,
      rows: report.sweep.contenders.indices.flatMap { contender in
        report.points.indices.map { [report.title(contender)] + row($0, contender) }
      }
    ).markdown
  }

  // MARK: CSV

  /// One line per point, client, and quantity, and the predictions.
  var csv: String {
    let header =
      axes.map(\.name) + [
        "strategy", "variant", "server", "quantity", "count", "runs", "estimate", "low", "high",
      ]
    let lines = report.points.indices.flatMap { point in
      report.sweep.contenders.indices.flatMap { contender in
        quantities.flatMap { csv(point, contender, $0) }
      }
    }
    return ([header] + lines).map { $0.map(\.csvQuoted).joined(separator: ",") }
      .joined(separator: "\n") + "\n"
  }

  private func csv(_ point: Int, _ contender: Int, _ quantity: Quantity) -> [[String]] {
    let result = report.points[point].results[contender]
    let start =
      report.sweep.contenders[contender].points[point].values
      + [result.strategy.name, result.variant ?? "", result.server]
    let runs = String(result.totals.runs)
    var lines: [[String]] = []
    if let reading = quantity.reading(result) {
      lines.append(
        start + [
          quantity.name, quantity.count(result.totals).map(String.init) ?? "", runs,
          reading.estimate.description, reading.shown?.low.description ?? "",
          reading.shown?.high.description ?? "",
        ])
    }
    if quantity == .firstUnauthorized, let exact = result.exact {
      lines.append(start + ["exact \(quantity.name)", "", "", exact.description, "", ""])
    }
    return lines
  }
}

extension Quantity {
  /// What a result says, as a cell of a table.
  func cell(_ result: RunReport.Result) -> String {
    guard let reading = reading(result) else { return "–" }
    return measure.isLengthOfWait ? text(reading.estimate) : reading.text
  }
}

extension Expectation.Measure {
  fileprivate var isLengthOfWait: Bool {
    if case .waitAdded = self { true } else { false }
  }
}
