/// How long a client trusts a pair, and how wrong it is.
///
/// Both follow from the clock, the way in which the client works out the end of a token, and three lengths
/// of time of the exchange that returned the pair. All in nanoseconds.
package struct TrustedTime: Sendable {
  private let lifetime: Int64
  private let expiresIn: Int64
  private let basis: ExpiryBasis
  private let clock: DeviceClock

  package init(lifetime: Duration, basis: ExpiryBasis, clock: DeviceClock) {
    self.lifetime = lifetime.nanoseconds
    expiresIn = lifetime.components.seconds * 1_000_000_000
    self.basis = basis
    self.clock = clock
  }

  /// The true instant at which the client believes that the token ends.
  ///
  /// - Parameters:
  ///   - sent: when the request for the pair was sent.
  ///   - minted: when the server minted it.
  ///   - read: when the client read the answer.
  ///   - date: the `Date` of the answer, by the server's clock.
  /// - Returns: the instant, before `read` if the client never trusts the token.
  package func believedEnd(
    sent: Instant, minted: Instant, read: Instant, date: WallTime
  ) -> Instant {
    let end: Int64 =
      switch basis {
      case .absolute: minted.nanoseconds &+ lifetime
      case .receivedAt: clock.reading(at: read).nanoseconds &+ expiresIn
      case .sentAt: clock.reading(at: sent).nanoseconds &+ expiresIn
      case .absoluteCorrected:
        minted.nanoseconds &+ lifetime
          &+ (clock.reading(at: read).nanoseconds &- date.nanoseconds)
      }
    return clock.instant(showing: WallTime(nanoseconds: end))
  }
}
