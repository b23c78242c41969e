import SimCore
import Strategies

/// What a strategy and a scenario must not say together.
struct StrategyCheck {
  private let strategy: Strategy
  private let scenario: Scenario
  /// Whose fault it is: the command line's or a file's.
  private let code: ExitCode

  init(_ strategy: Strategy, in scenario: Scenario, code: ExitCode = .usage) {
    self.strategy = strategy
    self.scenario = scenario
    self.code = code
  }

  /// Says what contradicts what.
  ///
  /// - Throws: all ``Problems`` together.
  func check() throws {
    var problems = Problems()
    for check in [end, standstill] { _ = try problems.collect { try check() } }
    try problems.throwIfAny()
  }

  private func end() throws {
    guard scenario.usage.horizon == nil, strategy.decisions.schedule != .none else { return }
    throw Problem(
      "\(strategy.name) refreshes on a schedule, but usage.horizon is none; its timers need an end, "
        + "such as 1h", code)
  }

  /// A refresh that is due again as soon as it ends would never let time pass where it takes none.
  private func standstill() throws {
    let instant = Distribution.constant(.zero)
    guard scenario.network.uplink == instant, scenario.network.downlink == instant,
      scenario.server.processing == instant, scenario.store.write == instant
    else { return }
    switch strategy.decisions.schedule {
    case .oneShot(let margin, .zero, _), .chain(let margin, .zero, _):
      let lifetime = scenario.server.lifetime.shortest
      guard margin >= lifetime else { return }
      throw Problem(
        "the schedule of \(strategy.name) has a margin of \(margin.text) and no floor, but "
          + "server.lifetime is \(lifetime.text) and messages take no time: it would refresh for ever "
          + "at one instant", code)
    default: return
    }
  }
}
