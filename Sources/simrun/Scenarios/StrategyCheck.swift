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
    for check in [processes, end, standstill] { _ = try problems.collect { try check() } }
    try problems.throwIfAny()
  }

  /// The decisions of each process that has some.
  private var decisions: [Decisions] {
    [strategy.decisions] + strategy.processes.sorted { $0.key < $1.key }.map(\.value)
  }

  private func processes() throws {
    let count = scenario.processes.count
    guard let number = strategy.processes.keys.max(), number > count else { return }
    throw Problem(
      "\(strategy.name) has decisions for process \(number), but processes has \(count)", code)
  }

  private func end() throws {
    guard scenario.usage.horizon == nil, decisions.contains(where: { $0.schedule != .none })
    else { return }
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
    for schedule in decisions.map(\.schedule) {
      guard let margin = schedule.marginWithoutFloor else { continue }
      let lifetime = scenario.server.lifetime.shortest
      guard margin >= lifetime else { continue }
      throw Problem(
        "the schedule of \(strategy.name) has a margin of \(margin.text) and no floor, but "
          + "server.lifetime is \(lifetime.text) and messages take no time: it would refresh for ever "
          + "at one instant", code)
    }
  }
}

extension Decisions.Schedule {
  /// The margin of a timer that may be due again at once; nil if there is none.
  fileprivate var marginWithoutFloor: Duration? {
    switch self {
    case .oneShot(let margin, .zero, _), .chain(let margin, .zero, _): margin
    default: nil
    }
  }
}
