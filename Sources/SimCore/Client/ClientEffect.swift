/// What a client asks for, in order.
public typealias ClientEffects = ReusableArray<ClientEffect>

/// Something that a client asks for.
public enum ClientEffect: Sendable, BitwiseCopyable {
  /// What a timer is for.
  public enum TimerPurpose: Sendable, BitwiseCopyable {
    /// Work that has begun, which goes on after the horizon.
    case work
    /// Work that is yet to begin, which does not begin at or after the horizon.
    case schedule
  }

  /// Why a client drops its session.
  public enum SignOutReason: Sendable, BitwiseCopyable, CaseIterable {
    /// A refresh was answered `invalid_grant`.
    case rejected
    /// A refresh failed in another way that the client takes for the end.
    case failed
    /// The store could not be read, or held nothing.
    case storeWithoutPair
  }

  /// Sends the next attempt of a call with this token, or with none.
  case send(CallID, AccessToken?)
  /// Lets a call wait for a refresh. For the record only; the client remembers the call itself.
  case wait(CallID)
  /// Lets a call rest before it is tried again, by the device's clock.
  case pause(CallID, nanoseconds: Int64)
  /// Ends a call.
  case finish(CallID, CallOutcome)
  /// Sends a refresh request that presents this token.
  case refresh(RefreshID, presenting: RefreshToken)
  /// Waits no longer for the answer of a refresh, which is not recalled if it has left the device.
  case abandonRefresh(RefreshID)
  /// Ends a chain in which the request of a refresh asked for a refresh. For the record only.
  case cutRefreshChain
  /// Writes the pair that this refresh returned to the store, with the believed end of its access token.
  case store(RefreshID, AccessToken?, RefreshToken, believedEnd: Int64)
  /// Writes the pair of a login to the store, which takes no time and is not told of.
  case storeLogin(AccessToken?, RefreshToken, believedEnd: Int64)
  /// Asks for what is in the store.
  case readStore(StoreReadID)
  /// Records in the store that a refresh with the pair there has begun; the next pair that is written ends it.
  case recordRefresh
  /// Asks for the lock of the processes.
  case acquireLock
  /// Gives the lock up.
  case releaseLock
  /// Removes the pair from the store.
  case clearStore
  /// Asks the server to revoke the session of this token (RFC 7009).
  case revoke(RefreshToken)
  /// Fires a timer after this time by the device's clock.
  case setTimer(TimerID, nanoseconds: Int64, TimerPurpose)
  /// Begins a background task, unless one is held.
  case holdBackgroundTask
  /// Ends the background task.
  case releaseBackgroundTask
  /// Drops the session, unasked by the person.
  case endSession(SignOutReason)
  /// Tells the app that the session is gone.
  case notifySignOut
}
