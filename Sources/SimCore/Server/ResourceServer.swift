/// The server of the app's own data, which accepts or refuses a bearer token (RFC 6750).
struct ResourceServer {
  private let leeway: Int64
  private let propagation: Int64

  init(_ policy: ServerPolicy) {
    leeway = policy.leeway.nanoseconds
    propagation = policy.propagation.nanoseconds
  }

  /// Whether `token` is accepted when it arrives `now`: strictly before its end plus the leeway, and before this
  /// server has learnt that it was ended.
  @inline(__always)
  func accepts(_ token: AccessToken, _ ledger: borrowing TokenLedger, at now: Instant) -> Bool {
    let record = ledger[token]
    guard now.nanoseconds - record.expiry.nanoseconds < leeway else { return false }
    return !knows(record.endedAt, at: now)
      && !knows(ledger[record.family].accessEndedAt, at: now)
  }

  @inline(__always)
  private func knows(_ end: Instant?, at now: Instant) -> Bool {
    guard let end else { return false }
    return now.nanoseconds - end.nanoseconds >= propagation
  }
}
