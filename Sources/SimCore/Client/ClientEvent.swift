/// A call of the app to its own servers, named by its number within the process.
public struct CallID: Hashable, Sendable {
  /// The number of the call in its process, from 1.
  public let number: Int32
  /// A small number that no other open call of the process has, for use as an array index.
  public let slot: Int32

  package init(number: Int32, slot: Int32) {
    self.number = number
    self.slot = slot
  }
}

/// A refresh request, named by the client that sends it.
///
/// A name may be reused after its answer.
public struct RefreshID: Hashable, Sendable {
  /// The name.
  public let slot: Int32

  /// A refresh request with this name.
  public init(slot: Int32) {
    self.slot = slot
  }
}

/// What a resource server answers.
public enum APIStatus: Sendable {
  /// 200: the token was accepted.
  case ok
  /// 401: it was not (RFC 6750, 3.1).
  case unauthorized
}

/// Why a request ended without an answer, as far as the client can tell.
public enum RequestFailure: Sendable, CaseIterable {
  /// The connection was lost.
  case transport
  /// No answer came within the client's timeout.
  case timeout
}

/// How a call ended.
public enum CallOutcome: Sendable, CaseIterable {
  /// With a 200.
  case succeeded
  /// With a 401 that the client gave back to the app.
  case unauthorized
  /// Because there is no session, or the refresh was rejected.
  case signedOut
  /// Because a request failed in transport.
  case transport
  /// Because a request timed out.
  case timeout
}

/// Something that a client learns.
public enum ClientEvent: Sendable {
  /// The person has signed in; `requestedAt` is the device's time when the login was sent.
  case signedIn(requestedAt: WallTime, TokenResponse)
  /// The app starts a call.
  case callStarted(CallID)
  /// The last attempt of a call was answered.
  case callAnswered(CallID, APIStatus)
  /// The last attempt of a call failed.
  case callFailed(CallID, RequestFailure)
  /// A refresh was answered.
  case refreshAnswered(RefreshID, TokenReply)
  /// A refresh failed without an answer.
  case refreshFailed(RefreshID, RequestFailure)
  /// The pair that this refresh returned is in the store.
  case stored(RefreshID)
  /// The time that a ``ClientEffect/setTimer(_:nanoseconds:)`` asked for has passed.
  case timerFired(RefreshID)
  /// The system ends the background task; the app is suspended next.
  case backgroundTaskExpired
}
