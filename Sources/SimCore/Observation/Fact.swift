/// Something that happened in a run, in the words of the domain.
///
/// Facts are told once, in the order in which they happen; metrics, invariants, fingerprints, and traces
/// are folds over them. Each is told of a process, the first where it concerns none; calls and refreshes go by
/// their numbers in the process, from 1.
public enum Fact: Sendable {
  /// The server minted the first pair of a family of this person.
  case familyBegan(TokenFamily, RefreshToken, AccessToken, user: Int32)
  /// The client read the first pair.
  case signedIn(RefreshToken, AccessToken)
  /// The person opened the screen.
  case screenOpened
  /// The person left the app.
  case appLeft
  /// The system stopped the app's code.
  case appSuspended
  /// The person came back; `afterSuspension` if the app's code had been stopped.
  case appReturned(afterSuspension: Bool)
  /// A background task kept the app running when it would have been suspended.
  case suspensionHeldOff
  /// The background task used up its budget.
  case backgroundTaskExpired
  /// The device lost its network, or has it back.
  case networkChanged(isOnline: Bool)
  /// A message meets no network.
  case networkMissing
  /// The process started, with nothing in its memory.
  case processLaunched
  /// The process is gone with its memory; `byPerson` if the person ended it.
  case processKilled(byPerson: Bool)
  /// The system runs the process in the background.
  case wokenInBackground
  /// The device was locked.
  case deviceLocked
  /// The device was unlocked.
  case deviceUnlocked
  /// The device started anew.
  case deviceRebooted
  /// The process read this pair in its store, or nothing.
  case storeRead(RefreshToken?)
  /// The process could not read its store.
  case storeUnreadable
  /// The process removed the pair from its store.
  case storeCleared
  /// Something other than a client wrote the pair with this refresh token into the store of the process.
  case storeOverwritten(RefreshToken)
  /// The process recorded a refresh with this token before it sent it.
  case refreshRecorded(RefreshToken)
  /// The process holds the lock of its store.
  case lockTaken
  /// The process waits for the lock that another holds.
  case lockAwaited
  /// The process gave the lock up.
  case lockReleased
  /// The system has the answer of a refresh for a process that did not run.
  case transferDelivered(Int32)
  /// The device's wall clock was set forward by this many nanoseconds.
  case clockStepped(nanoseconds: Int64)

  /// The app started a call.
  case callStarted(Int32)
  /// The call has to wait for a refresh.
  case callWaits(Int32)
  /// The call rests for so many nanoseconds by the device's clock before it is tried again.
  case callPaused(Int32, nanoseconds: Int64)
  /// The app no longer wants the call.
  case callCancelled(Int32)
  /// A message has to wait for a connection to open.
  case connectionOpens
  /// An attempt of the call was sent with this token, or with none.
  case attemptSent(Int32, attempt: Int32, AccessToken?)
  /// The attempt reached the resource server, which answers so.
  case attemptJudged(Int32, attempt: Int32, AccessToken?, APIStatus)
  /// The attempt, or its answer, was lost on its way.
  case attemptLost(Int32, attempt: Int32, Leg)
  /// The client read the answer.
  case attemptAnswered(Int32, attempt: Int32, APIStatus)
  /// The attempt ended without an answer, as the client saw it.
  case attemptFailed(Int32, attempt: Int32, RequestFailure)
  /// The call ended.
  case callEnded(Int32, CallOutcome)
  /// Nothing is left to happen, and the call is still open.
  case callStuck(Int32)

  /// A refresh that presents this token was sent.
  case refreshSent(Int32, RefreshToken)
  /// It reached the authorization server.
  case refreshArrived(Int32, RefreshToken)
  /// The authorization server committed it, or refused it.
  case refreshJudged(Int32, RefreshToken, Judgement)
  /// The request, or its answer, was lost on its way.
  case refreshLost(Int32, Leg)
  /// The client read the answer: tokens, or an error.
  case refreshAnswered(Int32, TokenError?)
  /// The refresh ended without an answer, as the client saw it.
  case refreshFailed(Int32, RequestFailure)
  /// The client gave the refresh up.
  case refreshAbandoned(Int32)
  /// The client cut the chain in which the request of a refresh asked for a refresh.
  case refreshChainCut
  /// The server revoked the family.
  case familyRevoked(TokenFamily, Revocation)
  /// The server ended an access token before its time.
  case accessTokenEnded(AccessToken)

  /// The pair with this refresh token is in the store; `stale` if it replaced a newer one.
  case pairStored(RefreshToken, stale: Bool)
  /// The pair with this refresh token could not be written.
  case pairNotStored(RefreshToken)
  /// A write of the pair with this refresh token was lost as the process was killed.
  case writeLost(RefreshToken)
  /// The pair that is stored is of one person, and the session there of another.
  case pairCrossed(RefreshToken)
  /// The process dropped its session unasked; `needlessly` if the server would still have accepted a
  /// refresh token in the device's memory or store.
  case signedOut(ClientEffect.SignOutReason, needlessly: Bool)
  /// The app was told that the session is gone.
  case signOutNotified
  /// The person signed out.
  case signedOutByPerson

  /// At the end of the run, how long after its exchange a spent token would still have been answered, in
  /// nanoseconds; nil if there was no end to it.
  case exposureKnown(RefreshToken, nanoseconds: Int64?)

  /// What the authorization server did with a refresh.
  public enum Judgement: Sendable {
    /// A live token gave this new pair. `lifeLeft` is what remained of the lifetime of the presented pair's
    /// access token, in billionths.
    case rotated(RefreshToken, AccessToken, lifeLeft: Int64)
    /// A live token gave a new access token and stays.
    case reissued(AccessToken)
    /// A spent token was answered with these; `forked` if the refresh token is new.
    case graced(RefreshToken, AccessToken, forked: Bool)
    /// The token is no longer good; `reuse` if it was spent.
    case rejected(reuse: Bool)
    /// Another error, or no answer at all, and no new pair.
    case refused(TokenError?)
  }

  /// A message of an exchange.
  public enum Leg: Sendable {
    /// From the device to the server.
    case request
    /// From the server to the device.
    case answer
  }

  /// Why a family was revoked.
  public enum Revocation: Sendable {
    /// A spent token was presented.
    case reuse
    /// An administrator or a sign-out asked for it.
    case request
  }

  /// Whether the fact is something that a server sees or does.
  public var isAtServer: Bool {
    switch self {
    case .familyBegan, .attemptJudged, .refreshArrived, .refreshJudged, .familyRevoked,
      .accessTokenEnded:
      true
    default: false
    }
  }
}
