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

  /// Five calls within 50 ms at a random moment of the trusted time, unless told otherwise.
  public init(
    kind: Kind = .opening, callers: Int = 5, spread: Duration = .milliseconds(50),
    opens: Opens = .duringLifetime, timeline: [Moment] = [], pins: [Pin] = [],
    interval: Distribution = .exponential(mean: .seconds(10)), horizon: Duration? = nil
  ) {
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
