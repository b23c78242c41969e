import SimCore
import Strategies

/// A run as CSV: one line per strategy, metric, and unit, and the predictions.
enum CSVReport {
  private static let header = "strategy,server,quantity,per,count,estimate,low,high"

  static func text(_ report: RunReport) -> String {
    let lines = report.results.flatMap { result in
      rates(result) + causes(result) + prediction(result)
    }
    return ([header] + lines).joined(separator: "\n") + "\n"
  }

  private static func rates(_ result: RunReport.Result) -> [String] {
    let second = result.scenario.shape == .fleet ? result.refreshesPerSecond : nil
    return Metric.allCases.flatMap { metric in
      let monthly = result.monthly(metric).map { [("month", $0)] } ?? []
      let rates = MetricUnit.allCases.compactMap { unit in
        result.totals.rate(metric, per: unit).map { ("\(unit)", $0) }
      }
      return (rates + monthly).map { unit, rate in
        line(
          result, metric.name, unit, String(result.totals[metric]), rate.estimate, rate.low,
          rate.high)
      }
    } + (second.map { [line(result, "refreshes", "second", "", $0)] } ?? [])
  }

  /// The share of each cause in the sign-outs.
  private static func causes(_ result: RunReport.Result) -> [String] {
    SignOutCauses(result.totals).shares.map { cause, count, share in
      line(result, "signOuts.\(cause.name)", "signOut", String(count), share)
    }
  }

  private static func prediction(_ result: RunReport.Result) -> [String] {
    let rule = line(
      result, "predictedByRule", "call", "", RacePrediction.rule(result.scenario, result.profile))
    return switch result.prediction {
    case .none: [rule]
    case .steady(let prediction, _):
      [rule, line(result, "predicted", "call", "", prediction.perCall)]
    case .opening(let prediction, _):
      [
        rule, line(result, "predicted", "call", "", prediction.perCall),
        line(result, "predicted", "opening", "", prediction.perOpening),
      ]
    }
  }

  private static func line(
    _ result: RunReport.Result, _ quantity: String, _ unit: String, _ count: String,
    _ estimate: Double, _ low: Double? = nil, _ high: Double? = nil
  ) -> String {
    [
      result.strategy.name, result.server, quantity, unit, count, estimate.description,
      low?.description ?? "", high?.description ?? "",
    ].map(\.csvQuoted).joined(separator: ",")
  }
}
