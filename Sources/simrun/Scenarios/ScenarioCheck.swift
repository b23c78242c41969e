import SimCore
import Strategies

/// What fields must not say together; each message names both.
struct ScenarioCheck {
  private let scenario: Scenario
  private let strategies: [Strategy]
  /// The paths of the fields that were given.
  private let given: Set<String>
  /// Whose fault it is: the command line's or a file's.
  private let code: ExitCode

  init(
    _ scenario: Scenario, strategies: [Strategy] = [], given: Set<String>,
    code: ExitCode = .usage
  ) {
    self.scenario = scenario
    self.strategies = strategies
    // Who writes down what is so anyway, as a complete file does, contradicts nothing.
    let usual = Scenario()
    self.given = given.filter { path in
      ScenarioField.all.contains { $0.path == path && $0.read(scenario) != $0.read(usual) }
    }
    self.code = code
  }

  private static let openingFields = [
    "usage.callers", "usage.spread", "usage.opens", "lifecycle.leaves", "lifecycle.returns",
  ]

  /// Says what contradicts what.
  ///
  /// - Throws: all ``Problems`` together.
  func check() throws {
    var problems = Problems()
    for check in [kind, timeline, pins, network, horizon, schedule] {
      _ = try problems.collect { try check() }
    }
    try problems.throwIfAny()
  }

  private func kind() throws {
    let kind = scenario.usage.kind
    if kind != .opening, let field = Self.openingFields.first(where: given.contains) {
      throw Problem(
        "\(field) is given, but usage.kind is \(kind); "
          + (kind == .timeline
            ? "say in usage.timeline when calls, leaving, and returning happen"
            : "only an opening has it"),
        code)
    }
    if kind != .steady, given.contains("usage.interval") {
      throw Problem("usage.interval is given, but usage.kind is \(kind), not steady", code)
    }
    if kind != .timeline, !scenario.usage.timeline.isEmpty {
      throw Problem(
        "usage.timeline is given, but usage.kind is \(kind); it should be timeline", code)
    }
    if kind == .steady, scenario.usage.horizon == nil {
      throw Problem(
        "usage.kind is steady, but usage.horizon is none; calls need an end, such as 1d", code)
    }
    if kind == .steady, DelayLaw(scenario.usage.interval).mean == 0 {
      throw Problem(
        "usage.kind is steady, but usage.interval is always 0s; calls would never let time pass",
        code)
    }
  }

  private func timeline() throws {
    let usage = scenario.usage
    guard usage.kind == .timeline else { return }
    guard !usage.timeline.isEmpty else {
      throw Problem(
        "usage.kind is timeline, but usage.timeline is empty; "
          + "give it moments, such as call@0s, call@10min", code)
    }
    try checkPresence(usage.timeline)
    let calls = calls(usage.timeline)
    for moment in usage.timeline {
      if case .cancel(let number) = moment.kind, number > calls {
        throw Problem(
          "usage.timeline: \(MomentText.text(moment)) names call \(number) of \(calls)", code)
      }
      if let horizon = usage.horizon, moment.at >= horizon {
        throw Problem(
          "usage.timeline has \(MomentText.text(moment)), which is not before usage.horizon, "
            + horizon.text, code)
      }
    }
  }

  private func calls(_ timeline: [Usage.Moment]) -> Int {
    timeline.reduce(0) { sum, moment in
      if case .call = moment.kind { sum + moment.times } else { sum }
    }
  }

  private func pins() throws {
    let usage = scenario.usage
    let calls =
      switch usage.kind {
      case .timeline: calls(usage.timeline)
      case .opening: scenario.lifecycle.leaves == .never ? usage.callers : 2 * usage.callers
      case .steady, .sessions, .fleet: Int.max
      }
    for pin in usage.pins {
      switch pin.subject {
      case .call(let number, _) where number > calls:
        throw Problem(
          "usage.pins: \(PinText.text(pin.subject)) names call \(number) of \(calls)", code)
      case .call where pin.processing != nil:
        throw Problem(
          "usage.pins: \(PinText.text(pin.subject)) has a processing, which only a refresh has",
          code)
      case .refresh where pin.answer == .unauthorized:
        throw Problem(
          "usage.pins: \(PinText.text(pin.subject)) is answered unauthorized, which only a call is",
          code)
      default: break
      }
      if pin.lost == .request, pin.answer != nil {
        throw Problem(
          "usage.pins: \(PinText.text(pin.subject)) has lost=request and an answer, but what never "
            + "reaches the server is not answered", code)
      }
    }
  }

  private func network() throws {
    guard case .alternating(let up, let down) = scenario.network.offline,
      DelayLaw(up).mean + DelayLaw(down).mean == 0
    else { return }
    throw Problem(
      "network.offline is alternating, but up and down are always 0s; time would never pass", code)
  }

  private func horizon() throws {
    guard scenario.usage.horizon == nil else { return }
    if let strategy = strategies.first(where: { $0.decisions.schedule != .none }) {
      throw Problem(
        "\(strategy.name) refreshes on a schedule, but usage.horizon is none; its timers need an end, "
          + "such as 1h", code)
    }
    if case .alternating = scenario.network.offline, scenario.usage.kind == .steady {
      throw Problem("network.offline is alternating, but usage.horizon is none", code)
    }
  }

  /// A refresh that is due again as soon as it ends would never let time pass where it takes none.
  private func schedule() throws {
    let instant = Distribution.constant(.zero)
    guard scenario.network.uplink == instant, scenario.network.downlink == instant,
      scenario.server.processing == instant, scenario.store.write == instant
    else { return }
    for strategy in strategies {
      switch strategy.decisions.schedule {
      case .oneShot(let margin, .zero, _), .chain(let margin, .zero, _):
        let lifetime = scenario.server.lifetime.shortest
        guard margin >= lifetime else { continue }
        throw Problem(
          "the schedule of \(strategy.name) has a margin of \(margin.text) and no floor, but "
            + "server.lifetime is \(lifetime.text) and messages take no time: it would refresh for ever "
            + "at one instant", code)
      default: continue
      }
    }
  }

  /// Who has left cannot leave, and who has not cannot return.
  private func checkPresence(_ timeline: [Usage.Moment]) throws {
    var isAway = false
    var isSuspended = false
    for moment in timeline {
      switch moment.kind {
      case .leave where isAway:
        throw Problem(
          "usage.timeline: leave@\(moment.at.text), but the person has left already", code)
      case .return where !isAway && !isSuspended:
        throw Problem(
          "usage.timeline: return@\(moment.at.text), but the person has not left; put leave or suspend "
            + "before it", code)
      case .leave: isAway = true
      case .suspend: isSuspended = true
      case .return: (isAway, isSuspended) = (false, false)
      default: break
      }
    }
  }
}
