import SimCore

/// A field of a scenario: its path, what it means, and how it is written.
///
/// One table of these serves the options, files, `show`, and the documentation.
struct ScenarioField {
  /// The dotted path, such as `network.uplink`.
  let path: String
  /// What it means, with its reference point, as a phrase.
  let meaning: String
  /// What is accepted.
  let accepted: String
  /// The value in a scenario.
  let read: (Scenario) -> JSONValue
  /// Puts a value into a scenario; throws a ``FieldProblem`` or ``Problem``.
  let write: (inout Scenario, JSONValue) throws -> Void
  /// Whether the field is an object whose members have paths of their own.
  let hasMembers: Bool

  init<Value>(
    _ path: String, _ keyPath: WritableKeyPath<Scenario, Value>,
    _ codec: FieldCodec<Value>, hasMembers: Bool = false, _ meaning: String
  ) {
    self.path = path
    self.meaning = meaning
    accepted = codec.accepted
    self.hasMembers = hasMembers
    read = { codec.encode($0[keyPath: keyPath]) }
    write = { $0[keyPath: keyPath] = try codec.decode($1) }
  }

  /// The fields in the order of `show`.
  static var all: [ScenarioField] {
    usage + network + server + grace + clock + lifecycle + client
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
        "usage.timeline", \.usage.timeline, UsageText.timeline(mostCalls),
        "what happens in a timeline, counted from the minting of the first pair"),
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
    ]
  }

  private static var lifecycle: [ScenarioField] {
    [
      .init(
        "lifecycle.leaves", \.lifecycle.leaves, LifecycleText.departure,
        "when the person leaves the app"),
      .init(
        "lifecycle.returns", \.lifecycle.returns, DistributionText.codec, hasMembers: true,
        "how long the person stays away before opening the screen again"),
      .init(
        "lifecycle.suspendAfter", \.lifecycle.suspendAfter, DistributionText.codec,
        hasMembers: true, "how long the app runs in the background before it is suspended"),
      .init(
        "lifecycle.backgroundBudget", \.lifecycle.backgroundBudget, .duration,
        "how long after leaving a background task can hold off the suspension"),
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
