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
      /// A person, by number from 1, signs in, which begins a new session.
      case signIn(user: Int = 1)
      /// The server ends the access token in the store, which the client does not learn.
      case endAccess
      /// An administrator revokes the session at the server.
      case revoke
      /// The system kills the process, which loses its memory.
      case kill
      /// The person ends the process, and with it what the system carries on for it.
      case forceQuit
      /// The system runs the process in the background for a while, launching it if it is gone.
      case wake(Duration)
      /// The device is locked.
      case lock
      /// The device is unlocked.
      case unlock
      /// The device starts anew: its processes are gone, and it has not been unlocked yet.
      case reboot
      /// The pair in the store of the process is copied to that of another.
      case copyPair(to: Int)
      /// Something else writes the first pair of the session into the store, as a backup does.
      case restoreStore
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
    /// The number of the process that it happens to, from 1.
    public let process: Int

    /// A moment by what happens, when, how often, and to whom.
    public init(
      _ kind: Kind, at: Duration, times: Int = 1, every: Duration = .zero, process: Int = 1
    ) {
      self.process = process
      self.kind = kind
      self.at = at
      self.times = times
      self.every = every
    }

    /// When it happens for the last time.
    public var last: Duration { at + every * (times - 1) }
  }
}
