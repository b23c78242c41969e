import SimCore
import Strategies

// MARK: Worlds

extension Dice {
  /// A world for a client that refreshes on a schedule or not; its horizon ends what else would not.
  mutating func scenario(hasSchedule: Bool) -> Scenario {
    var scenario = Scenario()
    scenario.usage.kind = pick(
      [.timeline, .timeline, .timeline, .opening, .steady, .sessions, .fleet] as [Usage.Kind])
    if scenario.usage.kind != .fleet { scenario.processes = processes() }
    scenario.usage.horizon =
      hasSchedule || [.steady, .sessions, .fleet].contains(scenario.usage.kind) || happens(0.3)
      ? milliseconds(20_000...150_000) : nil
    switch scenario.usage.kind {
    case .timeline:
      scenario.usage.timeline = timeline(
        before: scenario.usage.horizon ?? .seconds(150), processes: scenario.processes.count)
    case .opening: open(&scenario)
    case .steady:
      scenario.usage.interval = .sum([.constant(.milliseconds(1)), delay(100...8000)])
    case .sessions, .fleet: visit(&scenario)
    }
    scenario.usage.pins = pins(processes: scenario.processes.count)
    scenario.network = network()
    scenario.server = server()
    scenario.clock = ClockError(
      offset: milliseconds(-10_000...10_000), drift: pick([0, 0, 300, -100_000]),
      steps: list(2) {
        ClockStep(by: $0.milliseconds(-60_000...60_000), at: $0.milliseconds(0...100_000))
      })
    scenario.store = store()
    live(&scenario.lifecycle)
    // Wakes go on for ever.
    if scenario.usage.horizon == nil { scenario.lifecycle.wakes = nil }
    scenario.lifecycle.suspendAfter = delay(0...5000)
    scenario.lifecycle.backgroundBudget = milliseconds(0...10_000)
    scenario.client.margin = maybe(0.1) { $0.milliseconds(-1000...5000) }
    scenario.client.expiryBasis = maybe(0.1) { $0.pick() }
    return scenario
  }

  private mutating func open(_ scenario: inout Scenario) {
    scenario.usage.callers = roll(1...8)
    scenario.usage.spread = milliseconds(0...500)
    scenario.usage.opens = pick([
      .duringLifetime, .expiredAtServer, .at(milliseconds(0...60_000)),
      // The morning lies behind every horizon here.
      scenario.usage.horizon == nil ? .expired : .duringLifetime,
    ])
    scenario.lifecycle.leaves = pick([
      .never, .after(delay(0...5000)), .at(milliseconds(0...60_000)),
    ])
    scenario.lifecycle.returns = delay(0...60_000)
  }

  private mutating func timeline(before end: Duration, processes: Int) -> [Usage.Moment] {
    let last = Int(end.inSeconds * 1000) - 1
    let instants = (0..<roll(5...40)).map { _ in milliseconds(0...last) }.sorted()
    // Many things happen close together, so that they meet what is under way.
    var close = Duration.zero
    var isAway = false
    return instants.map { instant in
      close = happens(0.6) && close > .zero ? close + milliseconds(0...300) : max(close, instant)
      let times = happens(0.2) ? roll(2...4) : 1
      let process = roll(1...processes)
      let kind = kind(&isAway, processes: processes)
      if case .call = kind {
        return Usage.Moment(
          kind, at: min(close, end - .milliseconds(1)), times: times,
          every: milliseconds(0...2000), process: process)
      }
      return Usage.Moment(kind, at: min(close, end - .milliseconds(1)), process: process)
    }
  }

  private mutating func kind(_ isAway: inout Bool, processes: Int) -> Usage.Moment.Kind {
    switch roll(0...30) {
    case 0...3: return .cancel(roll(1...12))
    case 4, 5: return .refresh
    case 6, 7, 8:
      isAway.toggle()
      return isAway ? .leave : .return
    case 9: return .suspend
    case 10: return .offline
    case 11: return .online
    case 12: return .clock(milliseconds(-100_000...100_000))
    case 13: return .signOut
    case 14: return .signIn()
    case 15: return happens(0.3) ? .revoke : .signIn(user: roll(1...2))
    case 23...30: return lifeKind(processes: processes)
    default:
      return .call(
        .init(
          traits: CallTraits(needsToken: happens(0.9), key: happens(0.4) ? Int32(roll(1...2)) : 0),
          isAlwaysRejected: happens(0.1)))
    }
  }

  private mutating func pins(processes: Int) -> [Usage.Pin] {
    guard happens(0.5) else { return [] }
    var pins: [Usage.Pin] = []
    for number in 1...6 {
      if happens(0.3) { pins.append(pin(.call(number, attempt: roll(1...2)), isRefresh: false)) }
      if happens(0.4) { pins.append(pin(.refresh(number), isRefresh: true)) }
      if happens(0.1) { pins.append(writePin(number)) }
    }
    for index in pins.indices { pins[index].process = roll(1...processes) }
    return pins
  }

  private mutating func pin(_ subject: Usage.Pin.Subject, isRefresh: Bool) -> Usage.Pin {
    var pin = Usage.Pin(subject)
    pin.connecting = maybe(0.2) { $0.milliseconds(0...3000) }
    pin.uplink = maybe(0.3) { $0.milliseconds(0...5000) }
    pin.downlink = maybe(0.3) { $0.milliseconds(0...5000) }
    if isRefresh { pin.processing = maybe(0.3) { $0.milliseconds(0...3000) } }
    pin.lost = maybe(0.2) { $0.pick() }
    if pin.lost != .request {
      let answers = Usage.Pin.Answer.allCases.filter { !isRefresh || $0 != .unauthorized }
      pin.answer = maybe(0.5) { $0.pick(answers) }
      pin.retryAfter = maybe(0.3) { $0.milliseconds(0...9000) }
    }
    return pin
  }

  mutating func network() -> NetworkPolicy {
    var network = NetworkPolicy()
    network.uplink = delay(5...3000)
    network.downlink = delay(5...1000)
    if happens(0.4) { return network }
    network.lostRequests = pick([0, 0.1, 0.3])
    network.lostAnswers = pick([0, 0.1, 0.3])
    network.packetLoss = pick([0, 0.1])
    network.retransmission = milliseconds(100...1000)
    network.handshakes = roll(0...3)
    network.wake = happens() ? .constant(.zero) : delay(0...2000)
    network.idleAfter = milliseconds(0...10_000)
    network.offline = pick([
      .never, .never, .alternating(up: delay(5000...60_000), down: delay(500...10_000)),
      .periods([
        .init(from: .seconds(3), to: .seconds(6)), .init(from: .seconds(40), to: .seconds(60)),
      ]),
    ])
    network.offlineFailure = pick()
    network.correlation = pick([0, 0.5, 1])
    network.correlationTime = milliseconds(100...5000)
    return network
  }
}
