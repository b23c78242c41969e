import SimCore
import Strategies

/// A sweep as JSON.
///
/// Names are fixed; see the documentation of the result format.
struct SweepJSON {
  private let report: SweepReport

  init(_ report: SweepReport) {
    self.report = report
  }

  private var sweep: Sweep { report.sweep }

  var text: String {
    var members: [JSONValue.Member] = [
      .init("schema", 1), .init("command", "sweep"), .init("version", .string(Version.number)),
      .init("seed", .unsigned(sweep.seed)), .init("runs", .integer(sweep.runs)),
      .init("partial", .bool(report.isPartial)),
      .init("fingerprint", .string(report.fingerprint.fingerprint)),
      .init(
        "scenario", FieldText.tree(sweep.contenders[0].base, fields: ScenarioField.all)),
      .init("axes", .array(sweep.axes.map(axis))),
    ]
    if let target = sweep.target {
      members.append(
        .init(
          "target",
          .object(["text": .string(target.text), "confidence": .number(1 - report.judged.error)])))
      members.append(.init("choices", .array(report.choices.map(choice))))
    }
    members.append(.init("points", .array(report.points.indices.map(point))))
    return JSONValue.object(members).text() + "\n"
  }

  private func axis(_ axis: Axis) -> JSONValue {
    .object([
      "name": .string(axis.name), "path": .string(axis.path ?? axis.name),
      "values": .array(axis.values.map { .string($0) }),
    ])
  }

  private func point(_ index: Int) -> JSONValue {
    let point = report.points[index]
    return .object([
      "values": .object(
        zip(sweep.axes, sweep.contenders[0].points[index].values).map {
          JSONValue.Member($0.name, .string($1))
        }),
      "runs": .integer(point.runsDone),
      "results": .array(
        point.results.map { result in
          guard let target = sweep.target,
            case .object(let members) = JSONReport.result(result, point)
          else { return JSONReport.result(result, point) }
          return .object(members + [.init("target", verdict(result, target))])
        }),
    ])
  }

  private func verdict(_ result: RunReport.Result, _ target: Expectation) -> JSONValue {
    let reading = SweepReport.judged(result, target, sharedBy: sweep.axes[0].values.count)
    guard let reading else { return .object(["verdict": "no data"]) }
    return .object([
      "verdict": .string(ExpectationJudge.kind(target.condition, reading).rawValue),
      "estimate": .number(reading.estimate), "low": .number(reading.low),
      "high": .number(reading.high),
    ])
  }

  private func choice(_ choice: SweepChoice) -> JSONValue {
    let contender = sweep.contenders[choice.contender]
    var members: [JSONValue.Member] = [
      .init("strategy", .string(contender.strategy.name))
    ]
    if !sweep.axes.contains(where: { $0.subject == .preset(.server) }) {
      members.append(.init("server", .string(contender.server)))
    }
    if let variant = contender.variant {
      members.insert(.init("variant", .string(variant)), at: 0)
    }
    if let second = choice.second {
      members.append(.init("at", .object([.init(sweep.axes[1].name, .string(second))])))
    }
    func value(_ index: Int) -> JSONValue { .string(choice.candidates[index].value) }
    switch choice.outcome {
    case .chosen(let index):
      members += [.init("verdict", "chosen"), .init("value", value(index))]
    case .none(let best): members += [.init("verdict", "none"), .init("best", value(best))]
    case .undecided(let index, let needed):
      members += [
        .init("verdict", "undecided"), .init("best", value(index)),
        .init("runsNeeded", needed.count.map { .integer($0) } ?? .null),
      ]
    case .unmeasured: members.append(.init("verdict", "no data"))
    }
    if sweep.axes[0].path == Axis.marginPath {
      let result = report.points[choice.points[0]].results[choice.contender]
      members += [
        .init(
          "publishedMargin",
          .number(SafeMargin.published(result.scenario).margin.inSeconds)),
        .init("exactMargin", report.exactMargin(choice).map { .number($0.inSeconds) } ?? .null),
      ]
    }
    return .object(members)
  }
}
