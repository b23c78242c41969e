// The values that decisions can take.

extension Decisions {
  /// A clock of the device.
  public enum ClockChoice: Equatable, Sendable, CaseIterable {
    /// The clock on the wall, which may be wrong and may be set.
    case wall
    /// Time since the device started.
    case continuous
    /// Time since the device started, without sleep.
    case suspending
  }

  /// What a call does that starts while a refresh runs.
  public enum DuringRefresh: Equatable, Sendable, CaseIterable {
    /// It waits for the refresh.
    case wait
    /// It uses the pair if that has not ended in the eyes of the client.
    case useTrusted
  }

  /// What a call does without a pair.
  public enum WithoutPair: Equatable, Sendable, CaseIterable {
    /// It fails at once.
    case fail
    /// It is sent without a token.
    case send
  }

  /// What a 401 leads to.
  public enum AfterUnauthorized: Equatable, Sendable, CaseIterable {
    /// The app gets it.
    case giveBack
    /// A refresh, whatever the token was.
    case refresh
    /// A refresh only if the rejected token is still the current one; otherwise the call is just resent.
    case refreshUnlessSuperseded
  }

  /// When a refresh is due without a call.
  public enum Schedule: Equatable, Sendable {
    /// Never.
    case none
    /// Once for each pair, `margin` before its end but no sooner than `floor` after it was read, and up to
    /// `jitter` earlier.
    case oneShot(margin: Duration, floor: Duration, jitter: Duration)
    /// The same, but armed only by the sign-in and by the success of the one before.
    case chain(margin: Duration, floor: Duration, jitter: Duration)
    /// Every so often, from `first` after the sign-in, if no more than `threshold` is left.
    case tick(every: Duration, first: Duration, threshold: Duration)
  }

  /// How concurrent refreshes meet.
  public enum Merge: Equatable, Sendable, CaseIterable {
    /// They do not: each caller that needs a refresh sends one.
    case none
    /// One after the other, each caller with a refresh of its own.
    case queue
    /// One after the other; who comes next first looks whether it still needs one.
    case queueRechecking
    /// Callers share the refresh that is running.
    case singleFlight
  }

  /// Who owns a refresh that callers share.
  public enum Owner: Equatable, Sendable, CaseIterable {
    /// A coordinator that outlives every call.
    case coordinator
    /// The call that began it: cancelled with it, after which those who waited start anew.
    case startingCall
  }

  /// When the next refresh may start.
  public enum SlotCleared: Equatable, Sendable, CaseIterable {
    /// When the new pair is in the store.
    case afterStore
    /// As soon as the answer is read.
    case beforeStore
  }

  /// What a call that waits for a refresh does when it is cancelled.
  public enum Waiters: Equatable, Sendable, CaseIterable {
    /// It ends when the refresh does.
    case stay
    /// It ends at once.
    case leave
  }

  /// Whether refreshes before use and after a 401 share one flight.
  public enum Flights: Equatable, Sendable, CaseIterable {
    /// They do.
    case one
    /// Each path has its own.
    case perPath
  }

  /// Which refresh token a refresh presents.
  public enum Presents: Equatable, Sendable, CaseIterable {
    /// The one in memory when the refresh starts.
    case held
    /// The one that was in memory when the call started.
    case captured
  }

  /// The way that a refresh request takes.
  public enum RefreshRequest: Equatable, Sendable, CaseIterable {
    /// Past the client that refreshes on an error.
    case direct
    /// Through it.
    case throughClient
  }

  /// The most refreshes in a stretch of time.
  public struct Quota: Equatable, Sendable {
    /// How many.
    public let refreshes: Int
    /// In the last so long.
    public let window: Duration

    /// At most so many refreshes in the last so long.
    public init(refreshes: Int, window: Duration) {
      self.refreshes = refreshes
      self.window = window
    }
  }

  /// When a refresh may be retried.
  public enum RetriesWhile: Equatable, Sendable, CaseIterable {
    /// At any time.
    case always
    /// While the background task is held.
    case protected
  }

  /// What keeps the app running while a refresh is in flight.
  public enum Protection: Equatable, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// A background task from the moment a refresh is needed to the write of its pair.
    case backgroundTask
    /// The system carries the request on, and hands the answer over whenever the process next runs.
    case backgroundTransfer
  }

  /// Which answers of a refresh are taken.
  public enum Accept: Equatable, Sendable, CaseIterable {
    /// All of them: the last write wins.
    case always
    /// Those of a refresh that began in the session that is still on.
    case ifSessionUnchanged
    /// Those of a refresh that was sent later than the one that gave the pair in memory.
    case ifSentLater
    /// Those whose token ends later than the one in memory, by the server's stamp.
    case ifIssuedLater
  }

  /// When a new pair is written.
  public enum Persist: Equatable, Sendable, CaseIterable {
    /// Before it is used.
    case beforeUse
    /// While it is used.
    case writeThrough
    /// Not at all.
    case never
  }

  /// What becomes of a token that lives no longer than the margin.
  public enum ShortLived: Equatable, Sendable, CaseIterable {
    /// It is stored and used.
    case use
    /// The call fails, and the pair is not stored.
    case failBeforeStoring
  }

  /// A kind of failure of a refresh.
  public enum Failure: Equatable, Sendable, CaseIterable {
    /// The connection was lost, or there was none.
    case transport
    /// No answer came in time.
    case timeout
    /// The call that owned the refresh was cancelled.
    case cancelled
    /// 403.
    case forbidden
    /// 429.
    case tooManyRequests
    /// Another 4xx.
    case clientError
    /// A 5xx.
    case serverError
    /// An answer that cannot be read.
    case malformed
    /// `invalid_grant`.
    case invalidGrant
  }

  /// What a failure of a refresh leads to.
  public enum Reaction: Equatable, Sendable, CaseIterable {
    /// The session stays, and the calls that waited fail.
    case keep
    /// It is tried again as often as there are pauses for it; then the session stays, unless it was rejected.
    case retry
    /// The session ends.
    case endSession
  }

  /// What each kind of failure leads to.
  public struct FailureTable: Equatable, Sendable {
    /// The connection was lost, or there was none.
    public var transport = Reaction.retry
    /// No answer came in time.
    public var timeout = Reaction.retry
    /// The call that owned the refresh was cancelled.
    public var cancelled = Reaction.keep
    /// 403.
    public var forbidden = Reaction.keep
    /// 429.
    public var tooManyRequests = Reaction.retry
    /// Another 4xx.
    public var clientError = Reaction.keep
    /// A 5xx.
    public var serverError = Reaction.retry
    /// An answer that cannot be read.
    public var malformed = Reaction.keep
    /// `invalid_grant`.
    public var invalidGrant = Reaction.endSession

    /// Only a rejection ends the session.
    public init() {}

    /// What a kind of failure leads to.
    public subscript(failure: Failure) -> Reaction {
      switch failure {
      case .transport: transport
      case .timeout: timeout
      case .cancelled: cancelled
      case .forbidden: forbidden
      case .tooManyRequests: tooManyRequests
      case .clientError: clientError
      case .serverError: serverError
      case .malformed: malformed
      case .invalidGrant: invalidGrant
      }
    }
  }

  /// What a call does whose refresh before use failed.
  public enum AfterFailedCheck: Equatable, Sendable, CaseIterable {
    /// It fails.
    case failCall
    /// It uses the pair if that has not ended in the eyes of the client.
    case useTrusted
  }

  /// What a rejection leads to.
  public enum Rejection: Equatable, Sendable, CaseIterable {
    /// The session ends.
    case endSession
    /// If memory or the store has another pair than the one presented, that is used; otherwise the session ends.
    case adoptNewer
    /// The call is sent again, and its 401 refreshes again, as often as it may be resent; then the session ends.
    case resend
  }

  /// Whose rejection may end the session.
  public enum EndsSession: Equatable, Sendable, CaseIterable {
    /// That of any refresh.
    case anyone
    /// Only that of a refresh which presented the current pair.
    case presenterOfCurrent
  }

  /// What becomes of the pair when the session ends.
  public enum AfterRejection: Equatable, Sendable, CaseIterable {
    /// It is cleared, so that later calls fail without a request.
    case clearPair
    /// It stays, and every later call tries again.
    case keepPair
  }

  /// How often the app is told of a sign-out.
  public enum Notices: Equatable, Sendable, CaseIterable {
    /// Once per session.
    case once
    /// Once per call that fails of it.
    case perFailedCall
  }

  /// What becomes of a refresh that runs as the person signs out.
  public enum OnSignOut: Equatable, Sendable, CaseIterable {
    /// It goes on.
    case leaveRefresh
    /// It is cancelled.
    case cancelRefresh
  }

  /// Where a retry of calls lies.
  public enum Placement: Equatable, Sendable, CaseIterable {
    /// Each try passes through authentication again.
    case outside
    /// Each try repeats the request with the same token.
    case inside
  }
}
