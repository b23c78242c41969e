import SimCore

/// A month with the app on one screen: how often each client signs its user out, and why.
struct SessionsText {
  private let report: RunReport
  private let palette: Palette

  init(_ report: RunReport, _ palette: Palette) {
    self.report = report
    self.palette = palette
  }

  /// How many causes of a client are told one by one.
  private static let mostCauses = 3

  var text: String {
    let ranked = report.ranked
    var blocks = [heading, signOuts(ranked).text]
    let causes = ranked.compactMap { self.causes($0, SignOutCauses($0.totals)) }
    if !causes.isEmpty {
      blocks.append(palette.heading("Why") + "\n" + causes.joined(separator: "\n"))
    }
    blocks.append(costs(ranked).text + "\n\n" + note)
    let commands = report.traceCommands(ranked).map { "  \($0)" }
    if !commands.isEmpty {
      blocks.append(palette.heading("See one") + "\n" + commands.joined(separator: "\n"))
    }
    return blocks.joined(separator: "\n\n")
  }

  /// What a reader has to know of the calls that fail.
  private var note: String {
    let processes = report.results.map(\.scenario.processes.count).max() ?? 1
    let each = processes > 1 ? "\nEach of \(processes) processes counts its own sign-out." : ""
    return """
      A call also fails when the person leaves before its answer. Who was signed out signs in at the next
      opening; until then all calls fail.\(each)
      """
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

  private func signOuts(_ results: [RunReport.Result]) -> ReportTable {
    ReportTable(
      header: ["client, best first", "signed out per user and month", "which is"],
      rows: results.map { result in
        [
          report.title(result), result.monthly(.signOuts)?.plainText ?? "–",
          result.monthly(.signOuts).map(Self.words) ?? "–",
        ]
      })
  }

  /// What else each client costs a user.
  private func costs(_ results: [RunReport.Result]) -> ReportTable {
    ReportTable(
      header: [
        "per user", "401s a month", "failed calls", "refreshes a day", "duplicates a month",
      ],
      rows: results.map { result in
        [
          report.title(result), result.monthly(.unauthorized)?.estimate.short ?? "–",
          result.totals.rate(.failedCalls, per: .call)?.estimate.percent ?? "–",
          result.daily(.refreshes)?.short ?? "–",
          result.monthly(.duplicates)?.estimate.short ?? "–",
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
    let head =
      "  \(report.title(result)), \(causes.total.grouped) sign-out\(causes.total == 1 ? "" : "s")"
    var lines = causes.shares.prefix(Self.mostCauses).map { cause, _, share in
      "    \(share.percent.leftPadded(to: 7))  \(cause.words) (\(cause.name))"
    }
    let rest = causes.shares.dropFirst(Self.mostCauses)
    if !rest.isEmpty {
      let share = rest.reduce(0) { $0 + $1.share }
      lines.append(
        "    \(share.percent.leftPadded(to: 7))  \(rest.map(\.cause.name).joined(separator: ", "))")
    }
    return ([head] + lines).joined(separator: "\n")
  }
}
