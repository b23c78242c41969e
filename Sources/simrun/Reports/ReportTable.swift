import SimCore
import Strategies

/// Strategies side by side: one row each, rates with their intervals.
struct ReportTable {
  private let header: [String]
  private let rows: [[String]]

  /// A table from its parts; each row has as many cells as the header.
  init(header: [String], rows: [[String]]) {
    self.header = header
    self.rows = rows
  }

  /// The strategies of a report, one row each, best first.
  init(_ report: RunReport) {
    let shape = report.results.first?.scenario.shape ?? .opening
    switch shape {
    case .sessions: self = Self.sessions(report)
    case .fleet: self = FleetText.table(report)
    case .opening, .visit, .timeline, .steady: self = Self.rates(report, shape)
    }
  }

  private static func rates(_ report: RunReport, _ shape: Scenario.Shape) -> ReportTable {
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
    return ReportTable(
      header: [report.results.count > 1 ? "strategy, best first" : "strategy"] + columns.map(\.0),
      rows: report.ranked.map { result in
        [report.title(result)]
          + columns.map { _, metric, unit in
            result.totals.rate(metric, per: unit).map { "\($0.text) (\($0.interval))" } ?? "–"
          }
      })
  }

  private static func sessions(_ report: RunReport) -> ReportTable {
    ReportTable(
      header: [
        "strategy", "signed out per user and month", "which is", "401s per user and month",
        "failed per call", "refreshes per user and day", "duplicates per user and month",
      ],
      rows: report.results.map { result in
        let signOuts = result.monthly(.signOuts)
        let failed = result.totals.rate(.failedCalls, per: .call)
        return [
          report.title(result), signOuts?.plainText ?? "–",
          signOuts.map(SessionsText.words) ?? "–",
          result.monthly(.unauthorized).map(bulk) ?? "–",
          failed.map { "\($0.text) (\($0.interval))" } ?? "–",
          result.daily(.refreshes)?.short ?? "–",
          result.monthly(.duplicates).map(bulk) ?? "–",
        ]
      })
  }

  /// A rate of what one user may meet by the hundred, so that no limit stands for none.
  private static func bulk(_ rate: RateEstimate) -> String {
    rate.estimate == 0 ? "0" : rate.plainText
  }

  /// The causes of the sign-outs of a report, one row per strategy and cause; nil if there are none.
  static func causes(_ report: RunReport) -> ReportTable? {
    let rows = report.results.flatMap { result in
      SignOutCauses(result.totals).shares.map { cause, count, share in
        [report.title(result), cause.name, cause.words, count.grouped, share.percent]
      }
    }
    return rows.isEmpty
      ? nil
      : ReportTable(
        header: ["strategy", "cause", "in words", "sign-outs", "share"], rows: rows)
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
