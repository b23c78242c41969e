/// A scenario made ready to run: samplers built, durations in nanoseconds.
struct World {
  let scenario: Scenario
  let uplink: Sampler
  let downlink: Sampler
  let processing: Sampler
  let leaves: Sampler?
  let returns: Sampler
  let suspendAfter: Sampler
  let spread: Double
  let timeout: Int64
  let clock: DeviceClock
  let trustedTime: TrustedTime
  /// The end of the first access token at the resource server, counted from its minting.
  let firstEnd: Int64

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
    spread = Double(scenario.usage.spread.nanoseconds)
    timeout = profile.timeout.nanoseconds
    clock = DeviceClock(scenario.clock)
    trustedTime = TrustedTime(
      lifetime: scenario.server.lifetime.longest, basis: profile.expiryBasis, clock: clock)
    firstEnd = scenario.server.lifetime.longest.nanoseconds + scenario.server.leeway.nanoseconds
  }
}

/// The streams of one run.
struct RunStreams {
  let userActivity: RandomStream
  let lifecycle: RandomStream
  let uplink: RandomStream
  let downlink: RandomStream
  let serverTime: RandomStream

  init(seed: UInt64, run: UInt64) {
    let run = RandomRun(seed: seed, run: run)
    userActivity = RandomStream(run, cause: .userActivity)
    lifecycle = RandomStream(run, cause: .lifecycle)
    uplink = RandomStream(run, cause: .uplink)
    downlink = RandomStream(run, cause: .downlink)
    serverTime = RandomStream(run, cause: .serverTime)
  }
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
  }

  /// The field of the scenario that it was drawn from.
  public let field: Field

  package init(field: Field) {
    self.field = field
  }
}
