import Foundation
import SimCore
import Strategies

/// A run as text for a person: the answer first, then the prediction, then how to see a bad run.
struct TextReport {
  private let report: RunReport
  private let palette: Palette

  init(_ report: RunReport, _ palette: Palette) {
    self.report = report
    self.palette = palette
  }

  var text: String {
    let shapes = Set(report.results.map(\.scenario.shape))
    let overview: String? =
      switch shapes {
      case [.sessions]: SessionsText(report, palette).text
      case [.fleet]: FleetText(report, palette).text
      default: nil
      }
    if let overview { return (report.isPartial ? partial + "\n\n" : "") + overview + "\n" }
    var blocks = report.isPartial ? [partial] : []
    if report.results.count > 1 { blocks.append(DecisionText(report, palette).text) }
    blocks += report.ranked.map(block)
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private var partial: String {
    "Interrupted: \(report.runsDone.grouped) of \(report.runs.grouped) runs are done, and these are theirs."
  }

  private func block(_ result: RunReport.Result) -> String {
    let head = palette.heading(report.title(result)) + "\n" + heading(result)
    return [head, rates(result), words(result), prediction(result), trace(result)]
      .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private func heading(_ result: RunReport.Result) -> String {
    let usage = result.scenario.usage
    let runs = report.runsDone.grouped
    let plural = report.runsDone == 1 ? "" : "s"
    let opening = "of \(usage.callers.grouped) \(usage.callers == 1 ? "call" : "calls")"
    let what =
      switch result.scenario.shape {
      case .opening: "\(runs) opening\(plural) \(opening)"
      case .visit:
        "\(runs) visit\(plural): an opening \(opening), leaving, and an opening after the return\(absence(result))"
      case .timeline:
        "\(runs) run\(plural) of a timeline of \(usage.timeline.reduce(0) { $0 + $1.times }.grouped) moments"
      case .steady:
        "\(runs) run\(plural) of steady use over \(usage.horizon?.text ?? "no time")"
      case .sessions: "\(runs) user\(plural) over \(usage.horizon?.text ?? "no time")"
      case .fleet:
        "\(runs) fleet\(plural) of \(usage.clients.grouped) clients over \(usage.horizon?.text ?? "no time")"
      }
    return "\(what); server \(result.server), seed \(report.seed)" + looks
  }

  /// What intervals mean that were looked at until they were narrow enough.
  private var looks: String {
    guard let (share, isReached) = report.precision else { return "" }
    let end = isReached ? "enough for" : "the most allowed, not enough for"
    return "\n\(end) ±\(share.percent) of each rate; the intervals hold together at all looks"
  }

  private func absence(_ result: RunReport.Result) -> String {
    guard case .constant(let length) = result.scenario.lifecycle.returns else { return "" }
    return " \(length.text) later"
  }

  // MARK: Rates

  private func rates(_ result: RunReport.Result) -> String {
    let shape = result.scenario.shape
    if shape == .timeline { return counts(result) }
    if [.steady, .sessions, .fleet].contains(shape) { return steadyRates(result) }
    return [
      row("signed out", .signOuts, shape.unit, shape.noun, result.totals),
      row("sessions revoked for a reuse", .revocations, shape.unit, shape.noun, result.totals),
      row("openings with a 401", .openingsUnauthorized, .opening, "opening", result.totals),
      row("duplicate refreshes", .duplicates, shape.unit, shape.noun, result.totals),
      row("failed calls", .failedCalls, .call, "call", result.totals),
      row("calls that waited for a refresh", .waitedCalls, .call, "call", result.totals),
    ].compactMap(\.self).joined(separator: "\n")
  }

  /// Everything that happened in a timeline, in numbers.
  private func counts(_ result: RunReport.Result) -> String {
    Metric.allCases.filter { result.totals[$0] > 0 && $0 != .refreshPeak }.map {
      "  \($0.name.padded(to: 22))\(result.totals[$0].grouped.leftPadded(to: 9))  \($0.meaning)"
    }.joined(separator: "\n")
  }

  /// What steady use meets, and what a margin costs it.
  private func steadyRates(_ result: RunReport.Result) -> String {
    let totals = result.totals
    let hours = (result.scenario.usage.horizon?.inSeconds ?? 0) / 3600
    let perHour = (totals.rate(.refreshes, per: .run)?.estimate ?? 0) / max(hours, 1e-9)
    let needless = totals.rate(.needless, per: .refresh)?.estimate ?? 0
    return [
      row("first attempts answered 401", .firstUnauthorized, .call, "call", totals),
      row("failed calls", .failedCalls, .call, "call", totals),
      row("calls that waited for a refresh", .waitedCalls, .call, "call", totals),
      row("signed out", .signOuts, .run, result.scenario.shape.noun, totals),
      row("duplicate refreshes", .duplicates, .refresh, "refresh", totals),
      "  refreshes per hour \(perHour.short); life unused \((totals.lifeUnused ?? 0).percent); "
        + "needless \(needless.percent) of refreshes",
    ].compactMap(\.self).joined(separator: "\n")
  }

  private func row(
    _ name: String, _ metric: Metric, _ unit: MetricUnit, _ unitName: String, _ totals: Totals
  ) -> String? {
    guard let rate = totals.rate(metric, per: unit) else { return nil }
    let count = totals[metric].grouped
    let place = "per \(unitName)".padded(to: 13)
    return "  \(name.padded(to: 32))\(place)\(rate.text.leftPadded(to: 9))  "
      + "\(rate.interval.padded(to: 18))\(count.leftPadded(to: 8))"
  }

  // MARK: Words

  private func words(_ result: RunReport.Result) -> String? {
    let shape = result.scenario.shape
    guard shape == .opening || shape == .visit,
      let rate = result.totals.rate(.signOuts, per: shape.unit)
    else {
      return nil
    }
    var sentence =
      result.totals[.signOuts] > 0
      ? "  \(Self.oneIn(rate.estimate, "such \(shape.noun)")) signs the user out."
      : "  Nobody was signed out" + confidence(rate, shape) + "."
    let lost = result.totals[.lostRotations]
    if lost > 0, shape == .opening {
      sentence +=
        "\n  But \(lost.grouped) new pair\(lost == 1 ? "" : "s") got lost on the way: that shows at the next "
        + "refresh, which an opening does not have; see --usage steady."
    }
    if let expired = result.expired, let rate = expired.rate(.signOuts, per: .opening) {
      sentence +=
        expired[.signOuts] == 0
        ? "\n  With an expired token at the opening, none of \(expired.runs.grouped) does."
        : "\n  With an expired token at the opening, \(Self.share(rate.estimate)) of "
          + "\(expired.runs.grouped) does."
    }
    return sentence
  }

  /// What none tells, where there are enough runs for it.
  private func confidence(_ rate: RateEstimate, _ shape: Scenario.Shape) -> String {
    guard report.runsDone >= 30 else { return "" }
    return
      "; with 95 % confidence that is rarer than 1 in \(Int(1 / rate.high).grouped) \(shape.noun)s"
  }

  /// A rate as "1 in 91", or in words where it is nearly certain.
  private static func oneIn(_ rate: Double, _ thing: String) -> String {
    if rate == 1 { return "Every \(thing)" }
    return rate > 0.95 ? "Nearly every \(thing)" : "1 in \(rounded(1 / rate)) \(thing)s"
  }

  private static func share(_ rate: Double) -> String {
    rate == 1 ? "every one" : rate.percent
  }

  /// Two digits where the number is small enough to need them.
  private static func rounded(_ value: Double) -> String {
    value < 10 ? value.short : Int(value.rounded()).grouped
  }

  // MARK: Prediction

  private func prediction(_ result: RunReport.Result) -> String {
    switch result.prediction {
    case .none(let reason):
      return result.scenario.shape == .timeline
        ? "" : "  (d + s)/T does not apply: \(reason)."
    case .steady(let prediction, let verdict): return steady(prediction, verdict, result)
    case .opening(let prediction, let verdict):
      let measured = result.measured
      let lines = [
        "  First attempts answered 401, per call",
        line("measured", measured?.estimate, measured?.interval ?? ""),
        line("exact", prediction.perCall, "for these distributions"),
        line("rule", prediction.rule, rule(result, prediction)),
        "    verdict   " + words(verdict, result, prediction.perCall), loss(result, prediction),
      ]
      return lines.compactMap(\.self).joined(separator: "\n")
    }
  }

  private func steady(
    _ prediction: SteadyPrediction, _ verdict: Verdict, _ result: RunReport.Result
  ) -> String {
    [
      "  First attempts answered 401, per call",
      line("measured", result.measured?.estimate, result.measured?.interval ?? ""),
      line("exact", prediction.perCall, "for these distributions and this rate of calls"),
      line("rule", prediction.rule, "(d + s - m)/T; \(prediction.ruleRange.phrase)"),
      "    verdict   " + words(verdict, result, prediction.perCall),
      "  Predicted cost: \(prediction.refreshesPerHour.short) refreshes per hour, life unused "
        + "\(prediction.lifeUnused.percent), needless \(prediction.needlessShare.percent)",
    ].joined(separator: "\n")
  }

  private func line(_ name: String, _ value: Double?, _ note: String) -> String {
    "    \(name.padded(to: 10))\((value?.percent ?? "–").leftPadded(to: 9))  \(note)"
  }

  private func rule(_ result: RunReport.Result, _ prediction: RacePrediction) -> String {
    var terms = "\(prediction.meanUplink.short) s"
    terms += prediction.lateness < 0 ? " - " : " + "
    terms += "\(prediction.lateness.magnitude.short) s"
    var formula = "(d + s"
    if case .margin(let margin) = result.profile.check, margin > .zero {
      formula += " - m"
      terms += " - \(margin.inSeconds.short) s"
    }
    return
      "\(formula))/T = (\(terms)) / \(result.scenario.server.lifetime.longest.inSeconds.short) s"
      + (prediction.rule == 0 ? ", at least 0" : prediction.rule == 1 ? ", at most 1" : "")
      + (result.profile.expiryBasis == .absolute || prediction.lateness == 0
        ? "" : "; but s cancels out of \(result.profile.expiryBasis)")
  }

  private func words(
    _ verdict: Verdict, _ result: RunReport.Result, _ predicted: Double
  ) -> String {
    switch verdict {
    case .agrees: return "agrees, within ±5 %"
    case .differs: return "differs: the 99.9 % interval excludes the exact value"
    case .inconclusive(let needed):
      let resolved =
        result.measured.map { Verdict.resolution(of: $0, predicted: predicted) } ?? 0
      let runs = "\(report.runsDone.grouped) runs"
      let resolution =
        resolved < 2
        ? "\(runs) resolve ±\(Int((resolved * 100).rounded())) %" : "\(runs) are too few to tell"
      let more =
        needed > 1_000_000_000_000 ? "more than are feasible" : "about \(Self.about(needed))"
      return "inconclusive: consistent with \(predicted.percent); \(resolution);"
        + "\n              \(more) would decide at ±5 %"
    }
  }

  /// A count to two digits.
  private static func about(_ count: Int) -> String {
    var factor = 1
    while count / factor >= 100 { factor *= 10 }
    return ((count + factor / 2) / factor * factor).grouped
  }

  private func loss(_ result: RunReport.Result, _ prediction: RacePrediction) -> String? {
    switch prediction.sessionLoss {
    case .none: nil
    case .exactly(let loss):
      "  Two late calls sign the user out: \(loss.percent) of openings predicted."
    case .atMost(let loss):
      "  Two late calls may sign the user out: at most \(loss.percent) of openings predicted."
    }
  }

  // MARK: Seeing one

  private func trace(_ result: RunReport.Result) -> String? {
    report.traceCommand(result).map { "  See one: \($0)" }
  }
}

extension RateEstimate {
  /// The rate; counts above one per unit are no percentages.
  var text: String { estimate > 1 ? estimate.short : estimate.percent }

  /// The 95 % interval.
  var interval: String {
    if estimate == 0 { return "below \(high.percent)" }
    if estimate == 1, high == 1, low > 0.995 {
      return "above \((low * 1e4).rounded(.down) / 100) %"
    }
    if high > 1 { return "\(low.short) to \(high.short)" }
    return "\(low.percent.dropLast(2)) to \(high.percent)"
  }
}
