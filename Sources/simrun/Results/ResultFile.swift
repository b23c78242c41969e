import Foundation
import SimCore
import Strategies

/// What an experiment gave, as it is committed: the same bytes each time, on every machine.
struct ResultFile {
  private static let schema = 1
  /// A metric to a line, which reads and compares better than a number to a line.
  private static let width = 132

  /// The path in the folder of results, such as `claims/E09.json`.
  let path: String
  let value: JSONValue
  /// The pictures of what it goes through, by their paths.
  let figures: [(path: String, text: String)]

  var text: String { value.text(width: Self.width) + "\n" }

  /// The result of an experiment.
  init(_ checked: CheckedExperiment) {
    let experiment = checked.experiment
    path = Self.path(of: experiment.file)
    var members: [JSONValue.Member] = [
      .init("schema", .integer(Self.schema)), .init("command", "check"),
      .init("version", .string(Version.number)), .init("partial", false),
      .init("file", .string(Self.name(of: experiment.file))),
    ]
    for (key, text) in [
      ("title", experiment.title), ("question", experiment.question), ("note", experiment.note),
    ] {
      if let text { members.append(.init(key, .string(text))) }
    }
    let stem = (path as NSString).deletingPathExtension
    figures = checked.sweeps.enumerated().map { index, sweep in
      (stem + (checked.sweeps.count > 1 ? "-\(index + 1)" : "") + ".svg", SweepFigure(sweep).text)
    }
    let sweeps = zip(checked.sweeps, figures).map { Self.sweep($0, figure: $1.path) }
    if !sweeps.isEmpty { members.append(.init("sweeps", .array(sweeps))) }
    members.append(.init("worlds", .array(checked.worlds.map(Self.world))))
    value = .object(members)
  }

  /// A picture of the result, and the values that were chosen.
  private static func sweep(_ report: SweepReport, figure: String) -> JSONValue {
    var members = [JSONValue.Member("figure", .string(figure))]
    if let name = report.sweep.contenders[0].variant {
      members.insert(.init("variant", .string(name)), at: 0)
    }
    if let target = report.sweep.target {
      members += [
        .init("target", .string(target.text)),
        .init(
          "choices",
          .array(
            report.choices.map {
              .array(SweepChoiceText(report, $0).lines.map { .string($0) })
            })),
      ]
    }
    return .object(members)
  }

  /// The path of an experiment's result: that of its file below the last folder `experiments`, or its name alone.
  static func path(of file: String) -> String {
    let name = name(of: file)
    let path =
      name.hasPrefix(root)
      ? String(name.dropFirst(root.count)) : (name as NSString).lastPathComponent
    return (path as NSString).deletingPathExtension + ".json"
  }

  /// What a path in a checkout begins with.
  static let root = "experiments/"

  /// The file as every checkout calls it: from its folder `experiments` on, else as it was named, or its last name
  /// if that was of this machine alone.
  private static func name(of file: String) -> String {
    let parts = file.split(separator: "/").map(String.init)
    if let index = parts.dropLast().lastIndex(of: "experiments") {
      return parts[index...].joined(separator: "/")
    }
    return file.hasPrefix("/") || file.hasPrefix(".") ? parts.last ?? file : file
  }

  // MARK: Worlds

  private static func world(_ world: CheckedExperiment.World) -> JSONValue {
    let variant = world.variant
    var members: [JSONValue.Member] = []
    if let name = variant.name { members.append(.init("variant", .string(name))) }
    if let place = world.place { members.append(.init("at", .string(place))) }
    members += [
      .init("seed", .unsigned(variant.seed)), .init("runs", .integer(world.runs)),
      .init("scenario", difference(world.point.scenario, Scenario(), ScenarioField.all)),
      .init("results", .array(world.results.map { result($0, world) })),
    ]
    return .object(members)
  }

  /// The fields that differ from those of another root, nested by the dots of their paths.
  private static func difference<Root>(
    _ root: Root, _ usual: Root, _ fields: [Field<Root>]
  ) -> JSONValue {
    FieldText.tree(root, fields: fields.filter { $0.read(root) != $0.read(usual) })
  }

  private static func result(
    _ result: CheckedExperiment.Result, _ world: CheckedExperiment.World
  ) -> JSONValue {
    let answer = world.variant.quantities.compactMap { quantity in
      result.judge.found(quantity.measure, per: quantity.unit).map {
        JSONValue.Member(quantity.name, .string($0.text))
      }
    }
    var members = strategy(result.strategy)
    members += [
      .init("fingerprint", .string(result.totals.fingerprint.fingerprint)),
      .init("metrics", metrics(result, world)),
      .init("causes", JSONReport.causes(SignOutCauses(result.totals))),
    ]
    if !answer.isEmpty { members.append(.init("answer", .object(answer))) }
    members.append(
      .init(
        "expectations",
        .array(
          result.verdicts.map { expectation, verdict in
            .object([
              "expects": .string(expectation.text), "verdict": .string(verdict.kind.rawValue),
              "found": .string(verdict.found),
            ])
          })))
    return .object(members)
  }

  /// A strategy by its name, and by its decisions unless it is that of the catalog.
  private static func strategy(_ strategy: Strategy) -> [JSONValue.Member] {
    let name = JSONValue.Member("strategy", .string(strategy.name))
    if (try? StrategyName.strategy(strategy.name)) == strategy { return [name] }
    let usual = Decisions()
    var members = [
      name, .init("decisions", difference(strategy.decisions, usual, DecisionField.all)),
    ]
    if strategy.takesMargin { members.append(.init("takesMargin", true)) }
    let processes = strategy.processes.sorted { $0.key < $1.key }.map { number, decisions in
      JSONValue.Member("\(number)", difference(decisions, usual, DecisionField.all))
    }
    if !processes.isEmpty { members.append(.init("processes", .object(processes))) }
    return members
  }

  // MARK: Metrics

  /// What was counted at all, each with its rate per what means something there; a single run has no rates.
  private static func metrics(
    _ result: CheckedExperiment.Result, _ world: CheckedExperiment.World
  ) -> JSONValue {
    .object(
      Metric.allCases.filter { result.totals[$0] != 0 }.map { metric in
        let count = JSONValue.Member("count", .integer(result.totals[metric]))
        let unit = metric.usualUnit(in: world.point.scenario)
        guard world.runs > 1,
          let rate = result.judge.found(.metric(metric), per: unit)
        else { return .init(metric.name, .object([count])) }
        return .init(metric.name, .object([count, .init(unit.key, self.rate(rate))]))
      })
  }

  private static func rate(_ rate: Reading) -> JSONValue {
    .object([
      "estimate": .number(rate.estimate.rounded6), "low": .number(rate.low.rounded6),
      "high": .number(rate.high.rounded6),
    ])
  }
}

extension Experiment.Variant {
  /// The rates that answer the question: those named, or else those of the expectations.
  var quantities: [Quantity] {
    if !answer.isEmpty { return answer }
    return expectations.map { Quantity($0) }.filter(\.isRate).reduce(into: []) {
      list, quantity in
      if !list.contains(quantity) { list.append(quantity) }
    }
  }
}

extension Metric {
  /// What it is counted per where a single number has to do.
  fileprivate func usualUnit(in scenario: Scenario) -> Expectation.Unit {
    if self == .refreshPeak { return .metric(.run) }
    if counted == .call, self != .calls { return .metric(.call) }
    switch scenario.shape {
    case .opening: return .metric(.opening)
    case .visit, .timeline: return .metric(.run)
    case .steady, .fleet: return scenario.usage.horizon == nil ? .metric(.run) : .stretch(.hour)
    case .sessions: return .stretch(.month)
    }
  }
}

extension Expectation.Unit {
  /// The name in files.
  fileprivate var key: String {
    let word =
      switch self {
      case .total: "total"
      case .metric(let unit): "\(unit)"
      case .user: "user"
      case .stretch(let stretch): stretch.rawValue
      }
    return "per\(word.prefix(1).uppercased())\(word.dropFirst())"
  }
}

extension Double {
  /// The number to six significant digits, far below any interval.
  fileprivate var rounded6: Double { Double(String(format: "%.6g", self)) ?? self }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  init(booleanLiteral value: Bool) {
    self = .bool(value)
  }
}
