public import SimCore

extension Scenario {
  /// The default scenario, changed.
  public static func with(_ change: (inout Scenario) throws -> Void) rethrows -> Scenario {
    var scenario = Scenario()
    try change(&scenario)
    return scenario
  }

  /// The expired burst: five callers within 20 ms, one-way delays with a median of 40 ms.
  public static func expiredBurst() -> Scenario {
    .with {
      $0.usage.opens = .expired
      $0.usage.spread = .milliseconds(20)
      $0.network.uplink = .logNormal(.median(.milliseconds(40), sigma: 0.5))
      $0.network.downlink = $0.network.uplink
    }
  }
}
