import SimCore

extension ScenarioField {
  /// The fields in the order of `show`.
  static var all: [ScenarioField] {
    usage + longUsage + network + server + grace + clock + store + lifecycle + processes + client
  }

  /// The most calls of a run, so that sums of squares stay within 64 bits for a billion runs.
  private static let mostCalls = 10_000

  private static var usage: [ScenarioField] {
    [
      .init("usage.kind", \.usage.kind, .choice(), "the shape of a run"),
      .init(
        "usage.callers", \.usage.callers, .integer(1...mostCalls), "calls of an opening"),
      .init(
        "usage.spread", \.usage.spread, .duration,
        "time after the opening in which its calls start, each at a random moment"),
      .init(
        "usage.opens", \.usage.opens, UsageText.opens,
        "moment of the opening, never before the pair is read"),
      .init(
        "usage.timeline", \.usage.timeline, MomentText.timeline(most: mostCalls),
        "what happens in a timeline, counted from the minting of the first pair"),
      .init(
        "usage.pins", \.usage.pins, PinText.codec,
        "requests whose fate is given; calls and refreshes count from 1 as they start"),
      .init(
        "usage.interval", \.usage.interval, DistributionText.codec, hasMembers: true,
        "time between two calls of steady use; exponential is a Poisson process"),
      .init(
        "usage.horizon", \.usage.horizon, FieldCodec.positiveDuration.optional(none: "none"),
        "moment from which on no use, timer, or tick starts, counted from the minting of the first pair"
      ),
    ]
  }

  private static var network: [ScenarioField] {
    [
      .init(
        "network.uplink", \.network.uplink, DistributionText.codec, hasMembers: true,
        "delay of a message from the device to a server"),
      .init(
        "network.downlink", \.network.downlink, DistributionText.codec, hasMembers: true,
        "delay of a message from a server to the device"),
      .init(
        "network.lostRequests", \.network.lostRequests, .share,
        "share of requests that never reach the server"),
      .init(
        "network.lostAnswers", \.network.lostAnswers, .share,
        "share of answers that never reach the device, though the server did its work"),
      .init(
        "network.packetLoss", \.network.packetLoss, .shareBelowOne,
        "share of messages that lose a packet, on each leg and at each retransmission"),
      .init(
        "network.retransmission", \.network.retransmission, .duration,
        "wait before a lost packet is sent again; each further loss doubles it"),
      .init(
        "network.handshakes", \.network.handshakes, .integer(0...20),
        "round trips that open a connection, after silence or a resume"),
      .init(
        "network.wake", \.network.wake, DistributionText.codec, hasMembers: true,
        "time that the radio takes to wake before a connection is opened"),
      .init(
        "network.idleAfter", \.network.idleAfter, .duration,
        "silence after which a new connection is opened"),
      .init(
        "network.offline", \.network.offline, NetworkText.offline,
        "when the device has no network, counted from the minting of the first pair"),
      .init(
        "network.offlineFailure", \.network.offlineFailure, .choice(),
        "whether a message without a network fails at once or is waited for in vain"),
      .init(
        "network.correlation", \.network.correlation, .share,
        "share of a delay's variance that messages sent close to each other have in common"),
      .init(
        "network.correlationTime", \.network.correlationTime, .positiveDuration,
        "time over which that common part changes"),
    ]
  }

  private static var clock: [ScenarioField] {
    [
      .init(
        "clock.offset", \.clock.offset, .signedDuration,
        "how far the device's clock is ahead of the server's; negative if it is late"),
      .init(
        "clock.drift", \.clock.drift, .number(-100_000...100_000),
        "how much too fast the device's clock runs, in parts per million"),
      .init(
        "clock.steps", \.clock.steps, ClockText.steps,
        "when the device's wall clock is set, forward or back"),
    ]
  }

  private static var client: [ScenarioField] {
    [
      .init(
        "client.margin", \.client.margin, FieldCodec.signedDuration.optional(none: "none"),
        "the margin of strategies that leave it open, such as single-flight+margin"),
      .init(
        "client.expiryBasis", \.client.expiryBasis,
        FieldCodec<ExpiryBasis>.choice().optional(none: "none"),
        "how every client works out the end of an access token, in place of its own way"),
      .init(
        "client.timeout", \.client.timeout, FieldCodec.positiveDuration.optional(none: "none"),
        "how long every client waits for an answer, in place of its own timeout"),
    ]
  }
}
