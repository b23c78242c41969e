import SimCore

/// What the fields of a scenario must not say together; each message names both.
struct ScenarioCheck {
  let scenario: Scenario
  /// The paths of the fields that were given and differ from the default.
  private let given: Set<String>
  /// Whose fault it is: the command line's or a file's.
  let code: ExitCode

  init(_ scenario: Scenario, given: Set<String>, code: ExitCode = .usage) {
    self.scenario = scenario
    // Who writes down what is so anyway, as a complete file does, contradicts nothing.
    let usual = Scenario()
    self.given = given.filter { path in
      ScenarioField.all.contains { $0.path == path && $0.read(scenario) != $0.read(usual) }
    }
    self.code = code
  }

  /// The fields that mean nothing in other kinds of use, with their kinds.
  private static let owners: [(path: String, kinds: [Usage.Kind])] = [
    ("usage.callers", [.opening, .sessions]), ("usage.spread", [.opening, .sessions]),
    ("usage.opens", [.opening]), ("lifecycle.leaves", [.opening]),
    ("lifecycle.returns", [.opening]), ("usage.interval", [.steady]),
    ("usage.visit", [.sessions]), ("usage.gap", [.sessions]), ("usage.night", [.sessions]),
    ("usage.whileOpen", [.sessions, .fleet]), ("usage.clients", [.fleet]),
    ("usage.provisionedOver", [.fleet]), ("usage.callsFrom", [.fleet]),
  ]

  /// Says what contradicts what.
  ///
  /// - Throws: all ``Problems`` together.
  func check() throws {
    var problems = Problems()
    for check in [kind, end, standstill, processes, timeline, pins, offline] {
      _ = try problems.collect { try check() }
    }
    try problems.throwIfAny()
  }

  private func kind() throws {
    let kind = scenario.usage.kind
    let strange = Self.owners.first { given.contains($0.path) && !$0.kinds.contains(kind) }
    if let strange {
      let ofOpenings = strange.kinds.contains(.opening)
      throw Problem(
        "\(strange.path) is given, but usage.kind is \(kind); "
          + (kind == .timeline && ofOpenings
            ? "say in usage.timeline when calls, leaving, and returning happen"
            : "only \(strange.kinds.map(\.phrase).joined(separator: " and ")) "
              + (strange.kinds == [.sessions] || strange.kinds.count > 1 ? "have it" : "has it")),
        code)
    }
    if kind != .timeline, !scenario.usage.timeline.isEmpty {
      throw Problem(
        "usage.timeline is given, but usage.kind is \(kind); it should be timeline", code)
    }
  }

  /// What would go on for ever.
  private func end() throws {
    let usage = scenario.usage
    guard let horizon = usage.horizon else {
      let need: String? =
        switch usage.kind {
        case .steady: "calls need an end, such as 1d"
        case .sessions: "visits need an end, such as 30d"
        case .fleet: "calls need an end, such as 1h"
        case .opening, .timeline: nil
        }
      if let need {
        throw Problem("usage.kind is \(usage.kind), but usage.horizon is none; \(need)", code)
      }
      if scenario.lifecycle.wakes != nil {
        throw Problem(
          "lifecycle.wakes is given, but usage.horizon is none; wakes need an end, such as 1d",
          code)
      }
      return
    }
    if usage.kind == .fleet, usage.callsFrom >= horizon {
      throw Problem(
        "usage.callsFrom, \(usage.callsFrom.text), is not before usage.horizon, \(horizon.text)",
        code)
    }
  }

  /// What would never let time pass.
  private func standstill() throws {
    let usage = scenario.usage
    func isInstant(_ distribution: Distribution?) -> Bool {
      distribution.map { DelayLaw($0).mean == 0 } ?? false
    }
    let problem: String? =
      switch usage.kind {
      case .steady where isInstant(usage.interval):
        "usage.kind is steady, but usage.interval is always 0s; calls would never let time pass"
      case .sessions where isInstant(usage.visit) && isInstant(usage.gap):
        "usage.visit and usage.gap are always 0s; visits would never let time pass"
      case .sessions where isInstant(usage.whileOpen), .fleet where isInstant(usage.whileOpen):
        "usage.whileOpen is always 0s; calls would never let time pass"
      default:
        isInstant(scenario.lifecycle.wakes)
          ? "lifecycle.wakes is always 0s; wakes would never let time pass" : nil
      }
    if let problem { throw Problem(problem, code) }
  }

  private func processes() throws {
    let plans = scenario.processes
    if plans[0].session != .first {
      throw Problem(
        "processes: process 1 has session=\(plans[0].session), but its session is the one that others "
          + "are told apart from; leave it first", code)
    }
    if scenario.usage.kind == .fleet, plans.count > 1 {
      throw Problem(
        "processes has \(plans.count), but usage.kind is fleet; each client of a fleet is one process",
        code)
    }
  }

  private func offline() throws {
    guard case .alternating(let up, let down) = scenario.network.offline,
      DelayLaw(up).mean + DelayLaw(down).mean == 0
    else { return }
    throw Problem(
      "network.offline is alternating, but up and down are always 0s; time would never pass", code)
  }
}

extension Usage.Kind {
  /// What it is, as a noun.
  fileprivate var phrase: String {
    switch self {
    case .opening: "an opening"
    case .timeline: "a timeline"
    case .steady: "steady use"
    case .sessions: "sessions"
    case .fleet: "a fleet"
    }
  }
}
