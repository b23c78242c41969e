public import SimCore

/// A client strategy: a name for a set of decisions.
public struct Strategy: Equatable, Sendable {
  /// The name, as it is typed and printed.
  public let name: String
  /// What it does, in a line.
  public let summary: String
  /// What it decides.
  public var decisions: Decisions
  /// What single processes decide in its place, by their numbers from 1.
  public var processes: [Int: Decisions] = [:]
  /// Whether the scenario's margin applies to it.
  public let takesMargin: Bool

  /// A strategy from its parts.
  public init(name: String, summary: String, takesMargin: Bool = false, decisions: Decisions) {
    self.name = name
    self.summary = summary
    self.takesMargin = takesMargin
    self.decisions = decisions
  }

  /// The margin of strategies with `+margin` in their name that do not state one.
  public static let defaultMargin = Duration.seconds(30)

  /// Whether it checks a token before it uses it, so that a margin means something.
  public var checksBeforeUse: Bool { decisions.check != .none }

  /// This strategy with a margin of its own, under another name.
  public func named(_ name: String, margin: Duration) -> Strategy {
    with(margin, name: name, takesMargin: false)
  }

  /// This strategy with a margin that the scenario may set, under another name.
  public func withScenarioMargin(named name: String) -> Strategy {
    with(Self.defaultMargin, name: name, takesMargin: true)
  }

  private func with(_ margin: Duration, name: String, takesMargin: Bool) -> Strategy {
    var decisions = decisions
    decisions.check = .margin(margin)
    var strategy = Strategy(
      name: name, summary: "\(self.name) with a margin", takesMargin: takesMargin,
      decisions: decisions)
    strategy.processes = processes.mapValues {
      var decisions = $0
      decisions.check = .margin(margin)
      return decisions
    }
    return strategy
  }

  /// The client of a process, with the decisions that the scenario takes in its place and the layers around it.
  ///
  /// - Parameters:
  ///   - scenario: the world that it is for.
  ///   - process: the number of the process, from 1.
  /// - Returns: a client of its own.
  public func client(in scenario: Scenario, process: Int = 1) -> any Client & ~Copyable {
    var decisions = processes[process] ?? decisions
    if takesMargin, let margin = scenario.client.margin { decisions.check = .margin(margin) }
    if let basis = scenario.client.expiryBasis { decisions.expiryBasis = basis }
    if let timeout = scenario.client.timeout { decisions.timeout = timeout }
    let client = DescribedClient(decisions)
    guard !decisions.callRetries.isEmpty else { return Self.deduplicating(client, decisions) }
    let retrying = RetryLayer(
      client, pauses: decisions.callRetries, placement: decisions.callRetryPlacement)
    return Self.deduplicating(retrying, decisions)
  }

  private static func deduplicating<Base: Client & ~Copyable>(
    _ client: consuming Base, _ decisions: Decisions
  ) -> any Client & ~Copyable {
    if decisions.deduplicates { return DeduplicationLayer(client) }
    return client
  }
}
