/// What a client asks for, in order.
public typealias ClientEffects = ReusableArray<ClientEffect>

/// Something that a client asks for.
public enum ClientEffect: Sendable {
  /// Sends the next attempt of a call with this token.
  case send(CallID, AccessToken)
  /// Lets a call wait for a refresh. For the record only; the client remembers the call itself.
  case wait(CallID)
  /// Ends a call.
  case finish(CallID, CallOutcome)
  /// Sends a refresh request that presents this token.
  case refresh(RefreshID, presenting: RefreshToken)
  /// Writes the pair that this refresh returned to the store.
  case store(RefreshID, TokenResponse)
  /// Removes the pair from the store.
  case clearStore
  /// Fires a timer after this time by the device's clock.
  case setTimer(RefreshID, nanoseconds: Int64)
  /// Begins a background task, unless one is held.
  case holdBackgroundTask
  /// Ends the background task.
  case releaseBackgroundTask
  /// Drops the session, unasked by the person.
  case endSession
  /// Tells the app that the session is gone.
  case notifySignOut
}
