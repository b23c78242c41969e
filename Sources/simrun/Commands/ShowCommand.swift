import SimCore
import Strategies

/// `simrun show`: what there is, and the resolved scenario.
struct ShowCommand {
  /// Those that a call without names shows.
  private static let lists = [
    "strategies", "servers", "networks", "clocks", "usages", "lifecycles",
  ]
  private static let topics =
    lists + [
      "metrics", "causes", "fields", "decisions", "distributions", "timeline", "pins", "processes",
      "files", "expectations", "sensitivity", "scenario",
    ]

  /// What JSON results hold beside counts.
  private static let lengths = [
    ("waitAdded", "time from the start of a call to the sending of its last attempt"),
    ("lifeUnused", "share of an access token's lifetime that was left at its rotation, on average"),
    (
      "exposure",
      "how long a spent refresh token would still have been answered: the price of a grace"
    ),
  ]

  private let names: [String]
  private let arguments: CommandLineArguments

  init(_ arguments: CommandLineArguments) {
    names = arguments.names
    self.arguments = arguments
  }

  /// The answer.
  ///
  /// - Throws: ``Problems`` if a name is unknown or the options are wrong.
  func text() throws -> String {
    guard !names.isEmpty else {
      return try Self.lists.map {
        "\($0)\n\(try topic($0) ?? "")"
      }.joined(separator: "\n")
        + "\nAlso: simrun show \(Self.topics.dropFirst(Self.lists.count).joined(separator: ", ")), or KIND/NAME\n"
    }
    return try names.map(text).joined(separator: "\n")
  }

  private func text(_ name: String) throws -> String {
    if let text = try topic(name) { return text }
    if let text = try preset(name) { return text }
    throw Problem(
      "show: there is no \"\(name)\"; use \(Self.topics.alternatives), or KIND/NAME like "
        + "server/strict.\(suggestion(name))")
  }

  /// A preset's own name is enough to guess the kind.
  private func suggestion(_ name: String) -> String {
    let whole = Self.presetNames.first { $0.hasSuffix("/\(name)") }
    return whole.map { " Did you mean \"\($0)\"?" }
      ?? name.suggestion(from: Self.topics + Self.presetNames)
  }

  private func topic(_ name: String) throws -> String? {
    switch name {
    case "strategies": list(StrategyCatalog.all.map { ($0.name, $0.summary) }) + brokenRules
    case "servers": list(.server)
    case "networks": list(.network)
    case "clocks": list(.clock)
    case "usages": list(.usage)
    case "lifecycles": list(.lifecycle)
    case "metrics": list(Metric.allCases.map { ($0.name, $0.meaning) } + Self.lengths)
    case "causes": list(SignOutCause.allCases.map { ($0.name, $0.meaning) })
    case "fields": list(ScenarioField.all.map { ($0.path, "\($0.meaning): \($0.accepted)") })
    case "decisions": list(DecisionField.all.map { ($0.path, "\($0.meaning): \($0.accepted)") })
    case "distributions": try pieces(DistributionText.accepted, at: ",")
    case "timeline": try pieces(MomentText.accepted, at: ";")
    case "pins": try pieces(PinText.accepted, at: ";")
    case "processes": try pieces(ProcessText.accepted, at: ";")
    case "files":
      list(
        Experiment.keys.map { ($0.name, $0.meaning) }
          + [("usage, network, …", "the fields of the scenario; see simrun show scenario")])
    case "expectations": list(Expectation.forms.map { ($0.name, $0.meaning) })
    case "sensitivity": SensitivityText.table(of: Preset.all(.server))
    case "scenario": try scenario()
    default: nil
    }
  }

  /// The best strategy with one rule broken, by the names of the rules.
  private var brokenRules: String {
    var lines = ["  best-without-RULE, the best without one of its rules, which are"]
    var line = "   "
    for (index, rule) in StrategyCatalog.brokenRules.map(\.rule).enumerated() {
      let word = " \(rule)\(index + 1 == StrategyCatalog.brokenRules.count ? "" : ",")"
      if line.count + word.count > 100 {
        lines.append(line)
        line = "   "
      }
      line += word
    }
    return (lines + [line]).joined(separator: "\n") + "\n"
  }

  private func list(_ kind: Preset.Kind) -> String {
    list(Preset.all(kind).map { ($0.name, $0.summary) })
  }

  private func list(_ items: [(name: String, words: String)]) -> String {
    let width = (items.map(\.name.count).max() ?? 0) + 2
    return items.map { "  \($0.name.padded(to: width))\($0.words)\n" }.joined()
  }

  private func scenario() throws -> String {
    try ScenarioRequest(arguments).worlds().map {
      FieldText.commented($0.scenario, fields: ScenarioField.all)
    }
    .joined(separator: "\n")
  }

  /// A strategy as a file to copy and change.
  private func strategy(_ strategy: Strategy) -> String {
    "// \(strategy.summary)\n"
      + FieldText.commented(
        strategy.decisions, fields: DecisionField.all,
        members: [
          .init("name", .string("my-\(strategy.name)")), .init("base", .string(strategy.name)),
        ])
  }

  /// What is accepted, one form per line.
  private func pieces(_ accepted: String, at separator: Character) throws -> String {
    try accepted.pieces(at: separator).map { "  \($0)\n" }.joined()
  }

  private static var presetNames: [String] {
    Preset.all.map { "\($0.kind.rawValue)/\($0.name)" }
      + StrategyCatalog.all.map { "strategy/\($0.name)" }
  }

  private func preset(_ name: String) throws -> String? {
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    if parts[0] == "strategy" {
      return try StrategyName.strategies(parts[1]).map(strategy).joined(separator: "\n")
    }
    guard
      let preset = Preset.all.first(where: { $0.kind.rawValue == parts[0] && $0.name == parts[1] })
    else { return nil }
    var scenario = Scenario()
    preset.apply(&scenario)
    // Beside its own fields, what else it changes, as a use may bring a lifecycle.
    let usual = Scenario()
    let fields = ScenarioField.all.filter {
      $0.path.hasPrefix(parts[0] + ".") || $0.read(scenario) != $0.read(usual)
    }
    return "// \(preset.summary)\n"
      + FieldText.tree(scenario, fields: fields).text() + "\n"
  }
}
