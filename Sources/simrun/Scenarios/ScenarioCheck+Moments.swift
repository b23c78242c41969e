import SimCore

/// What moments and pins say of calls and processes that there are not.
extension ScenarioCheck {
  func timeline() throws {
    let usage = scenario.usage
    guard usage.kind == .timeline else { return }
    guard !usage.timeline.isEmpty else {
      throw Problem(
        "usage.kind is timeline, but usage.timeline is empty; "
          + "give it moments, such as call@0s, call@10min", code)
    }
    for moment in usage.timeline {
      if let problem = problem(of: moment) {
        throw Problem("usage.timeline: \(MomentText.text(moment)) \(problem)", code)
      }
      if let horizon = usage.horizon, moment.at >= horizon {
        throw Problem(
          "usage.timeline has \(MomentText.text(moment)), which is not before usage.horizon, "
            + horizon.text, code)
      }
    }
    if let problem = PresenceCheck.problem(of: scenario) {
      throw Problem("usage.timeline: \(problem)", code)
    }
  }

  /// What a moment names wrongly, as a clause.
  private func problem(of moment: Usage.Moment) -> String? {
    let count = scenario.processes.count
    if moment.process > count { return "names process \(moment.process) of \(count)" }
    switch moment.kind {
    case .cancel(let call) where call > calls(of: moment.process):
      return "names call \(call) of \(calls(of: moment.process))"
    case .copyPair(let target) where target > count: return "names process \(target) of \(count)"
    case .copyPair(let target) where target == moment.process:
      return "copies the pair of process \(target) to itself"
    default: return nil
    }
  }

  /// The most calls that a process can start; without limit where that is not known.
  private func calls(of process: Int) -> Int {
    let (usage, lifecycle) = (scenario.usage, scenario.lifecycle)
    let moments = usage.timeline.filter { $0.process == process }
    let wakes =
      lifecycle.wakes != nil
      || moments.contains { if case .wake = $0.kind { true } else { false } }
    if wakes, lifecycle.wakeCalls > 0 { return .max }
    switch usage.kind {
    case .timeline:
      return moments.reduce(0) { sum, moment in
        if case .call = moment.kind { sum + moment.times } else { sum }
      }
    case .opening where process > 1: return 0
    case .opening: return lifecycle.leaves == .never ? usage.callers : 2 * usage.callers
    case .steady, .sessions, .fleet: return .max
    }
  }

  func pins() throws {
    for pin in scenario.usage.pins {
      if let problem = problem(of: pin) {
        throw Problem("usage.pins: \(PinText.name(pin)) \(problem)", code)
      }
    }
  }

  /// What a pin names or sets wrongly, as a clause.
  private func problem(of pin: Usage.Pin) -> String? {
    let usage = scenario.usage
    let count = usage.kind == .fleet ? usage.clients : scenario.processes.count
    if pin.process > count { return "names process \(pin.process) of \(count.grouped)" }
    switch pin.subject {
    case .write:
      return pin.setsRequest
        ? "has what only a request has; a write takes fails and duration" : nil
    case _ where pin.fails != nil || pin.duration != nil:
      return "has fails or a duration, which only a write has"
    case .call(let call, _) where call > calls(of: pin.process):
      return "names call \(call) of \(calls(of: pin.process))"
    case .call where pin.processing != nil: return "has a processing, which only a refresh has"
    case .refresh where pin.answer == .unauthorized:
      return "is answered unauthorized, which only a call is"
    default: break
    }
    return pin.lost == .request && pin.answer != nil
      ? "has lost=request and an answer, but what never reaches the server is not answered" : nil
  }
}

extension Usage.Pin {
  /// Whether it says anything that only a request has.
  fileprivate var setsRequest: Bool {
    [connecting, uplink, processing, downlink, retryAfter].contains { $0 != nil } || lost != nil
      || answer != nil
  }
}
