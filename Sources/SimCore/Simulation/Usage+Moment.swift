extension Usage {
  /// Something that happens at a given instant of a timeline, once or again and again.
  public struct Moment: Equatable, Sendable {
    /// What happens.
    public enum Kind: Equatable, Sendable {
      /// The app starts a call.
      case call(Call = Call())
      /// The app cancels the call with this number.
      case cancel(Int)
      /// The app orders a refresh, whatever the age of the token.
      case refresh
      /// The person leaves the app.
      case leave
      /// The person comes back.
      case `return`
      /// The system suspends the app, whatever it holds.
      case suspend
      /// The device loses its network.
      case offline
      /// The network is back.
      case online
      /// The device's wall clock is set forward, or back if negative.
      case clock(Duration)
      /// The person signs out.
      case signOut
      /// The person signs in, which begins a new session.
      case signIn
      /// The server ends the access token in the store, which the client does not learn.
      case endAccess
      /// An administrator revokes the session at the server.
      case revoke
    }

    /// What is known of a call.
    public struct Call: Equatable, Sendable {
      /// What the app knows of it.
      public var traits: CallTraits
      /// Whether the server answers it 401 whatever the token, as for want of a scope.
      public var isAlwaysRejected: Bool

      /// A call like no other that the server accepts with a good token, unless told otherwise.
      public init(traits: CallTraits = CallTraits(), isAlwaysRejected: Bool = false) {
        self.traits = traits
        self.isAlwaysRejected = isAlwaysRejected
      }
    }

    /// What happens.
    public let kind: Kind
    /// When it first happens, counted from the minting of the first pair.
    public let at: Duration
    /// How often it happens.
    public let times: Int
    /// The time from each to the next.
    public let every: Duration

    /// A moment by what happens, when, and how often.
    public init(_ kind: Kind, at: Duration, times: Int = 1, every: Duration = .zero) {
      self.kind = kind
      self.at = at
      self.times = times
      self.every = every
    }

    /// When it happens for the last time.
    public var last: Duration { at + every * (times - 1) }
  }
}
