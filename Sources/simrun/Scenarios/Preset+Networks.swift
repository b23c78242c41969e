import SimCore

extension Preset {
  static var networks: [Preset] {
    [
      Preset(
        kind: .network, name: "worked-example",
        summary: "the published example: 2 s up and 0.2 s down on average, log-normal"
      ) { $0.network = NetworkPolicy() },
      Preset(
        kind: .network, name: "slow-4g",
        summary: "75 ms each way, the slow 4G of the Lighthouse test tool"
      ) {
        $0.network = NetworkPolicy(
          uplink: .constant(.milliseconds(75)), downlink: .constant(.milliseconds(75)))
      },
      Preset(kind: .network, name: "instant", summary: "messages take no time") {
        $0.network = NetworkPolicy(uplink: .constant(.zero), downlink: .constant(.zero))
      },
    ] + mobile
  }

  /// Legs fitted to published quantiles of round trips, with 55 % of them on the way up.
  ///
  /// After 10 s of silence the radio wakes, and TCP and TLS 1.3 take two round trips; a look-up of the name is
  /// not counted.
  private static var mobile: [Preset] {
    // Measured waking of an LTE radio: 240 ms to 345 ms. Not published: that of 3G and 2G, and the losses of LTE
    // and 3G, which are guesses.
    let wakesSlowly = Distribution.uniform(from: .milliseconds(500), to: .seconds(2))
    return [
      mobile(
        "lte", "LTE: round trips with a median of 86 ms, and a radio that sleeps",
        up: leg(floor: 6.04, median: 36.9, sigma: 0.725),
        down: leg(floor: 4.94, median: 30.2, sigma: 0.725), loss: 0.001,
        wake: .uniform(from: .milliseconds(240), to: .milliseconds(345))),
      mobile(
        "3g", "3G: round trips with a median of 270 ms, and one in ten far above",
        up: leg(floor: 17.9, median: 118, sigma: 0.282, spike: (0.133, 307, 0.552)),
        down: leg(floor: 14.6, median: 96.3, sigma: 0.282, spike: (0.133, 307, 0.552)),
        loss: 0.005, wake: wakesSlowly),
      mobile(
        "2g", "2G: round trips with a median of 1.4 s, and one in twenty above 5 s",
        up: leg(floor: 0, median: 615, sigma: 1.07), down: leg(floor: 0, median: 503, sigma: 1.07),
        loss: 0.01, wake: wakesSlowly),
    ]
  }

  private static func mobile(
    _ name: String, _ summary: String, up: Distribution, down: Distribution, loss: Double,
    wake: Distribution
  ) -> Preset {
    Preset(kind: .network, name: name, summary: summary) {
      $0.network = NetworkPolicy(
        uplink: up, downlink: down, packetLoss: loss, handshakes: 2, wake: wake)
    }
  }

  /// A floor and a log-normal part in milliseconds, and with a probability a log-normal spike on top.
  private static func leg(
    floor: Double, median: Double, sigma: Double,
    spike: (probability: Double, median: Double, sigma: Double)? = nil
  ) -> Distribution {
    func milliseconds(_ value: Double) -> Duration {
      .microseconds(Int64((value * 1000).rounded()))
    }
    let body = Distribution.logNormal(.median(milliseconds(median), sigma: sigma))
    var parts = floor > 0 ? [.constant(milliseconds(floor)), body] : [body]
    if let spike {
      parts.append(
        .mixture([
          Distribution.Part(weight: 1 - spike.probability, .constant(.zero)),
          Distribution.Part(
            weight: spike.probability,
            .logNormal(.median(milliseconds(spike.median), sigma: spike.sigma))),
        ]))
    }
    return parts.count == 1 ? parts[0] : .sum(parts)
  }
}
