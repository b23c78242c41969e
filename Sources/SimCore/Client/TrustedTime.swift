/// How long a client trusts a pair: a matter of its clock and of how it works out the end of a token.
package struct TrustedTime: Sendable {
  private let basis: ExpiryBasis
  private let clock: DeviceClock

  package init(basis: ExpiryBasis, clock: DeviceClock) {
    self.basis = basis
    self.clock = clock
  }

  /// The true instant at which the client believes that an access token ends.
  ///
  /// - Parameters:
  ///   - response: the answer that brought the token.
  ///   - sent: when the client asked for it.
  ///   - read: when the client read it.
  /// - Returns: the instant, before `read` if the client never trusts the token.
  package func believedEnd(of response: TokenResponse, sent: Instant, read: Instant) -> Instant {
    let expiresIn = Int64(response.expiresIn) * 1_000_000_000
    let end: Int64 =
      switch basis {
      case .absolute: response.expiry.nanoseconds
      case .receivedAt: clock.reading(at: read).nanoseconds &+ expiresIn
      case .sentAt: clock.reading(at: sent).nanoseconds &+ expiresIn
      case .absoluteCorrected:
        response.expiry.nanoseconds
          &+ (clock.reading(at: read).nanoseconds &- response.date.nanoseconds)
      }
    return clock.instant(showing: WallTime(nanoseconds: end))
  }
}
