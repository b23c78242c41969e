/// What the person and the app do.
public struct Usage: Equatable, Sendable {
  /// The shape of a run.
  public enum Kind: Equatable, Sendable, CaseIterable {
    /// A screen is opened and sends its calls.
    case opening
    /// Everything happens at given instants.
    case timeline
    /// Calls one after the other, up to the horizon.
    case steady
    /// A person who opens and leaves the app day by day, up to the horizon.
    case sessions
    /// Many clients of one server, each a process of its own device.
    case fleet
  }

  /// The moment of an opening.
  public enum Opens: Equatable, Sendable {
    /// A uniformly random moment of the time in which the client trusts its pair.
    case duringLifetime
    /// Long after the access token has ended, both at the server and in the eyes of the client.
    case expired
    /// As the pair is read, with an access token that the server has ended and the client still trusts.
    case expiredAtServer
    /// This long after the pair was minted.
    case at(Duration)
  }

  /// The shape of a run.
  public var kind: Kind
  /// Calls of an opening.
  public var callers: Int
  /// The calls start at independent, uniformly random moments of this time after the opening.
  public var spread: Duration
  /// The moment of an opening.
  public var opens: Opens
  /// What happens in a timeline, in order of the first time.
  public var timeline: [Moment]
  /// Requests of a process whose fate is given.
  public var pins: [Pin]
  /// The time between two calls of steady use; exponential for a Poisson process.
  public var interval: Distribution
  /// The moment from which on no use, timer, or tick starts, counted from the minting of the first pair; nil
  /// for none.
  public var horizon: Duration?

  /// How long the person stays in the app.
  public var visit: Distribution
  /// How long the person stays away, not counting the night.
  public var gap: Distribution
  /// The hours of each day in which nobody opens the app; the run begins in the morning.
  public var night: Duration
  /// The time between two calls after those of the opening, while the app is open; nil for no such calls.
  public var whileOpen: Distribution?
  /// How many clients a fleet has.
  public var clients: Int
  /// The clients of a fleet sign in at independent, uniformly random moments of this time.
  public var provisionedOver: Duration
  /// The moment from which on a fleet sends calls.
  public var callsFrom: Duration

  /// Five calls within 50 ms at a random moment of the trusted time, unless told otherwise.
  public init(
    kind: Kind = .opening, callers: Int = 5, spread: Duration = .milliseconds(50),
    opens: Opens = .duringLifetime, timeline: [Moment] = [], pins: [Pin] = [],
    interval: Distribution = .exponential(mean: .seconds(10)), horizon: Duration? = nil,
    visit: Distribution = .logNormal(.median(.seconds(90), sigma: 1.5)),
    gap: Distribution = .logNormal(.median(.seconds(39 * 60), sigma: 1.5)),
    night: Duration = .seconds(8 * 3600), whileOpen: Distribution? = nil, clients: Int = 1000,
    provisionedOver: Duration = .zero, callsFrom: Duration = .zero
  ) {
    self.visit = visit
    self.gap = gap
    self.night = night
    self.whileOpen = whileOpen
    self.clients = clients
    self.provisionedOver = provisionedOver
    self.callsFrom = callsFrom
    self.kind = kind
    self.callers = callers
    self.spread = spread
    self.opens = opens
    self.timeline = timeline
    self.pins = pins
    self.interval = interval
    self.horizon = horizon
  }
}
