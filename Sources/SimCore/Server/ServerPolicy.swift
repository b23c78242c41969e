/// What an authorization server does when a refresh token is presented, and how long its tokens live.
public struct ServerPolicy: Equatable, Sendable {
  /// When a refresh returns a new refresh token (RFC 9700, 4.14.2).
  public enum Rotation: Equatable, Sendable {
    /// At each refresh.
    case always
    /// Never; the refresh token is used again and again.
    case never
    /// Once this share of the access token's lifetime is over.
    case usedFraction(Double)
    /// Once less than this is left of the access token's lifetime.
    case remainingBelow(Duration)
  }

  /// What the server does about a spent refresh token that no grace covers.
  public enum ReuseReaction: Equatable, Sendable, CaseIterable {
    /// Rejects it and revokes its family: the reuse is taken for theft.
    case revokeFamily
    /// Rejects it and leaves the family alone.
    case rejectOnly
    /// Rejects it and revokes every family of that user and client.
    case revokeUserClient
  }

  /// How long access tokens live.
  public enum Lifetime: Equatable, Sendable {
    /// Each equally long.
    case fixed(Duration)
    /// Each drawn anew; every length between the two is equally likely.
    case uniform(from: Duration, to: Duration)

    /// The lifetime, if it is the same for all.
    public var fixed: Duration? {
      switch self {
      case .fixed(let length): length
      case .uniform: nil
      }
    }

    /// The longest that one can live.
    public var longest: Duration {
      switch self {
      case .fixed(let length), .uniform(_, let length): length
      }
    }

    /// The shortest that one can live.
    public var shortest: Duration {
      switch self {
      case .fixed(let length), .uniform(let length, _): length
      }
    }
  }

  /// How long an older access token of a chain works after a refresh.
  public enum AccessOverlap: Equatable, Sendable {
    /// To its own end.
    case unlimited
    /// This long after the refresh, and never beyond its own end.
    case lasting(Duration)
    /// Until the new access token is accepted for the first time.
    case untilNewAccessUsed
    /// Until the new refresh token is exchanged for the first time.
    case untilNewRefreshUsed
  }

  /// What becomes of the second of two exchanges of one refresh token that overlap.
  ///
  /// They overlap where the second read the token strictly before the commit that spent it.
  public enum Race: Equatable, Sendable {
    /// It is judged as a reuse.
    case serialize
    /// It is refused with this error, and nothing is revoked.
    case refuse(TokenError)
    /// It is given the pair of the first.
    case winnersPair
    /// It counts as a first use as well.
    case fork
    /// The same, but it spends the refresh tokens that earlier ones were given.
    case lastWriter
  }

  /// How long access tokens live at the server.
  public var lifetime: Lifetime
  /// How much longer the resource server accepts one.
  public var leeway: Duration
  /// How much later the resource server learns that a rotation or a revocation ended an access token.
  public var propagation = Duration.zero
  /// How long the token endpoint works on a request; the exchange commits at the end.
  public var processing: Distribution
  /// When a refresh returns a new refresh token.
  public var rotation: Rotation
  /// How a spent token is answered while some child of it is unspent.
  public var parentGrace: Grace
  /// How a spent token is answered while no child of it is unspent.
  public var ancestorGrace = Grace()
  /// Whether grace also revives tokens that a revocation killed.
  public var graceCoversRevoked = false
  /// What a reuse outside the grace leads to.
  public var reuse: ReuseReaction
  /// Whether a revocation of the family also ends its access tokens.
  public var reuseKillsAccess: Bool
  /// How long the server knows a spent token; after that it is unknown, and no reuse.
  public var reuseMemory = Grace.Window.unlimited
  /// What a rejection is called in the answer.
  public var rejectedAs = TokenError.invalidGrant
  /// How long an older access token works after a refresh.
  public var oldAccessOverlap = AccessOverlap.unlimited
  /// The most access tokens of a family that live at a time, if there is a limit; the oldest is dropped.
  public var maxLiveAccess: Int?
  /// How long a refresh token lives after its last accepted use or its minting, if there is a limit.
  public var refreshIdle: Duration?
  /// How long the refresh tokens of a session live after its beginning, if there is a limit.
  public var refreshAbsolute: Duration?
  /// What becomes of the second of two exchanges of one refresh token that overlap.
  public var race = Race.serialize
  /// How long after its arrival an exchange reads the refresh token.
  public var lookup = Duration.zero
  /// The order of the writes that spend a refresh token and store the new pair.
  public var commit = Commit.atomic
  /// The probability that the server dies between those two writes.
  public var crash = 0.0
  /// Failures of the token endpoint by chance.
  public var errors = Errors()
  /// Periods from the beginning of the run in which the token endpoint answers each request with a 5xx.
  public var outages: [Period] = []
  /// How many requests the token endpoint takes.
  public var rateLimit = RateLimit.none
  /// What stored times are rounded down to a multiple of, if anything.
  public var tick: Duration?

  /// The server of the first article: rotation always, no grace, a reuse ends everything.
  public init(
    lifetime: Lifetime = .fixed(.seconds(300)), leeway: Duration = .zero,
    processing: Distribution = .constant(.milliseconds(200)), rotation: Rotation = .always,
    parentGrace: Grace = Grace(), reuse: ReuseReaction = .revokeFamily,
    reuseKillsAccess: Bool = true
  ) {
    self.lifetime = lifetime
    self.leeway = leeway
    self.processing = processing
    self.rotation = rotation
    self.parentGrace = parentGrace
    self.reuse = reuse
    self.reuseKillsAccess = reuseKillsAccess
  }
}
