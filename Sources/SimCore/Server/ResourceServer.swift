/// The server of the app's own data, which accepts or refuses a bearer token (RFC 6750).
struct ResourceServer {
  private let leeway: Int64

  init(_ policy: ServerPolicy) {
    leeway = policy.leeway.nanoseconds
  }

  /// Whether `token` is accepted when it arrives `now`: strictly before its end plus the leeway.
  func accepts(_ token: AccessToken, _ ledger: TokenLedger, at now: Instant) -> Bool {
    let record = ledger[token]
    guard !record.isEnded, !ledger[record.family].accessEnded else { return false }
    return now.nanoseconds - record.expiry.nanoseconds < leeway
  }
}
