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
  let wake: Sampler
  let spread: Double
  /// When the run is over at the latest: an hour after the horizon.
  var end: Instant {
    horizon.advanced(byNanoseconds: 3_600_000_000_000) ?? Instant(nanoseconds: .max)
  }

  /// Nil if the client waits for ever.
  let timeout: Int64?
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

  init(_ scenario: Scenario, _ profile: ClientProfile) {
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
    wake = Sampler(scenario.network.wake)
    spread = Double(scenario.usage.spread.nanoseconds)
    timeout = profile.timeout?.nanoseconds
    horizon = Instant(nanoseconds: scenario.usage.horizon?.nanoseconds ?? .max)
    clock = DeviceClock(scenario.clock)
    trustedTime = TrustedTime(basis: profile.expiryBasis, clock: clock)
    leeway = scenario.server.leeway.nanoseconds
    needsDate = profile.expiryBasis == .absoluteCorrected
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
  }

  /// The field of the scenario that it was drawn from.
  public let field: Field

  package init(field: Field) {
    self.field = field
  }
}
