import SimCore
import Strategies

/// What weighed runs gave, ready to be written in any format.
struct RareReport {
  /// One strategy on one server.
  struct Result {
    let cell: StrategyOption.Cell
    let totals: RareEventTotals
  }

  let results: [Result]
  let seed: UInt64
  /// The runs asked for.
  let runs: Int
  let isPartial: Bool

  /// The runs done.
  var runsDone: Int { results.first?.totals.runs ?? 0 }

  /// Several servers are told apart by name.
  var hasSeveralServers: Bool { Set(results.map(\.cell.world.server)).count > 1 }

  func title(_ result: Result) -> String {
    let world = result.cell.world
    let name = world.variant.map { "\($0): " } ?? ""
    return name + result.cell.strategy.name + (hasSeveralServers ? " on \(world.server)" : "")
  }

  /// The report in a format.
  func text(_ format: OutputFormat, _ palette: Palette) -> String {
    switch format {
    case .text: RareText(report: self, palette: palette).text
    case .json: json
    case .csv: csv
    case .markdown: table.markdown
    }
  }
}

extension RareReport.Result {
  /// The causes of the sign-outs with their shares, largest first.
  var causes: [(cause: SignOutCause, share: Double)] {
    SignOutCause.allCases.map { ($0, totals.share(of: $0) ?? 0) }.filter { $0.1 > 0 }
      .sorted { $0.1 > $1.1 }
  }
}

// MARK: Formats

extension RareReport {
  private var table: ReportTable {
    ReportTable(
      header: ["strategy", "signed out per visit", "effective sign-outs", "gain per run"],
      rows: results.map { result in
        let totals = result.totals
        return [
          title(result),
          totals.rate.map { "\($0.text) (\($0.interval))" }
            ?? (totals.mean > 0 ? "\(totals.mean.percent) (too few for an interval)" : "none seen"),
          totals.effectiveSignOuts.short, totals.gain?.short ?? "–",
        ]
      })
  }

  private var csv: String {
    let header = "strategy,server,quantity,per,estimate,low,high,effective,gain"
    let lines = results.map { result in
      let totals = result.totals
      let numbers = [
        totals.mean, totals.rate?.low, totals.rate?.high, totals.effectiveSignOuts, totals.gain,
      ]
      return
        ([result.cell.strategy.name, result.cell.world.server, "signOuts", "run"]
        + numbers.map { $0?.description ?? "" }).map(\.csvQuoted).joined(separator: ",")
    }
    return ([header] + lines).joined(separator: "\n") + "\n"
  }

  private var json: String {
    JSONValue.object([
      "schema": 1, "command": "run", "version": .string(Version.number), "seed": .unsigned(seed),
      "runs": .integer(runsDone), "partial": .bool(isPartial),
      "results": .array(results.map(Self.json)),
    ]).text() + "\n"
  }

  private static func json(_ result: Result) -> JSONValue {
    let (cell, totals) = (result.cell, result.totals)
    var members: [JSONValue.Member] = [
      .init("strategy", .string(cell.strategy.name)), .init("server", .string(cell.world.server)),
    ]
    if let variant = cell.world.variant {
      members.insert(.init("variant", .string(variant)), at: 0)
    }
    members += [
      .init("fingerprint", .string(totals.fingerprint.fingerprint)),
      .init("scenario", FieldText.tree(cell.world.scenario, fields: ScenarioField.all)),
      .init("rare", rare(result)),
    ]
    return .object(members)
  }

  private static func rare(_ result: Result) -> JSONValue {
    let totals = result.totals
    return .object([
      "signOuts": .object([
        "estimate": .number(totals.mean), "low": number(totals.rate?.low),
        "high": number(totals.rate?.high), "standardError": .number(totals.standardError),
      ]),
      "effectiveSignOuts": .number(totals.effectiveSignOuts),
      "danger": .number(totals.danger),
      "shareOutsideOfDanger": number(totals.shareOutside),
      "causes": .object(
        result.causes.map { JSONValue.Member($0.cause.name, .number($0.share)) }),
      "gainPerRun": number(totals.gain), "gainPerEvent": number(totals.gainPerEvent),
      "runsToATenth": number(totals.runsToATenth),
    ])
  }

  private static func number(_ value: Double?) -> JSONValue {
    value.map { .number($0) } ?? .null
  }
}
