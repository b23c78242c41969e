import SimCore
import Strategies

/// Strategies in files: a name, or a base with changed decisions, which may differ by process.
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
    _ = try decoder.members(node, "strategies")
    var base = StrategyCatalog.singleFlight
    if let baseNode = node["base"] {
      let name = try decoder.text(baseNode, "base")
      base = try named(name, baseNode.position)
    }
    let name = try node["name"].map { try decoder.text($0, "name") } ?? "described"
    let summary = try node["summary"].map { try decoder.text($0, "summary") } ?? base.summary
    let decoded = try problems.collect { try self.decisions(node, over: base.decisions) }
    let others = try problems.collect {
      try processes(node["processes"], base, decoded?.decisions ?? base.decisions)
    }
    try problems.throwIfAny()
    let (changed, given) = decoded ?? (base.decisions, [])
    // A margin of its own is not left open to the scenario.
    let takesMargin = base.takesMargin && !given.contains("check")
    var strategy = Strategy(
      name: name, summary: summary, takesMargin: takesMargin, decisions: changed)
    strategy.processes = others ?? [:]
    return strategy
  }

  private static let ownKeys = ["name", "base", "summary", "processes"]

  /// Decisions changed by an object, with the paths of those that it gives.
  private func decisions(
    _ node: JSON5Node, over base: Decisions
  ) throws -> (decisions: Decisions, given: Set<String>) {
    let members = try decoder.members(node, "strategies")
    let object = JSON5Node(
      position: node.position,
      content: .object(members.filter { !Self.ownKeys.contains($0.key) }))
    var changed = base
    let given = try decoder.decode(object, "", DecisionField.all, into: &changed)
    return (changed, Set(given.map(\.path)))
  }

  /// The decisions of processes that have others than the first: a name, or an object whose base is that of the
  /// strategy itself unless it names one.
  private func processes(
    _ node: JSON5Node?, _ strategy: Strategy, _ own: Decisions
  ) throws -> [Int: Decisions] {
    guard let node else { return strategy.processes }
    var problems = Problems()
    var all = strategy.processes
    for member in try decoder.members(node, "processes") {
      _ = try problems.collect {
        guard let number = Int(member.key), (2...ProcessText.most).contains(number) else {
          throw decoder.problem(
            member.position,
            "processes: \"\(member.key)\" is not the number of a process from 2 to "
              + "\(ProcessText.most), in quotes")
        }
        all[number] = try process(member.node, own)
      }
    }
    try problems.throwIfAny()
    return all
  }

  private func process(_ node: JSON5Node, _ own: Decisions) throws -> Decisions {
    if case .string(let name) = node.content { return try named(name, node.position).decisions }
    for key in Self.ownKeys where key != "base" {
      guard let value = node[key] else { continue }
      throw decoder.problem(
        value.position, "processes: a process has no \(key) of its own; it takes base and decisions"
      )
    }
    let base = try node["base"].map {
      try named(decoder.text($0, "base"), $0.position).decisions
    }
    return try decisions(node, over: base ?? own).decisions
  }

  private func named(_ name: String, _ position: TextPosition) throws -> Strategy {
    do {
      return try StrategyName.strategy(name)
    } catch let problem as Problem {
      throw decoder.problem(position, problem.message)
    }
  }
}
