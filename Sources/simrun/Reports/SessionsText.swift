import SimCore

/// A month with the app on one screen: how often each client signs its user out, and why.
struct SessionsText {
  private let report: RunReport
  private let palette: Palette

  init(_ report: RunReport, _ palette: Palette) {
    self.report = report
    self.palette = palette
  }

  var text: String {
    var blocks = [heading, table.text]
    let causes = report.results.compactMap { self.causes($0, SignOutCauses($0.totals)) }
    if !causes.isEmpty {
      blocks.append(palette.heading("Why") + "\n" + causes.joined(separator: "\n"))
    }
    let commands = report.results.compactMap { result in
      report.traceCommand(result).map { "  \(report.title(result)): \($0)" }
    }
    if !commands.isEmpty { blocks.append("See one\n" + commands.joined(separator: "\n")) }
    return blocks.joined(separator: "\n\n")
  }

  private var heading: String {
    let horizons = Set(report.results.compactMap(\.scenario.usage.horizon)).sorted()
    var lines = [
      "\(report.runsDone.grouped) user\(report.runsDone == 1 ? "" : "s") over "
        + horizons.map(\.text).joined(separator: " or ")
    ]
    if let first = report.results.first, let openings = first.daily(.openings),
      let calls = first.daily(.calls)
    {
      lines.append("\(openings.short) openings and \(calls.short) calls a day")
    }
    let servers = report.hasSeveralServers ? [] : ["server \(report.results[0].server)"]
    return palette.heading((lines + servers + ["seed \(report.seed)"]).joined(separator: "; "))
  }

  /// Strategies one below the other, in numbers per user and month.
  private var table: ReportTable {
    ReportTable(
      header: [
        "per user", "signed out a month", "which is", "401s a month", "failed calls",
        "refreshes a day",
      ],
      rows: report.results.map { result in
        [
          report.title(result), result.monthly(.signOuts)?.plainText ?? "–",
          result.monthly(.signOuts).map(Self.words) ?? "–",
          result.monthly(.unauthorized)?.estimate.short ?? "–",
          result.totals.rate(.failedCalls, per: .call)?.estimate.percent ?? "–",
          result.daily(.refreshes)?.short ?? "–",
        ]
      })
  }

  /// How often users are signed out, in words.
  static func words(_ rate: RateEstimate) -> String {
    rate.estimate > 0
      ? Frequency.words(perMonth: rate.estimate) : Frequency.limit(perMonth: rate.high)
  }

  /// The causes of a client's sign-outs with their shares, each in plain words.
  ///
  /// - Parameters:
  ///   - result: what the client met.
  ///   - causes: its causes.
  /// - Returns: a line for the client and one per cause; nil if there are none.
  func causes(_ result: RunReport.Result, _ causes: SignOutCauses) -> String? {
    guard causes.total > 0 else { return nil }
    let head = "  \(report.title(result)), \(causes.total.grouped) sign-outs"
    let lines = causes.shares.map { cause, _, share in
      "    \(share.percent.leftPadded(to: 7))  \(cause.words) (\(cause.name))"
    }
    return ([head] + lines).joined(separator: "\n")
  }
}
