/// When older access tokens end, made ready for use.
struct AccessRule {
  private enum Overlap {
    case unlimited
    case lasting(Int64)
    case untilAccessUsed
    case untilRefreshUsed
  }

  private let overlap: Overlap
  private let mostLive: Int

  init(_ policy: ServerPolicy) {
    overlap =
      switch policy.oldAccessOverlap {
      case .unlimited: .unlimited
      case .lasting(let length): .lasting(length.nanoseconds)
      case .untilNewAccessUsed: .untilAccessUsed
      case .untilNewRefreshUsed: .untilRefreshUsed
      }
    mostLive = policy.maxLiveAccess ?? .max
  }

  /// Whether the acceptance of an access token ends others.
  var heedsAcceptance: Bool {
    if case .untilAccessUsed = overlap { true } else { false }
  }

  /// Notes that an access token was accepted.
  func noteAcceptance(of access: AccessToken, _ ledger: inout TokenLedger, at now: Instant) {
    if case .untilAccessUsed = overlap { ledger.endReplaced(by: access, at: now) }
  }

  /// Notes that a refresh token, with which this access token was minted, is exchanged.
  func noteExchange(of access: AccessToken, _ ledger: inout TokenLedger, at now: Instant) {
    if case .untilRefreshUsed = overlap { ledger.endReplaced(by: access, at: now) }
  }

  /// Notes that a refresh gave a new access token in place of an older one.
  func noteReplacement(
    of older: AccessToken, by new: AccessToken, _ ledger: inout TokenLedger, at now: Instant
  ) {
    switch overlap {
    case .unlimited: break
    case .lasting(let length):
      ledger.end(older, at: Instant(nanoseconds: now.nanoseconds + length))
    case .untilAccessUsed, .untilRefreshUsed: ledger[new].replaces = older
    }
  }

  /// Spends the unspent children of a token; their access tokens are older ones from now on.
  ///
  /// - Returns: the newest of these access tokens; nil if there are none.
  func supersedeChildren(
    of token: RefreshToken, _ ledger: inout TokenLedger, _ write: TokenLedger.Write
  ) -> AccessToken? {
    let newest = ledger.supersedeChildren(of: token, write)
    if case .lasting(let length) = overlap {
      var access = newest
      while let older = access {
        ledger.end(older, at: Instant(nanoseconds: write.now.nanoseconds + length))
        access = ledger[older].replaces
      }
    }
    return newest
  }

  /// Drops the oldest access tokens of a family beyond the limit.
  @inline(__always)
  func limit(_ family: TokenFamily, _ ledger: inout TokenLedger, at now: Instant) {
    if mostLive < .max { ledger.dropOldestAccess(of: family, beyond: mostLive, at: now) }
  }
}
