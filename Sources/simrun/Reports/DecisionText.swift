import SimCore

/// Several clients or servers on the same worlds, read as a decision: best first, and how much better.
struct DecisionText {
  private let report: RunReport
  private let ranked: [RunReport.Result]
  private let shape: Scenario.Shape
  private let palette: Palette

  /// Below so many sign-outs a rate is hardly known.
  private static let thin = 30

  init(_ report: RunReport, _ palette: Palette) {
    self.report = report
    ranked = report.ranked
    shape = report.results.first?.scenario.shape ?? .opening
    self.palette = palette
  }

  var text: String {
    [ReportTable(report).text, lead, differences, warnings].compactMap(\.self)
      .joined(separator: "\n\n")
  }

  // MARK: The answer in a sentence

  private var lead: String? {
    guard let best = ranked.first,
      let worst = ranked.first(where: { $0.signOutRate == ranked.last?.signOutRate })
    else { return nil }
    let safe = ranked.filter { $0.totals[.signOuts] == 0 }
    if safe.count == ranked.count {
      return
        "None of them signs anybody out here\(limit(best)); they differ in what else they meet."
    }
    if !safe.isEmpty {
      let names = Self.list(safe.map(report.title))
      return "\(names) sign\(safe.count == 1 ? "s" : "") nobody out\(limit(best));\n"
        + "\(report.title(worst)) does in \(often(worst))."
    }
    guard worst.signOutRate > best.signOutRate else {
      return "Each of them signs out in \(often(best))."
    }
    let ratio = worst.signOutRate / best.signOutRate
    let far = best.totals.rate(.signOuts, per: .run)?.high ?? 0
    let near = worst.totals.rate(.signOuts, per: .run)?.low ?? 0
    return
      "\(report.title(best)) signs out least, in \(often(best)); \(report.title(worst)) does in "
      + "\(often(worst))"
      + (near > far ? ", \(ratio.short) times as often." : ".")
  }

  private func often(_ result: RunReport.Result) -> String {
    let rate = result.signOutRate
    if rate >= 0.95 { return rate >= 1 ? "every \(shape.noun)" : "nearly every \(shape.noun)" }
    return
      "1 of \(rate > 0.1 ? (1 / rate).short : Int((1 / rate).rounded()).grouped) \(shape.noun)s"
  }

  /// What none tells, where there are enough runs for it.
  private func limit(_ result: RunReport.Result) -> String {
    guard report.runsDone >= 30, let rate = result.totals.rate(.signOuts, per: .run) else {
      return ""
    }
    return " (95 % sure: less than 1 of \(Int(1 / rate.high).grouped) \(shape.noun)s)"
  }

  private static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  // MARK: Differences on the same worlds

  private var differences: String? {
    let first = report.results[0]
    let blocks = ranked.compactMap { result in
      result.difference.map { differences(of: result, $0, to: first) }
    }
    guard !blocks.isEmpty else { return nil }
    let head =
      "Against \(report.title(first)), the first named, in the same \(report.runsDone.grouped) "
      + "\(shape.noun)s; 95 % intervals, each by itself"
    return palette.heading(head) + "\n" + blocks.joined(separator: "\n")
  }

  private func differences(
    of result: RunReport.Result, _ paired: PairedTotals, to first: RunReport.Result
  ) -> String {
    let lines = [
      (Metric.signOuts, "sign-outs"), (.unauthorized, "401s"), (.refreshes, "refreshes"),
    ].compactMap { metric, noun in
      paired.difference(metric, first.totals, result.totals).map { difference in
        "    " + words(difference, noun, report.title(first))
      }
    }
    return (["  \(report.title(result))"] + lines).joined(separator: "\n")
  }

  private func words(
    _ difference: PairedTotals.Difference, _ noun: String, _ first: String
  ) -> String {
    let discordant = difference.onlyFirst + difference.onlySecond
    guard difference.estimate != 0 || discordant > 0 else {
      return "as many \(noun), \(shape.noun) by \(shape.noun)"
    }
    let runs = Double(report.runsDone)
    let (low, high) = (difference.low * runs, difference.high * runs)
    let told =
      low > 0 || high < 0
      ? "\(amount(difference.estimate * runs)) \(noun) "
        + "(\(size(min(low.magnitude, high.magnitude))) to \(size(max(low.magnitude, high.magnitude))))"
      : "\(noun) cannot be told apart, \(amount(low)) to \(amount(high))"
    let alone =
      "\(shape.noun)s with any: \(difference.onlyFirst.grouped) only with \(first), "
      + "\(difference.onlySecond.grouped) only here"
    let pairing = difference.varianceReduction.flatMap {
      $0 > 1.05 ? "; pairing divided the variance by \($0.short)" : nil
    }
    return "\(told); \(alone)\(pairing ?? "")"
  }

  /// A count with its direction.
  private func amount(_ count: Double) -> String {
    count == 0 ? "0" : "\(size(count.magnitude)) \(count > 0 ? "more" : "fewer")"
  }

  private func size(_ count: Double) -> String {
    count < 10 ? count.short : Int(count.rounded()).grouped
  }

  // MARK: Warnings

  private var warnings: String? {
    let thin = ranked.filter { (1..<Self.thin).contains($0.totals[.signOuts]) }
    guard !thin.isEmpty else { return nil }
    let names = thin.map { "\(report.title($0)) (\($0.totals[.signOuts].grouped))" }
    return
      "Thin data: few sign-outs were seen of \(Self.list(names)); --precision 10% runs until they are known."
  }
}

extension RunReport.Result {
  /// Sign-outs per run.
  fileprivate var signOutRate: Double { totals.rate(.signOuts, per: .run)?.estimate ?? 0 }
}
