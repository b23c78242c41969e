/// A scenario made ready to run: samplers built, durations in nanoseconds.
struct World {
  let scenario: Scenario
  let uplink: Sampler
  let downlink: Sampler
  let processing: Sampler
  let leaves: Sampler?
  let returns: Sampler
  let suspendAfter: Sampler
  let interval: Sampler
  let storeWrite: Sampler
  let storeTakesTime: Bool
  let storeRead: Sampler
  let readingTakesTime: Bool
  let visit: Sampler
  let gap: Sampler
  let whileOpen: Sampler?
  let killedAfter: Sampler?
  let lockedAfter: Sampler
  let wakes: Sampler?
  /// Nanoseconds of a day in which the app may be opened.
  let awake: Int64
  let socketSurvives: Int64
  let wake: Sampler
  let spread: Double
  /// A day in nanoseconds.
  static let day: Int64 = 86_400_000_000_000

  /// When the run is over at the latest: an hour after the horizon.
  var end: Instant {
    horizon.advanced(byNanoseconds: 3_600_000_000_000) ?? Instant(nanoseconds: .max)
  }

  /// The moment from which on nothing begins; out of reach without a horizon.
  let horizon: Instant
  let clock: DeviceClock
  let trustedTime: TrustedTime
  /// How much longer than their lifetime access tokens are accepted.
  let leeway: Int64
  /// Whether the client looks at the `Date` of an answer.
  let needsDate: Bool
  /// Whether messages do nothing but take the time that one draw gives.
  let hasPlainNetwork: Bool
  let pins: PinTable

  /// The scenario made ready, with the profile of the client in the first process.
  init(_ scenario: Scenario, _ profile: ClientProfile, looksAtDate: Bool) {
    self.scenario = scenario
    uplink = Sampler(scenario.network.uplink)
    downlink = Sampler(scenario.network.downlink)
    processing = Sampler(scenario.server.processing)
    leaves =
      switch scenario.lifecycle.leaves {
      case .after(let length): Sampler(length)
      case .never, .at: nil
      }
    returns = Sampler(scenario.lifecycle.returns)
    suspendAfter = Sampler(scenario.lifecycle.suspendAfter)
    interval = Sampler(scenario.usage.interval)
    storeWrite = Sampler(scenario.store.write)
    storeTakesTime = scenario.store.write != .constant(.zero)
    storeRead = Sampler(scenario.store.read)
    readingTakesTime = scenario.store.read != .constant(.zero)
    visit = Sampler(scenario.usage.visit)
    gap = Sampler(scenario.usage.gap)
    whileOpen = scenario.usage.whileOpen.map { Sampler($0) }
    killedAfter = scenario.lifecycle.killedAfter.map { Sampler($0) }
    lockedAfter = Sampler(scenario.lifecycle.lockedAfter)
    wakes = scenario.lifecycle.wakes.map { Sampler($0) }
    awake = max(1, Self.day - scenario.usage.night.nanoseconds)
    socketSurvives = scenario.lifecycle.socketSurvives.nanoseconds
    wake = Sampler(scenario.network.wake)
    spread = Double(scenario.usage.spread.nanoseconds)
    horizon = Instant(nanoseconds: scenario.usage.horizon?.nanoseconds ?? .max)
    clock = DeviceClock(scenario.clock)
    trustedTime = TrustedTime(basis: profile.expiryBasis, clock: clock)
    leeway = scenario.server.leeway.nanoseconds
    needsDate = looksAtDate || profile.expiryBasis == .absoluteCorrected
    pins = PinTable(scenario.usage.pins)
    hasPlainNetwork =
      scenario.network.isPlain && pins.isEmpty && !scenario.usage.timeline.changesNetwork
  }
}

extension [Usage.Moment] {
  /// Whether the network is lost in the course of it.
  fileprivate var changesNetwork: Bool {
    contains { $0.kind == .offline }
  }
}

/// The streams of one run.
struct RunStreams {
  let userActivity: RandomStream
  let lifecycle: RandomStream
  let uplink: RandomStream
  let downlink: RandomStream
  let serverTime: RandomStream
  private let run: RandomRun

  init(seed: UInt64, run: UInt64) {
    let run = RandomRun(seed: seed, run: run)
    userActivity = RandomStream(run, cause: .userActivity)
    lifecycle = RandomStream(run, cause: .lifecycle)
    uplink = RandomStream(run, cause: .uplink)
    downlink = RandomStream(run, cause: .downlink)
    serverTime = RandomStream(run, cause: .serverTime)
    self.run = run
  }

  // Made when they are needed, since most runs never do.

  var connectivity: RandomStream { RandomStream(run, cause: .connectivity) }
  var store: RandomStream { RandomStream(run, cause: .store) }
  var clientJitter: RandomStream { RandomStream(run, cause: .clientJitter) }
}

/// A length of time that led beyond the range of instants, 146 years.
public struct TimeOutOfRange: Error, Equatable, Sendable {
  /// The field of the scenario that it was drawn from.
  public enum Field: Sendable, CaseIterable {
    case uplink
    case downlink
    case processing
    case leaves
    case returns
    case suspendAfter
    case backgroundBudget
    case timeout
    case usage
    case wake
    case retransmission
    case storeWrite
    case storeRead
    case killedAfter
    case lockedAfter
    case wakes
  }

  /// The field of the scenario that it was drawn from.
  public let field: Field

  package init(field: Field) {
    self.field = field
  }
}
