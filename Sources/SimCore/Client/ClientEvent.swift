/// A call of the app to its own servers, named by its number within the process.
public struct CallID: Hashable, Sendable, BitwiseCopyable {
  /// The number of the call in its process, from 1.
  public let number: Int32
  /// A small number that no other open call of the process has, for use as an array index.
  public let slot: Int32

  package init(number: Int32, slot: Int32) {
    self.number = number
    self.slot = slot
  }
}

/// What the app knows of a call before it starts it.
public struct CallTraits: Hashable, Sendable, BitwiseCopyable {
  /// Whether the call carries an access token; false for a login or a public page.
  public var needsToken: Bool
  /// Calls with the same key ask for the same; 0 for a call like no other.
  public var key: Int32

  /// A call like no other that carries an access token, unless told otherwise.
  public init(needsToken: Bool = true, key: Int32 = 0) {
    self.needsToken = needsToken
    self.key = key
  }
}

/// A refresh request, named by the client that sends it.
///
/// A name may be reused after its answer.
public struct RefreshID: Hashable, Sendable, BitwiseCopyable {
  /// The name.
  public let slot: Int32

  /// A refresh request with this name.
  public init(slot: Int32) {
    self.slot = slot
  }
}

/// A reading of the store, named by the client that asks for it.
public struct StoreReadID: Hashable, Sendable, BitwiseCopyable {
  /// The name.
  public let name: Int32

  /// A reading with this name.
  public init(name: Int32) {
    self.name = name
  }
}

/// A timer, named by the client that sets it.
public struct TimerID: Hashable, Sendable, BitwiseCopyable {
  /// The name.
  public let name: Int64

  /// A timer with this name.
  public init(name: Int64) {
    self.name = name
  }
}

/// What a resource server answers, as far as a client can tell.
public enum APIStatus: Sendable, BitwiseCopyable, CaseIterable {
  /// 200: the token was accepted.
  case ok
  /// 401: it was not (RFC 6750, 3.1).
  case unauthorized
  /// 403.
  case forbidden
  /// 429: too many requests (RFC 6585).
  case tooManyRequests
  /// Any other 4xx.
  case clientError
  /// A 5xx.
  case serverError
  /// A 200 whose body cannot be read.
  case malformed
}

/// Why a request ended without an answer, as far as the client can tell.
public enum RequestFailure: Sendable, BitwiseCopyable, CaseIterable {
  /// The connection was lost, or there was none.
  case transport
  /// No answer came within the client's timeout.
  case timeout
}

/// How a call ended.
public enum CallOutcome: Sendable, BitwiseCopyable, CaseIterable {
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
  /// Because the app cancelled it.
  case cancelled
  /// With a 403, its own or that of the refresh.
  case forbidden
  /// With a 429, its own or that of the refresh.
  case tooManyRequests
  /// With another 4xx, its own or that of the refresh.
  case clientError
  /// With a 5xx, its own or that of the refresh.
  case serverError
  /// With an answer that cannot be read, its own or that of the refresh.
  case malformed
  /// Because the client has no token that it would use and allows itself no refresh.
  case noUsableToken
}

/// Something that a client learns.
public enum ClientEvent: Sendable, BitwiseCopyable {
  /// The person has signed in; the login was sent so long before, by the device's clock.
  case signedIn(TokenResponse, afterNanoseconds: Int64)
  /// The person signs out.
  case signOutRequested
  /// The app starts a call.
  case callStarted(CallID, CallTraits)
  /// The last attempt of a call was answered.
  case callAnswered(CallID, APIStatus)
  /// The last attempt of a call failed.
  case callFailed(CallID, RequestFailure)
  /// The app no longer wants a call; a request that is under way for it is abandoned.
  case callCancelled(CallID)
  /// The pause of a ``ClientEffect/pause(_:nanoseconds:)`` is over.
  case pauseEnded(CallID)
  /// The app orders a refresh, whatever the age of the token.
  case refreshOrdered
  /// A refresh was answered.
  case refreshAnswered(RefreshID, TokenReply)
  /// A refresh failed without an answer.
  case refreshFailed(RefreshID, RequestFailure)
  /// The pair that this refresh returned is in the store.
  case stored(RefreshID)
  /// The time that a ``ClientEffect/setTimer(_:nanoseconds:_:)`` asked for has passed.
  case timerFired(TimerID)
  /// The system ends the background task; the app is suspended next.
  case backgroundTaskExpired
  /// The process has started and remembers nothing; its pair, if there is one, is in its store.
  case launched
  /// The code of the process runs again after a suspension.
  case resumed
  /// The device was unlocked, so the store can be read.
  case unlocked
  /// A reading of the store is over.
  case storeRead(StoreReadID, StoreContent)
  /// The pair that this refresh returned could not be written.
  case storeFailed(RefreshID)
  /// Another process has cleared the store that it shares with this one.
  case storeCleared
  /// The lock that was asked for is held now.
  case lockGranted
  /// The system started the process, or woke it, with the answer to a refresh that it carried on without it.
  case transferDelivered(TokenReply)
}
