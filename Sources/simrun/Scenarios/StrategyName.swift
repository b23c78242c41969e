import SimCore
import Strategies

/// Names of strategies as they are typed: a name of the catalog, with or without a margin of its own.
enum StrategyName {
  private static let suffix = "+margin"

  /// The strategies of a list separated by commas.
  static func strategies(_ list: String) throws -> [Strategy] {
    var problems = Problems()
    var strategies: [Strategy] = []
    for name in list.split(separator: ",", omittingEmptySubsequences: false) {
      let name = String(name).trimmed
      guard let strategy = try problems.collect({ try fromOption(name) }) else { continue }
      if strategies.contains(where: { $0.name == strategy.name }) {
        problems.list.append(Problem("--strategy: \"\(name)\" is named twice"))
      }
      strategies.append(strategy)
    }
    try problems.throwIfAny()
    return strategies
  }

  /// The strategy of a name, or of a file that describes one.
  private static func fromOption(_ name: String) throws -> Strategy {
    if name.hasSuffix(".json5") || name.hasSuffix(".json") { return try StrategyFile.read(name) }
    do {
      return try strategy(name)
    } catch let problem as Problem {
      throw Problem("--strategy: \(problem.message)", problem.exitCode)
    }
  }

  /// The strategy of a name.
  ///
  /// - Throws: a ``Problem`` that names the ones there are.
  static func strategy(_ name: String) throws -> Strategy {
    if let strategy = StrategyCatalog.strategy(named: name) { return strategy }
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let head = String(parts[0])
    let base = head.hasSuffix(suffix) ? String(head.dropLast(suffix.count)) : head
    guard let strategy = StrategyCatalog.strategy(named: base),
      head.hasSuffix(suffix)
    else {
      let names = StrategyCatalog.all.map(\.name)
      throw Problem(
        "unknown strategy \"\(name)\"; use \(names.alternatives)."
          + name.suggestion(from: names))
    }
    guard strategy.checksBeforeUse else {
      throw Problem(
        "\"\(name)\": \(base) does not check a token before it uses it, so it has no "
          + "margin; single-flight+margin has one")
    }
    guard parts.count == 2 else { return strategy.withScenarioMargin(named: name) }
    do {
      return strategy.named(name, margin: try Duration(text: String(parts[1])))
    } catch {
      throw Problem("\"\(name)\": the margin \"\(parts[1])\" \(error.clause)")
    }
  }
}
