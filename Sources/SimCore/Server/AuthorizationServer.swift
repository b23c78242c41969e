/// The token endpoint, judging each exchange at its commit.
///
/// A class, though it never changes: as a value it would be copied for each exchange.
final class AuthorizationServer: Sendable {
  /// What an exchange did to the server's store; what the client is told of it is another matter.
  enum Outcome {
    /// A live refresh token gave a new pair. `lifeLeft` is the share of its access token's lifetime
    /// that remained, in billionths.
    case rotated(TokenResponse, lifeLeft: Int64)
    /// A live refresh token gave a new access token and stays.
    case reissued(TokenResponse)
    /// A spent refresh token was answered; `forked` if that minted a refresh token.
    case graced(TokenResponse, forked: Bool)
    /// The token is not accepted; `reuse` if it was spent, and `revoked` if that ended the family now.
    case rejected(reuse: Bool, revoked: TokenFamily?)
    /// Any other error, and no new pair.
    case refused(TokenError)
  }

  /// How mishaps of exchanges are drawn.
  let mishaps: MishapLaw

  private let shortestLifetime: Int64
  private let lifetimeRange: Double
  private let tick: Int64
  private let rotation: Rotation
  private let life: RefreshLife
  private let access: AccessRule
  private let parentGrace: GraceRule
  private let ancestorGrace: GraceRule
  private let graceCoversRevoked: Bool
  private let reuse: ServerPolicy.ReuseReaction
  private let revocationEndsAccess: Bool
  private let rejectedAs: TokenError
  private let race: ServerPolicy.Race
  private let lookup: Int64
  private let commit: ServerPolicy.Commit
  private let propagation: Int64

  private enum Rotation {
    case always
    case never
    case whenShareBelow(Double)
    case whenLeftBelow(Int64)
  }

  init(_ policy: ServerPolicy) {
    mishaps = MishapLaw(policy)
    shortestLifetime = policy.lifetime.shortest.nanoseconds
    lifetimeRange = Double(policy.lifetime.longest.nanoseconds - shortestLifetime)
    tick = policy.tick?.nanoseconds ?? 0
    rotation =
      switch policy.rotation {
      case .always: .always
      case .never: .never
      case .usedFraction(let share): .whenShareBelow(1 - share)
      case .remainingBelow(let left): .whenLeftBelow(left.nanoseconds)
      }
    life = RefreshLife(policy)
    access = AccessRule(policy)
    parentGrace = GraceRule(policy.parentGrace)
    ancestorGrace = GraceRule(policy.ancestorGrace)
    graceCoversRevoked = policy.graceCoversRevoked
    reuse = policy.reuse
    revocationEndsAccess = policy.reuseKillsAccess
    rejectedAs = policy.rejectedAs
    race = policy.race
    lookup = policy.lookup.nanoseconds
    commit = policy.commit
    propagation = policy.propagation.nanoseconds
  }

  /// The lifetime, in nanoseconds, of an access token minted by the exchange at this address of a stream.
  @inline(__always)
  func lifetime(_ stream: RandomStream, at address: DrawAddress) -> Int64 {
    guard lifetimeRange > 0 else { return shortestLifetime }
    var draws = stream.draws(at: address)
    return shortestLifetime + Int64(lifetimeRange * draws.unit() + 0.5)
  }

  /// When an exchange that arrived at an instant reads its refresh token.
  func reading(ofArrivalAt arrival: Instant) -> Instant {
    Instant(nanoseconds: arrival.nanoseconds + lookup)
  }

  /// A login: begins a family and answers with its first pair.
  func login(_ ledger: inout TokenLedger, at now: Instant, lifetime: Int64) -> TokenResponse {
    let (refresh, access) = ledger.begin(write(at: now, lifetime: lifetime))
    return response(access, refresh, ledger)
  }

  /// Judges the exchange of `token` that commits `now`.
  ///
  /// - Parameters:
  ///   - token: the refresh token that was presented.
  ///   - ledger: what the server has stored.
  ///   - now: the instant of the commit.
  ///   - readAt: when the exchange read the token, which tells whether another overlaps with it.
  ///   - lifetime: that of an access token which the exchange mints, in nanoseconds.
  ///   - mishap: what goes wrong with it.
  /// - Returns: what was stored; ``reply(to:_:)`` says what the client is told.
  func exchange(
    _ token: RefreshToken, _ ledger: inout TokenLedger, at now: Instant, readAt: Instant,
    lifetime: Int64, _ mishap: Mishap = Mishap()
  ) -> Outcome {
    if mishap.failsBefore { return .refused(.serverError) }
    let record = ledger[token]
    let family = ledger[record.family]
    if life.isOver(record, family, at: now) { return .rejected(reuse: false, revoked: nil) }
    if family.revokedAt != nil, !graceCoversRevoked {
      let isReuse = record.spentAt != nil && !life.isForgotten(record, at: now)
      return .rejected(reuse: isReuse, revoked: nil)
    }
    notePresentation(of: record, &ledger, at: now)
    let write = write(at: now, lifetime: lifetime)
    if record.spentAt != nil {
      return exchangeSpent(token, record, &ledger, write, readAt: readAt, mishap)
    }
    if rotates(ledger[record.access], at: now) {
      return rotate(token, record, &ledger, write, mishap)
    }
    use(token, record, &ledger, write)
    return .reissued(answer(with: token, &ledger, write))
  }

  /// What the client is told of an outcome.
  ///
  /// A pair that was stored is lost behind an error where the server fails after the commit, or dies
  /// after it has stored the pair and before it has spent the token.
  func reply(to outcome: Outcome, _ mishap: Mishap) -> TokenReply {
    if mishap.failsAfter { return .failed(.serverError, retryAfter: 0) }
    return switch outcome {
    case .rotated where mishap.crashes: .failed(.serverError, retryAfter: 0)
    case .rotated(let response, _), .reissued(let response), .graced(let response, _):
      .granted(response)
    case .rejected: .failed(rejectedAs, retryAfter: 0)
    case .refused(let error): .failed(error, retryAfter: 0)
    }
  }

  /// Whether an exchange of `token` would be answered with tokens if it committed `now`.
  func wouldAnswer(_ token: RefreshToken, _ ledger: borrowing TokenLedger, at now: Instant) -> Bool
  {
    let record = ledger[token]
    let family = ledger[record.family]
    if life.isOver(record, family, at: now) { return false }
    if family.revokedAt != nil, !graceCoversRevoked { return false }
    if record.spentAt == nil { return true }
    return !life.isForgotten(record, at: now)
      && grace(for: record).covers(record, ledger, at: now)
  }

  /// Ends a family, and its access tokens where the policy says so.
  func revoke(_ family: TokenFamily, _ ledger: inout TokenLedger, at now: Instant) {
    ledger[family].revokedAt = now
    guard graceCoversRevoked else {
      if revocationEndsAccess { ledger[family].accessEndedAt = now }
      return
    }
    // A grace may revive the family, so what is minted later must not be ended with the rest.
    ledger.killRefreshTokens(of: family, write(at: now, lifetime: 0))
    if revocationEndsAccess { ledger.endAccessTokens(of: family, at: now) }
  }

  /// Ends an access token, of which the resource server learns at once.
  func end(_ access: AccessToken, _ ledger: inout TokenLedger, at now: Instant) {
    ledger.end(access, at: Instant(nanoseconds: now.nanoseconds - propagation))
  }

  /// Whether the acceptance of an access token changes what becomes of other tokens.
  var heedsAcceptance: Bool {
    access.heedsAcceptance || parentGrace.untilUse != .no || ancestorGrace.untilUse != .no
  }

  /// Notes that an access token was accepted, which may end a grace and older access tokens of its chain.
  func noteAcceptance(of token: AccessToken, _ ledger: inout TokenLedger, at now: Instant) {
    access.noteAcceptance(of: token, &ledger, at: now)
    guard let parent = ledger[ledger[token].mintedWith].parent,
      ledger[parent].childAcceptedAt == nil
    else { return }
    ledger[parent].childAcceptedAt = now
  }

  private func notePresentation(
    of record: TokenLedger.RefreshRecord, _ ledger: inout TokenLedger, at now: Instant
  ) {
    guard parentGrace.untilUse == .anyUse || ancestorGrace.untilUse == .anyUse,
      let parent = record.parent, ledger[parent].childPresentedAt == nil
    else { return }
    ledger[parent].childPresentedAt = now
  }
}

// MARK: Live tokens

extension AuthorizationServer {
  private func rotates(_ access: TokenLedger.AccessRecord, at now: Instant) -> Bool {
    switch rotation {
    case .always: true
    case .never: false
    case .whenShareBelow(let share): left(access, at: now) < Int64(Double(access.lifetime) * share)
    case .whenLeftBelow(let limit): left(access, at: now) < limit
    }
  }

  private func left(_ access: TokenLedger.AccessRecord, at now: Instant) -> Int64 {
    max(0, access.expiry.nanoseconds - now.nanoseconds)
  }

  /// Spends a token for a new pair, or stops half way.
  private func rotate(
    _ token: RefreshToken, _ record: TokenLedger.RefreshRecord, _ ledger: inout TokenLedger,
    _ write: TokenLedger.Write, _ mishap: Mishap, superseding: Bool = false
  ) -> Outcome {
    if mishap.crashes, commit == .spendFirst {
      ledger.spend(token, write)
      return .refused(.serverError)
    }
    let old = ledger[record.access]
    let lifeLeft = Int64(Double(left(old, at: write.now)) / Double(old.lifetime) * 1e9)
    if mishap.crashes, commit == .issueFirst {
      let (child, new) = ledger.mintChild(of: token, write)
      access.limit(record.family, &ledger, at: write.now)
      return .rotated(response(new, child, ledger), lifeLeft: lifeLeft)
    }
    use(token, record, &ledger, write)
    let pair = mintChild(of: token, record, &ledger, write, superseding: superseding)
    ledger.spend(token, write)
    return .rotated(pair, lifeLeft: lifeLeft)
  }

  /// Notes that a token was accepted.
  private func use(
    _ token: RefreshToken, _ record: TokenLedger.RefreshRecord, _ ledger: inout TokenLedger,
    _ write: TokenLedger.Write
  ) {
    ledger[record.family].lastRefreshAt = write.stored
    ledger[token].lastUsedAt = write.stored
    access.noteExchange(of: record.access, &ledger, at: write.now)
  }

  private func mintChild(
    of token: RefreshToken, _ record: TokenLedger.RefreshRecord, _ ledger: inout TokenLedger,
    _ write: TokenLedger.Write, superseding: Bool
  ) -> TokenResponse {
    let superseded = superseding ? access.supersedeChildren(of: token, &ledger, write) : nil
    let (child, new) = ledger.mintChild(of: token, write)
    access.noteReplacement(of: superseded ?? record.access, by: new, &ledger, at: write.now)
    access.limit(record.family, &ledger, at: write.now)
    return response(new, child, ledger)
  }

  /// Mints an access token beside a refresh token that stays.
  private func answer(
    with token: RefreshToken, _ ledger: inout TokenLedger, _ write: TokenLedger.Write
  ) -> TokenResponse {
    let older = ledger[token].access
    let new = ledger.mintAccess(beside: token, write)
    access.noteReplacement(of: older, by: new, &ledger, at: write.now)
    access.limit(ledger[token].family, &ledger, at: write.now)
    return response(new, token, ledger)
  }

  private func write(at now: Instant, lifetime: Int64) -> TokenLedger.Write {
    let expiry = Instant(nanoseconds: now.nanoseconds &+ lifetime)
    return TokenLedger.Write(
      now: now, stored: stored(now), lifetime: lifetime, expiry: stored(expiry))
  }

  /// An instant as the store has it.
  private func stored(_ instant: Instant) -> Instant {
    guard tick > 0 else { return instant }
    let rest = instant.nanoseconds % tick
    return Instant(nanoseconds: instant.nanoseconds - (rest < 0 ? rest + tick : rest))
  }

  private func response(
    _ access: AccessToken, _ refresh: RefreshToken, _ ledger: borrowing TokenLedger
  ) -> TokenResponse {
    let record = ledger[access]
    return TokenResponse(
      accessToken: access, refreshToken: refresh,
      expiresIn: Int32(clamping: record.lifetime / 1_000_000_000),
      expiry: WallTime(nanoseconds: record.expiry.nanoseconds))
  }
}

// MARK: Spent tokens

extension AuthorizationServer {
  /// Whether any spent token is ever answered.
  var hasGrace: Bool { parentGrace.exists || ancestorGrace.exists }

  /// How long after its exchange a spent token would still have been answered, in nanoseconds; nil without end.
  ///
  /// Counted as its children stood at the end: under the grace of a parent until the last of them was spent, and
  /// from then on under that of an ancestor.
  func exposure(of record: TokenLedger.RefreshRecord, _ ledger: borrowing TokenLedger) -> Int64? {
    guard let spentAt = record.spentAt, hasGrace else { return 0 }
    let family = ledger[record.family]
    let revoked = graceCoversRevoked ? nil : family.revokedAt?.nanoseconds
    let limit = min(revoked ?? .max, life.end(record, family, spentAt: spentAt))
    let start = record.spendingCommit.nanoseconds
    let childrenEnd =
      record.unspentChildren > 0 ? Int64.max : record.childrenSpentAt?.nanoseconds ?? start
    let parentEnd = min(parentGrace.end(record, ledger), childrenEnd, limit)
    if parentEnd == .max { return nil }
    let asParent = max(0, parentEnd - start)
    if childrenEnd == .max { return asParent }
    let ancestorEnd = min(ancestorGrace.end(record, ledger), limit)
    return ancestorEnd == .max ? nil : asParent + max(0, ancestorEnd - max(childrenEnd, start))
  }

  /// The grace that applies to a spent token now.
  private func grace(for record: TokenLedger.RefreshRecord) -> GraceRule {
    record.unspentChildren > 0 ? parentGrace : ancestorGrace
  }

  @inline(never)
  private func exchangeSpent(
    _ token: RefreshToken, _ record: TokenLedger.RefreshRecord, _ ledger: inout TokenLedger,
    _ write: TokenLedger.Write, readAt: Instant, _ mishap: Mishap
  ) -> Outcome {
    if readAt < record.spendingCommit, !record.wasKilled,
      let outcome = exchangeOverlapping(token, record, &ledger, write, mishap)
    {
      return outcome
    }
    if life.isForgotten(record, at: write.now) { return .rejected(reuse: false, revoked: nil) }
    let grace = grace(for: record)
    if grace.covers(record, ledger, at: write.now) {
      return answerSpent(token, record, &ledger, write, grace.reply)
    }
    if record.wasKilled { return .rejected(reuse: false, revoked: nil) }
    let isDead =
      ledger[record.family].revokedAt != nil && ledger.newestUnspent(of: record.family) == nil
    if reuse == .rejectOnly || isDead { return .rejected(reuse: true, revoked: nil) }
    revoke(record.family, &ledger, at: write.now)
    return .rejected(reuse: true, revoked: record.family)
  }

  /// Judges an exchange that read the token before another spent it; nil if it counts as a reuse.
  private func exchangeOverlapping(
    _ token: RefreshToken, _ record: TokenLedger.RefreshRecord, _ ledger: inout TokenLedger,
    _ write: TokenLedger.Write, _ mishap: Mishap
  ) -> Outcome? {
    switch race {
    case .serialize: return nil
    case .refuse(let error):
      // A refusal of this name is a rejection by all that anyone can see of it.
      return error == rejectedAs ? .rejected(reuse: true, revoked: nil) : .refused(error)
    case .winnersPair:
      guard let child = record.firstChild else { return nil }
      return .graced(response(ledger[child].access, child, ledger), forked: false)
    case .fork: return rotate(token, record, &ledger, write, mishap)
    case .lastWriter:
      return rotate(token, record, &ledger, write, mishap, superseding: true)
    }
  }

  private func answerSpent(
    _ token: RefreshToken, _ record: TokenLedger.RefreshRecord, _ ledger: inout TokenLedger,
    _ write: TokenLedger.Write, _ reply: ServerPolicy.Grace.Reply
  ) -> Outcome {
    ledger[token].gracedUses += 1
    ledger[token].lastUsedAt = write.stored
    ledger[record.family].lastRefreshAt = write.stored
    let answered: RefreshToken?
    switch reply {
    case .sibling, .siblingSupersedes: answered = nil
    case .sameSuccessor: answered = record.firstChild
    case .replayResponse:
      if let child = record.firstChild {
        return .graced(response(ledger[child].access, child, ledger), forked: false)
      }
      answered = nil
    case .currentActive: answered = ledger.newestUnspent(of: record.family)
    case .presentedToken: answered = token
    }
    if let answered {
      return .graced(answer(with: answered, &ledger, write), forked: false)
    }
    // A sibling is wanted, or there is nothing yet that could be given once more.
    let pair = mintChild(
      of: token, record, &ledger, write, superseding: reply == .siblingSupersedes)
    return .graced(pair, forked: true)
  }
}
