import SimCore

/// Many clients of one server on one screen: how much each strategy asks of the server at once.
struct FleetText {
  private let report: RunReport
  private let palette: Palette

  init(_ report: RunReport, _ palette: Palette) {
    self.report = report
    self.palette = palette
  }

  var text: String {
    let commands = report.traceCommands(report.results).map { "  \($0)" }
    let sessions = SessionsText(report, palette)
    let causes = report.results.compactMap { sessions.causes($0, SignOutCauses($0.totals)) }
    let why =
      causes.isEmpty ? [] : [palette.heading("Why") + "\n" + causes.joined(separator: "\n")]
    let see = commands.isEmpty ? [] : ["See one\n" + commands.joined(separator: "\n")]
    return ([heading, Self.table(report).text] + why + see).joined(separator: "\n\n")
  }

  private var heading: String {
    let usage = report.results[0].scenario.usage
    let servers = report.hasSeveralServers ? [] : ["server \(report.results[0].server)"]
    let fleets =
      "\(report.runsDone.grouped) fleet\(report.runsDone == 1 ? "" : "s") of "
      + "\(usage.clients.grouped) clients over \(usage.horizon?.text ?? "no time")"
    return palette.heading(([fleets] + servers + ["seed \(report.seed)"]).joined(separator: "; "))
  }

  /// Strategies one below the other, with what reaches the server.
  ///
  /// - Parameter report: a report of fleets.
  /// - Returns: the table.
  static func table(_ report: RunReport) -> ReportTable {
    ReportTable(
      header: [
        "strategy", "refreshes in the busiest second", "in a mean one", "refused", "failed calls",
        "sign-outs per client",
      ],
      rows: report.results.map { result in
        let totals = result.totals
        let signOuts = totals.rate(.signOuts, per: .run)
        return [
          report.title(result), totals.rate(.refreshPeak, per: .run)?.plainText ?? "–",
          result.refreshesPerSecond?.short ?? "–",
          totals.rate(.refused, per: .refresh)?.estimate.percent ?? "–",
          totals.rate(.failedCalls, per: .call)?.estimate.percent ?? "–",
          signOuts.map { ($0.estimate / Double(result.scenario.usage.clients)).percent } ?? "–",
        ]
      })
  }
}
