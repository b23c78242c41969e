/// Everything about the world except the client and the seed.
///
/// A run is a pure function of a scenario, a client, a seed, and a run index.
public struct Scenario: Equatable, Sendable {
  /// Decisions that the scenario takes in place of every client.
  public struct ClientOverrides: Equatable, Sendable {
    /// The margin of clients whose name leaves it open.
    public var margin: Duration?
    /// How clients work out the end of an access token.
    public var expiryBasis: ExpiryBasis?
    /// How long clients wait for an answer.
    public var timeout: Duration?

    /// No decision, unless told otherwise.
    public init(
      margin: Duration? = nil, expiryBasis: ExpiryBasis? = nil, timeout: Duration? = nil
    ) {
      self.margin = margin
      self.expiryBasis = expiryBasis
      self.timeout = timeout
    }
  }

  /// What the person and the app do.
  public var usage: Usage
  /// How long messages are on their way.
  public var network: NetworkPolicy
  /// The servers.
  public var server: ServerPolicy
  /// The clock of the device.
  public var clock: ClockError
  /// Where the client persists its pair.
  public var store: StorePolicy
  /// When the person leaves the app and what the system then does with it.
  public var lifecycle: LifecyclePolicy
  /// Decisions taken in place of the client.
  public var client: ClientOverrides
  /// The processes that hold the session, at least one.
  public var processes: [ProcessPlan]

  /// The published worked example, unless told otherwise: a clock one second late, a slow network, tokens
  /// that live five minutes, and a server that takes each reuse for theft.
  public init(
    usage: Usage = Usage(), network: NetworkPolicy = NetworkPolicy(),
    server: ServerPolicy = ServerPolicy(), clock: ClockError = ClockError(offset: .seconds(-1)),
    store: StorePolicy = StorePolicy(), lifecycle: LifecyclePolicy = LifecyclePolicy(),
    client: ClientOverrides = ClientOverrides(), processes: [ProcessPlan] = [ProcessPlan()]
  ) {
    self.usage = usage
    self.network = network
    self.server = server
    self.clock = clock
    self.store = store
    self.lifecycle = lifecycle
    self.client = client
    self.processes = processes
  }
}
