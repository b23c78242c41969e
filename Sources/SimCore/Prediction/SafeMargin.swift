/// The margins that a client needs before expiry: the published rule, and the exact one.
public enum SafeMargin {
  /// The published margin, d_p99 + s_max.
  public struct Published: Equatable, Sendable {
    /// What 99 of 100 requests take at most to reach the server over a new connection, losses left out.
    public let delay: Duration
    /// How late the clock of the device is at most; zero for one that is ahead.
    public let lateness: Duration
    /// Both together.
    public var margin: Duration { delay + lateness }
  }

  /// The published margin of a world.
  public static func published(_ scenario: Scenario) -> Published {
    let network = scenario.network
    let trips = (0..<network.handshakes).flatMap { _ in [network.uplink, network.downlink] }
    let parts = (network.wake == .constant(.zero) ? [] : [network.wake]) + trips + [network.uplink]
    let law = DelayLaw(parts.count == 1 ? parts[0] : .sum(parts))
    return Published(
      delay: .nanoseconds(Int64((law.quantile(above: 0.01) * 1e9).rounded())),
      lateness: max(.zero, .zero - scenario.clock.offset))
  }

  /// The smallest margin with which the exact formula gives at most this many first attempts answered 401 per call.
  ///
  /// - Parameters:
  ///   - limit: the share of calls, above zero.
  ///   - scenario: the world.
  ///   - profile: the client, whose own margin does not count.
  /// - Returns: the margin to a millisecond, rounded up; nil where the formula does not apply, or no margin will do.
  public static func smallest(
    for limit: Double, _ scenario: Scenario, _ profile: ClientProfile
  ) -> Duration? {
    func holds(_ milliseconds: Int) -> Bool? {
      var profile = profile
      profile.check = .margin(.milliseconds(milliseconds))
      guard let prediction = try? RacePrediction(scenario, profile),
        !prediction.isBlurredByRevocations
      else { return nil }
      return prediction.perCall <= limit
    }
    guard let none = holds(0) else { return nil }
    if none { return .zero }
    var low = 0
    var high = 1000
    while let enough = holds(high), !enough { (low, high) = (high, high * 2) }
    // Beyond the trusted time there is no prediction, so that the doubling may have gone too far.
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if holds(middle) == false { low = middle } else { high = middle }
    }
    return holds(high) == true ? .milliseconds(high) : nil
  }
}

extension DelayLaw {
  /// A number that draws exceed with this probability, by bisection.
  package func quantile(above probability: Double) -> Double {
    var low = least
    var high = max(greatest, least)
    while high - low > 1e-9 * max(1, high) {
      let middle = 0.5 * (low + high)
      if survival(middle) > probability { low = middle } else { high = middle }
    }
    return high
  }
}
