import SimCore

/// What weighed runs gave as text for a person: the rate, how it came about, and what it would have cost to count.
struct RareText {
  let report: RareReport
  let palette: Palette

  var text: String {
    var blocks: [String] = []
    if report.isPartial {
      blocks.append(
        "Interrupted: \(report.runsDone.grouped) of \(report.runs.grouped) runs are done, and these are theirs."
      )
    }
    return (blocks + report.results.map(block)).joined(separator: "\n\n") + "\n"
  }

  private func block(_ result: RareReport.Result) -> String {
    [
      palette.heading(report.title(result)) + "\n" + heading(result), rates(result),
      words(result.totals), cost(result.totals),
    ].compactMap(\.self).joined(separator: "\n\n")
  }

  private func heading(_ result: RareReport.Result) -> String {
    let world = result.cell.world
    let callers = world.scenario.usage.callers
    return
      "\(report.runsDone.grouped) visit\(report.runsDone == 1 ? "" : "s") of \(callers.grouped) call\(callers == 1 ? "" : "s"), "
      + "each weighed by the moment of leaving; server \(world.server), seed \(report.seed)"
  }

  // MARK: Rates

  private func rates(_ result: RareReport.Result) -> String {
    let totals = result.totals
    let rate = totals.rate
    let signedOut = row(
      "signed out", totals.mean == 0 ? "none" : totals.mean.percent, rate?.interval ?? "")
    let danger = row("suspended in a refresh", totals.danger.percent, "by the law of leaving")
    return ([signedOut, danger] + shares(result)).joined(separator: "\n")
  }

  private func row(_ name: String, _ value: String, _ note: String) -> String {
    "  "
      + "\(name.padded(to: 32))per visit    \(value.leftPadded(to: 12))  \(note)".trimmed
  }

  /// Which part of the sign-outs has which cause, and which came from moments that looked harmless.
  private func shares(_ result: RareReport.Result) -> [String] {
    guard let outside = result.totals.shareOutside else { return [] }
    let causes = result.causes.map { "\($0.cause.words) \($0.share.percent)" }
    return [
      "  causes: " + causes.joined(separator: "; "),
      "  from leaving at other moments: \(outside.percent) of the sign-outs",
    ]
  }

  // MARK: Words

  private func words(_ totals: RareEventTotals) -> String {
    guard totals.mean > 0 else { return "  Nobody was signed out." }
    let frequency =
      totals.mean < 0.1
      ? "1 in \(Self.about(1 / totals.mean)) such visits signs the user out"
      : "\(totals.mean.percent) of such visits sign the user out"
    guard totals.rate == nil else { return "  \(frequency)." }
    return "  \(frequency), but the runs say too little for an interval: they are worth "
      + "\(totals.effectiveSignOuts.short) sign-outs\n  of equal weight, and "
      + "\(Int(RareEventTotals.leastEffectiveSignOuts)) are the least."
      + (totals.runsToATenth.map { " About \(Self.about($0)) runs may give ±10 %." } ?? "")
  }

  /// What the weights were worth.
  private func cost(_ totals: RareEventTotals) -> String? {
    guard let gain = totals.gain, let perEvent = totals.gainPerEvent else { return nil }
    let error = totals.standardError / totals.mean
    return "  The standard error is \(error.percent) of the rate; the runs are worth "
      + "\(totals.effectiveSignOuts.short) sign-outs of equal weight.\n"
      + "  Gain: each run tells as much as \(gain.short) plain ones, and each event as much as "
      + "\(perEvent.short);\n  to count as well takes about "
      + "\(Self.about(gain * Double(totals.runs))) plain runs."
  }

  /// A number to two digits.
  private static func about(_ value: Double) -> String {
    guard value < 1e15 else { return "more than 1,000,000,000,000,000" }
    var factor = 1.0
    while value / factor >= 100 { factor *= 10 }
    return Int((value / factor).rounded() * factor).grouped
  }
}
