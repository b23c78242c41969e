/// The token endpoint, judging each exchange at its commit.
struct AuthorizationServer {
  /// What an exchange did to the server's store.
  enum Outcome {
    /// A live refresh token gave a new pair. `lifeLeft` is the share of its access token's lifetime
    /// that remained, in billionths.
    case rotated(TokenResponse, lifeLeft: Int64)
    /// A live refresh token gave a new access token and stays.
    case reissued(TokenResponse)
    /// A spent refresh token was answered; `forked` if that minted a refresh token.
    case graced(TokenResponse, forked: Bool)
    /// `invalid_grant`; `reuse` if the token was spent, and `revoked` if that ended the family now.
    case rejected(reuse: Bool, revoked: TokenFamily?)
  }

  private let lifetime: Int64
  private let expiresIn: Int32
  private let rotation: Rotation
  private let grace: Grace
  private let reuse: ServerPolicy.ReuseReaction
  private let revocationEndsAccess: Bool

  private enum Rotation {
    case always
    case never
    case whenLeftBelow(Int64)
  }

  private struct Grace {
    let window: Int64
    let uses: Int32
    let start: ServerPolicy.Grace.Start
    let untilUse: ServerPolicy.Grace.UntilUse
    let reply: ServerPolicy.Grace.Reply
  }

  init(_ policy: ServerPolicy) {
    lifetime = policy.lifetime.nanoseconds
    expiresIn = Int32(clamping: policy.lifetime.components.seconds)
    rotation =
      switch policy.rotation {
      case .always: .always
      case .never: .never
      case .usedFraction(let share): .whenLeftBelow(Int64(Double(lifetime) * (1 - share)))
      case .remainingBelow(let left): .whenLeftBelow(left.nanoseconds)
      }
    let window: Int64 =
      switch policy.parentGrace.window {
      case .lasting(let window): window.nanoseconds
      case .unlimited: .max
      }
    let uses: Int32 =
      switch policy.parentGrace.uses {
      case .atMost(let uses): Int32(clamping: uses)
      case .unlimited: .max
      }
    grace = Grace(
      window: window, uses: uses, start: policy.parentGrace.start,
      untilUse: policy.parentGrace.untilUse, reply: policy.parentGrace.reply)
    reuse = policy.reuse
    revocationEndsAccess = policy.reuseKillsAccess
  }

  /// A login: begins a family and answers with its first pair.
  func login(_ ledger: inout TokenLedger, at now: Instant) -> TokenResponse {
    let (refresh, access) = ledger.begin(at: now, lifetime: lifetime)
    return response(access, refresh, ledger)
  }

  /// Judges the exchange of `token` that commits `now`.
  func exchange(_ token: RefreshToken, _ ledger: inout TokenLedger, at now: Instant) -> Outcome {
    let record = ledger[token]
    let isSpent = record.spentAt != nil
    guard ledger[record.family].revokedAt == nil else {
      return .rejected(reuse: isSpent, revoked: nil)
    }
    noteUse(ofChild: record, &ledger, at: now)
    if !isSpent { return exchangeLive(token, record, &ledger, at: now) }
    if graceCovers(record, ledger, at: now) { return answerSpent(token, &ledger, at: now) }
    switch reuse {
    case .rejectOnly:
      return .rejected(reuse: true, revoked: nil)
    case .revokeFamily, .revokeUserClient:
      revoke(record.family, &ledger, at: now)
      return .rejected(reuse: true, revoked: record.family)
    }
  }

  /// Whether an exchange of `token` would be answered with tokens if it committed `now`.
  func wouldAnswer(_ token: RefreshToken, _ ledger: TokenLedger, at now: Instant) -> Bool {
    let record = ledger[token]
    guard ledger[record.family].revokedAt == nil else { return false }
    return record.spentAt == nil || graceCovers(record, ledger, at: now)
  }

  /// Ends a family, and its access tokens where the policy says so.
  func revoke(_ family: TokenFamily, _ ledger: inout TokenLedger, at now: Instant) {
    ledger[family].revokedAt = now
    if revocationEndsAccess { ledger[family].accessEnded = true }
  }

  /// Whether any spent token is ever answered.
  var hasGrace: Bool { grace.window > 0 }

  /// Whether the acceptance of an access token changes what becomes of a refresh token.
  var heedsAcceptance: Bool { grace.untilUse != .no }

  /// Ends the grace of the parent of the refresh token that an accepted access token was minted with.
  func noteAcceptance(of access: AccessToken, _ ledger: inout TokenLedger, at now: Instant) {
    endGrace(ofParentOf: ledger[ledger[access].mintedWith], &ledger, at: now)
  }

  /// How long after its exchange a spent token would still have been answered, in nanoseconds; nil without end.
  func exposure(of record: TokenLedger.RefreshRecord, _ ledger: TokenLedger) -> Int64? {
    guard let spentAt = record.spentAt, grace.window > 0 else { return 0 }
    let start = graceStart(record, ledger, spentAt: spentAt)
    let windowEnd = grace.window == .max ? nil : start.advanced(byNanoseconds: grace.window)
    let lastUse = record.gracedUses >= grace.uses ? record.lastUsedAt : nil
    let ends = [
      windowEnd, lastUse, record.graceEndedAt, record.childrenSpentAt,
      ledger[record.family].revokedAt,
    ]
    let end = ends.compactMap(\.self).min()
    return end.map { max(0, $0.nanoseconds - spentAt.nanoseconds) }
  }

  private func noteUse(
    ofChild record: TokenLedger.RefreshRecord, _ ledger: inout TokenLedger, at now: Instant
  ) {
    if grace.untilUse == .anyUse { endGrace(ofParentOf: record, &ledger, at: now) }
  }

  private func endGrace(
    ofParentOf record: TokenLedger.RefreshRecord, _ ledger: inout TokenLedger, at now: Instant
  ) {
    guard let parent = record.parent, ledger[parent].graceEndedAt == nil else { return }
    ledger[parent].graceEndedAt = now
  }

  private func exchangeLive(
    _ token: RefreshToken, _ record: TokenLedger.RefreshRecord, _ ledger: inout TokenLedger,
    at now: Instant
  ) -> Outcome {
    let left = max(0, ledger[record.access].expiry.nanoseconds - now.nanoseconds)
    ledger[record.family].lastRefreshAt = now
    ledger[token].lastUsedAt = now
    if rotates(lifeLeft: left) {
      let (child, access) = ledger.mintChild(of: token, at: now, lifetime: lifetime)
      ledger.spend(token, at: now)
      let share = Int64(Double(left) / Double(lifetime) * 1e9)
      return .rotated(response(access, child, ledger), lifeLeft: share)
    }
    let access = ledger.mintAccess(beside: token, at: now, lifetime: lifetime)
    return .reissued(response(access, token, ledger))
  }

  private func rotates(lifeLeft: Int64) -> Bool {
    switch rotation {
    case .always: true
    case .never: false
    case .whenLeftBelow(let limit): lifeLeft < limit
    }
  }

  private func graceCovers(
    _ record: TokenLedger.RefreshRecord, _ ledger: TokenLedger, at now: Instant
  ) -> Bool {
    guard grace.window > 0, record.unspentChildren > 0, record.graceEndedAt == nil,
      record.gracedUses < grace.uses
    else { return false }
    let start = graceStart(record, ledger, spentAt: record.spentAt ?? now)
    return now.nanoseconds - start.nanoseconds < grace.window
  }

  private func graceStart(
    _ record: TokenLedger.RefreshRecord, _ ledger: TokenLedger, spentAt: Instant
  ) -> Instant {
    switch grace.start {
    case .firstSpend: spentAt
    case .lastUse: record.lastUsedAt
    case .sessionRefresh: ledger[record.family].lastRefreshAt
    }
  }

  private func answerSpent(
    _ token: RefreshToken, _ ledger: inout TokenLedger, at now: Instant
  ) -> Outcome {
    ledger[token].gracedUses += 1
    ledger[token].lastUsedAt = now
    ledger[ledger[token].family].lastRefreshAt = now
    switch grace.reply {
    case .sibling:
      return fork(from: token, &ledger, at: now)
    case .siblingSupersedes:
      ledger.spendChildren(of: token, at: now)
      return fork(from: token, &ledger, at: now)
    case .sameSuccessor:
      return answer(with: ledger[token].firstChild ?? token, &ledger, at: now)
    case .replayResponse:
      let child = ledger[token].firstChild ?? token
      return .graced(response(ledger[child].access, child, ledger), forked: false)
    case .currentActive:
      return answer(with: ledger[ledger[token].family].head, &ledger, at: now)
    case .presentedToken:
      return answer(with: token, &ledger, at: now)
    }
  }

  private func fork(
    from token: RefreshToken, _ ledger: inout TokenLedger, at now: Instant
  ) -> Outcome {
    let (child, access) = ledger.mintChild(of: token, at: now, lifetime: lifetime)
    return .graced(response(access, child, ledger), forked: true)
  }

  private func answer(
    with token: RefreshToken, _ ledger: inout TokenLedger, at now: Instant
  ) -> Outcome {
    let access = ledger.mintAccess(beside: token, at: now, lifetime: lifetime)
    return .graced(response(access, token, ledger), forked: false)
  }

  private func response(
    _ access: AccessToken, _ refresh: RefreshToken, _ ledger: TokenLedger
  ) -> TokenResponse {
    TokenResponse(
      accessToken: access, refreshToken: refresh, expiresIn: expiresIn,
      expiry: WallTime(nanoseconds: ledger[access].expiry.nanoseconds))
  }
}
