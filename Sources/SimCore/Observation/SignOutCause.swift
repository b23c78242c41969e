/// Why a session ended unasked: the first of these that fits.
public enum SignOutCause: Int, CaseIterable, Sendable, BitwiseCopyable {
  /// The client took another failure, or a store that it could not read, for the end of the session.
  case mistakenError
  /// The refresh token had reached its end.
  case endOfLife
  /// An administrator or a sign-out had revoked the session.
  case revokedElsewhere
  /// The process had presented the token in another refresh that was still in flight.
  case concurrentDuplicate
  /// Another process of the device had presented the token.
  case otherProcess
  /// Another device had presented the token.
  case otherDevice
  /// The server answered two overlapping exchanges of the token and kept only one.
  case serverRace
  /// The answer of the exchange that spent the token was lost on its way.
  case lostAnswer
  /// The client had given up waiting for that answer.
  case clientTimeout
  /// The exchange had been cancelled.
  case cancelled
  /// The app was suspended when that answer came, whether or not the system killed it later.
  case suspension
  /// The process was killed before it read the answer, or before it stored what it read.
  case kill
  /// The process had the successor and presented a token that it had captured before.
  case outdatedToken
  /// The process had read the successor, but the write to the store failed.
  case lostWrite
  /// The process had stored the successor, and an older pair overwrote it.
  case staleWrite

  /// The name in files and reports.
  public var name: String { String(describing: self) }
}
