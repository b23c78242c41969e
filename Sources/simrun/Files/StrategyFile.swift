import SimCore
import Strategies

/// Strategies in files: a name, or a base with changed decisions.
struct StrategyFile {
  private let decoder: FileDecoder

  init(_ decoder: FileDecoder) {
    self.decoder = decoder
  }

  /// The strategy that a file describes.
  ///
  /// - Throws: all ``Problems`` of the file together, each with its place.
  static func read(_ file: String) throws -> Strategy {
    try StrategyFile(FileDecoder(file: file)).strategy(JSON5File.read(file))
  }

  /// The strategies of a list, or a single one.
  ///
  /// - Throws: all ``Problems`` together.
  func strategies(_ node: JSON5Node) throws -> [Strategy] {
    var problems = Problems()
    var strategies: [Strategy] = []
    for element in decoder.elements(node) {
      guard let strategy = try problems.collect({ try strategy(element) }) else { continue }
      if strategies.contains(where: { $0.name == strategy.name }) {
        problems.list.append(
          decoder.problem(element.position, "strategies: \"\(strategy.name)\" is named twice"))
      }
      strategies.append(strategy)
    }
    try problems.throwIfAny()
    if strategies.isEmpty { throw decoder.problem(node.position, "strategies is empty") }
    return strategies
  }

  private func strategy(_ node: JSON5Node) throws -> Strategy {
    if case .string(let name) = node.content { return try named(name, node.position) }
    var problems = Problems()
    let members = try decoder.members(node, "strategies")
    var base = StrategyCatalog.singleFlight
    if let baseNode = node["base"] {
      let name = try decoder.text(baseNode, "base")
      base = try named(name, baseNode.position)
    }
    let name = try node["name"].map { try decoder.text($0, "name") } ?? "described"
    let summary = try node["summary"].map { try decoder.text($0, "summary") } ?? base.summary
    let decisions = JSON5Node(
      position: node.position,
      content: .object(members.filter { !["name", "base", "summary"].contains($0.key) }))
    var changed = base.decisions
    let given = try problems.collect {
      try decoder.decode(decisions, "", DecisionField.all, into: &changed)
    }
    try problems.throwIfAny()
    // A margin of its own is not left open to the scenario.
    let takesMargin = base.takesMargin && !(given ?? []).contains { $0.path == "check" }
    return Strategy(name: name, summary: summary, takesMargin: takesMargin, decisions: changed)
  }

  private func named(_ name: String, _ position: TextPosition) throws -> Strategy {
    do {
      return try StrategyName.strategy(name)
    } catch let problem as Problem {
      throw decoder.problem(position, problem.message)
    }
  }
}
