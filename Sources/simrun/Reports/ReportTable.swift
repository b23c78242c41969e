import SimCore
import Strategies

/// Strategies side by side: one row each, rates with their intervals.
struct ReportTable {
  private let header: [String]
  private let rows: [[String]]

  init(_ report: RunReport) {
    let shape = report.results.first?.scenario.shape ?? .opening
    let unit = shape.unit
    let hasOpenings = shape == .opening || shape == .visit
    let columns: [(String, Metric, MetricUnit)] = [
      ("signed out per \(shape.noun)", .signOuts, unit),
      hasOpenings
        ? ("a 401 per opening", .openingsUnauthorized, .opening)
        : ("first a 401 per call", .firstUnauthorized, .call),
      ("failed per call", .failedCalls, .call),
      ("refreshes per \(shape.noun)", .refreshes, unit),
    ]
    header = ["strategy"] + columns.map(\.0)
    rows = report.results.map { result in
      [report.title(result)]
        + columns.map { _, metric, unit in
          result.totals.rate(metric, per: unit).map { "\($0.text) (\($0.interval))" } ?? "–"
        }
    }
  }

  /// Columns of equal width.
  var text: String {
    let all = [header] + rows
    let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ").trimmed
    }.joined(separator: "\n")
  }

  /// A table in Markdown.
  var markdown: String {
    let rule = header.map { _ in "---" }
    return ([header, rule] + rows).map { "| \($0.joined(separator: " | ")) |" }
      .joined(separator: "\n") + "\n"
  }
}
