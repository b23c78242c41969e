import SimCore
import Strategies

/// What a run gave, ready to be written in any format.
struct RunReport {
  /// One strategy on one server.
  struct Result {
    /// The variant of the experiment; nil if there is none.
    let variant: String?
    let strategy: Strategy
    /// How the strategy was typed; nil if a file names it.
    let typed: String?
    let server: String
    let scenario: Scenario
    let profile: ClientProfile
    let totals: Totals
    let prediction: PredictionReport
    /// The same opening with an expired token, where the report has it.
    let expired: Totals?
    /// The differences to the first result.
    let difference: PairedTotals?
  }

  let results: [Result]
  let seed: UInt64
  /// The runs asked for.
  let runs: Int
  let isPartial: Bool
  /// The share that rates should be known to, and whether they are; nil if none was asked for.
  var precision: (share: Double, isReached: Bool)?
  /// The options that reproduce the worlds, with their values as they were typed.
  let worldOptions: [(option: Option, value: String)]

  /// The runs done.
  var runsDone: Int { results.first?.totals.runs ?? 0 }

  /// Several servers are told apart by name.
  var hasSeveralServers: Bool { Set(results.map(\.server)).count > 1 }

  /// The sum of the results' fingerprints, so that one number stands for all.
  var fingerprint: UInt64 { results.reduce(0) { $0 &+ $1.totals.fingerprint } }

  func title(_ result: Result) -> String {
    let name = result.variant.map { "\($0): " } ?? ""
    return name + result.strategy.name + (hasSeveralServers ? " on \(result.server)" : "")
  }
}

extension RunReport.Result {
  /// Calls whose first attempt was answered 401, the measure that the prediction is about.
  var measured: RateEstimate? { totals.rate(.firstUnauthorized, per: .call) }
}

extension UInt64 {
  /// Sixteen hexadecimal digits.
  var fingerprint: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension RunReport {
  /// Whether it is about users, whose sign-outs have causes to be told.
  private var hasSessions: Bool { results.contains { $0.scenario.shape == .sessions } }

  /// The report in a format.
  func text(_ format: OutputFormat, _ palette: Palette) -> String {
    switch format {
    case .text: TextReport(self, palette).text
    case .json: JSONReport.text(self)
    case .csv: CSVReport.text(self)
    case .markdown:
      ReportTable(self).markdown
        + (hasSessions ? ReportTable.causes(self).map { "\n" + $0.markdown } ?? "" : "")
    }
  }
}
