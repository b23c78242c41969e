import SimCore
import Strategies

/// Random worlds and clients, the same for the same numbers.
struct Dice {
  private var draws: Draws

  init(seed: UInt64, number: Int) {
    draws = RandomStream(RandomRun(seed: seed, run: 0), cause: .userActivity)
      .draws(at: DrawAddress(.call, number: number))
  }

  mutating func roll(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(draws.next() % UInt64(range.count))
  }

  mutating func happens(_ share: Double = 0.5) -> Bool { draws.unit() < share }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[roll(0...values.count - 1)] }

  mutating func pick<Value: CaseIterable>() -> Value { pick(Array(Value.allCases)) }

  mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration { .milliseconds(roll(range)) }

  mutating func list<Value>(_ most: Int, _ value: (inout Dice) -> Value) -> [Value] {
    (0..<roll(0...most)).map { _ in value(&self) }
  }

  mutating func maybe<Value>(_ share: Double = 0.5, _ value: (inout Dice) -> Value) -> Value? {
    happens(share) ? value(&self) : nil
  }

  mutating func delay(_ range: ClosedRange<Int>) -> Distribution {
    let (low, high) = (milliseconds(range), milliseconds(range))
    return switch roll(0...3) {
    case 0: .constant(low)
    case 1: .uniform(from: min(low, high), to: max(low, high))
    case 2: .cap(.logNormal(.median(max(low, .milliseconds(1)), sigma: 0.8)), at: .seconds(20))
    default: .cap(.exponential(mean: low), at: .seconds(20))
    }
  }
}

// MARK: Clients

extension Dice {
  mutating func decisions() -> Decisions {
    var decisions = Decisions()
    decideAboutCalls(&decisions)
    decideAboutRefreshes(&decisions)
    decideAboutAnswers(&decisions)
    decideAboutStore(&decisions)
    return decisions
  }

  private mutating func decideAboutCalls(_ decisions: inout Decisions) {
    decisions.check = happens(0.3) ? .none : .margin(milliseconds(-2000...20_000))
    decisions.marginCap = maybe(0.3) { $0.pick([0, 0.25, 1]) }
    decisions.marginJitter = pick([.zero, .seconds(3)])
    decisions.expiryBasis = pick()
    decisions.clock = pick()
    decisions.duringRefresh = pick()
    decisions.withoutPair = pick()
    decisions.afterUnauthorized = pick()
    decisions.resends = roll(0...3)
    decisions.callRetries = list(3) { $0.milliseconds(0...3000) }
    decisions.callRetryPlacement = pick()
    decisions.deduplicates = happens(0.3)
  }

  private mutating func decideAboutRefreshes(_ decisions: inout Decisions) {
    let (margin, floor) = (milliseconds(0...20_000), milliseconds(500...5000))
    let jitter = pick([Duration.zero, .seconds(2)])
    decisions.schedule = pick([
      .none, .none, .oneShot(margin: margin, floor: floor, jitter: jitter),
      .chain(margin: margin, floor: floor, jitter: jitter),
      .tick(every: floor, first: margin, threshold: margin),
    ])
    decisions.scheduleCheck = pick([.none, .margin(margin)])
    decisions.merge = pick()
    decisions.owner = pick()
    decisions.slotCleared = pick()
    decisions.waiters = pick()
    decisions.flights = pick()
    decisions.presents = pick()
    decisions.refreshRequest = pick()
    decisions.quota = maybe(0.2) { .init(refreshes: $0.roll(0...5), window: .seconds(20)) }
    decisions.coolDown = pick([.zero, .zero, .seconds(5)])
    decisions.timeout = maybe(0.85) { $0.milliseconds(200...15_000) }
    decisions.waiterDeadline = maybe(0.3) { $0.milliseconds(50...8000) }
    decisions.retries = list(3) { $0.milliseconds(0...3000) }
    decisions.retriesWhile = pick()
    decisions.retryJitter = pick([0, 0.5])
    decisions.heedsRetryAfter = happens()
    decisions.retryBudget = maybe(0.3) { $0.milliseconds(0...20_000) }
    decisions.protection = pick()
  }

  private mutating func decideAboutAnswers(_ decisions: inout Decisions) {
    decisions.accept = pick()
    decisions.persist = pick()
    decisions.shortLived = pick()
    decisions.onFailure.transport = pick()
    decisions.onFailure.timeout = pick()
    decisions.onFailure.cancelled = pick()
    decisions.onFailure.forbidden = pick()
    decisions.onFailure.tooManyRequests = pick()
    decisions.onFailure.clientError = pick()
    decisions.onFailure.serverError = pick()
    decisions.onFailure.malformed = pick()
    decisions.onFailure.invalidGrant = pick()
    decisions.afterFailedCheck = pick()
    decisions.rejection = pick()
    decisions.endsSession = pick()
    decisions.afterRejection = pick()
    decisions.notices = pick()
    decisions.onSignOut = pick()
    decisions.revokesOnSignOut = happens()
  }
}

extension Dice {
  private mutating func decideAboutStore(_ decisions: inout Decisions) {
    decisions.storeUnreadable = pick()
    for moment in Decisions.Reread.allCases where happens(0.3) { decisions.rereads.insert(moment) }
    decisions.refreshes = happens(0.1) ? .never : .yes
    decisions.lock = maybe(0.3) { CrossProcessLock(leak: $0.pick([0, 0.2])) }
    decisions.journal = happens(0.3)
    decisions.persistedParts = pick()
    decisions.protectionClass = pick()
    decisions.storeRetries = list(2) { $0.milliseconds(0...3000) }
    decisions.afterFailedWrite = pick()
  }
}

// MARK: Worlds

extension Dice {
  /// A world for a client that refreshes on a schedule or not; its horizon ends what else would not.
  mutating func scenario(hasSchedule: Bool) -> Scenario {
    var scenario = Scenario()
    scenario.usage.kind = pick(
      [.timeline, .timeline, .timeline, .opening, .steady] as [Usage.Kind])
    scenario.usage.horizon =
      hasSchedule || scenario.usage.kind == .steady || happens(0.3)
      ? milliseconds(20_000...150_000) : nil
    switch scenario.usage.kind {
    case .timeline:
      scenario.usage.timeline = timeline(before: scenario.usage.horizon ?? .seconds(150))
    case .opening: open(&scenario)
    case .steady, .sessions, .fleet:
      scenario.usage.interval = .sum([.constant(.milliseconds(1)), delay(100...8000)])
    }
    scenario.usage.pins = pins()
    scenario.network = network()
    scenario.server = server()
    scenario.clock = ClockError(
      offset: milliseconds(-10_000...10_000), drift: pick([0, 0, 300, -100_000]),
      steps: list(2) {
        ClockStep(by: $0.milliseconds(-60_000...60_000), at: $0.milliseconds(0...100_000))
      })
    scenario.store.write = happens() ? .constant(.zero) : delay(0...3000)
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

  private mutating func timeline(before end: Duration) -> [Usage.Moment] {
    let last = Int(end.inSeconds * 1000) - 1
    let instants = (0..<roll(5...40)).map { _ in milliseconds(0...last) }.sorted()
    // Many things happen close together, so that they meet what is under way.
    var close = Duration.zero
    var isAway = false
    return instants.map { instant in
      close = happens(0.6) && close > .zero ? close + milliseconds(0...300) : max(close, instant)
      let times = happens(0.2) ? roll(2...4) : 1
      let kind = kind(&isAway)
      if case .call = kind {
        return Usage.Moment(
          kind, at: min(close, end - .milliseconds(1)), times: times,
          every: milliseconds(0...2000))
      }
      return Usage.Moment(kind, at: min(close, end - .milliseconds(1)))
    }
  }

  private mutating func kind(_ isAway: inout Bool) -> Usage.Moment.Kind {
    switch roll(0...22) {
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
    case 15: return happens(0.3) ? .revoke : .signIn()
    default:
      return .call(
        .init(
          traits: CallTraits(needsToken: happens(0.9), key: happens(0.4) ? Int32(roll(1...2)) : 0),
          isAlwaysRejected: happens(0.1)))
    }
  }

  private mutating func pins() -> [Usage.Pin] {
    guard happens(0.5) else { return [] }
    var pins: [Usage.Pin] = []
    for number in 1...6 {
      if happens(0.3) { pins.append(pin(.call(number, attempt: roll(1...2)), isRefresh: false)) }
      if happens(0.4) { pins.append(pin(.refresh(number), isRefresh: true)) }
    }
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

  private mutating func network() -> NetworkPolicy {
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

// MARK: Servers

extension Dice {
  private mutating func server() -> ServerPolicy {
    var server = ServerPolicy()
    let (short, long) = (milliseconds(2000...30_000), milliseconds(0...30_000))
    server.lifetime = happens(0.7) ? .fixed(short) : .uniform(from: short, to: short + long)
    server.leeway = pick([.zero, .seconds(1)])
    server.processing = delay(0...500)
    server.rotation = pick([
      .always, .always, .never, .usedFraction(0.5), .remainingBelow(.seconds(3)),
    ])
    server.reuse = pick()
    server.reuseKillsAccess = happens()
    guard happens(0.6) else { return server }
    server.propagation = pick([.zero, .seconds(1)])
    server.parentGrace = grace()
    server.ancestorGrace = happens(0.5) ? grace() : .init()
    server.graceCoversRevoked = happens(0.2)
    server.reuseMemory = happens(0.7) ? .unlimited : .lasting(milliseconds(0...20_000))
    server.rejectedAs = happens(0.8) ? .invalidGrant : pick()
    server.oldAccessOverlap = pick([
      .unlimited, .lasting(milliseconds(0...3000)), .untilNewAccessUsed, .untilNewRefreshUsed,
    ])
    server.maxLiveAccess = maybe(0.2) { $0.roll(1...3) }
    server.refreshIdle = maybe(0.2) { $0.milliseconds(1000...60_000) }
    server.refreshAbsolute = maybe(0.2) { $0.milliseconds(1000...120_000) }
    server.race = pick([.serialize, .refuse(pick()), .winnersPair, .fork, .lastWriter])
    server.lookup = milliseconds(0...100)
    server.commit = pick()
    server.crash = pick([0, 0.2])
    server.errors = .init(before: pick([0, 0.2]), after: pick([0, 0.2]))
    server.outages = happens(0.8) ? [] : [.init(from: .seconds(10), to: .seconds(20))]
    server.rateLimit = pick([
      .none, .none, .tokenBucket(capacity: 2, refillPerSecond: 0.2),
      .window(count: 2, length: .seconds(10)),
    ])
    server.tick = maybe(0.2) { $0.pick([.seconds(1), .milliseconds(10)]) }
    return server
  }

  private mutating func grace() -> ServerPolicy.Grace {
    ServerPolicy.Grace(
      window: happens(0.2) ? .unlimited : .lasting(milliseconds(0...20_000)), start: pick(),
      uses: happens() ? .unlimited : .atMost(roll(0...2)), untilUse: pick(), reply: pick())
  }
}
