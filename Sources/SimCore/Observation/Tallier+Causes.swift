/// The cause of a sign-out, worked out from what was remembered; nothing of it runs before there is one.
extension Tallier {
  typealias Diagnosis = (cause: SignOutCause, damage: SignOut.Damage)

  /// Why a process that drops its session now does so.
  ///
  /// - Parameters:
  ///   - reason: what the client gives as its reason.
  ///   - now: the instant of the sign-out.
  ///   - process: the process.
  /// - Returns: the first cause that fits, and the fact that did the damage.
  @inline(never)
  mutating func causeOfSignOut(
    _ reason: ClientEffect.SignOutReason, at now: Instant, of process: Int32
  ) -> Diagnosis {
    let track = processes[Int(process)]
    switch reason {
    case .rejected:
      if track.rejection >= 0 { return cause(ofRejection: Int(track.rejection)) }
      return mistake(at: now.nanoseconds, process)
    case .failed: return mistake(at: track.failedAt, or: now, process)
    case .storeWithoutPair:
      return causeOfEmptyStore(process) ?? mistake(at: track.storeTroubleAt, or: now, process)
    }
  }

  private mutating func mistake(at instant: Int64, or now: Instant, _ process: Int32) -> Diagnosis {
    mistake(at: instant >= 0 ? instant : now.nanoseconds, process)
  }

  private mutating func mistake(at instant: Int64, _ process: Int32) -> Diagnosis {
    (.mistakenError, place(instant, process))
  }

  private mutating func place(_ instant: Int64, _ process: Int32) -> SignOut.Damage {
    SignOut.Damage(instant: Instant(nanoseconds: instant), process: Int(process) + 1)
  }

  /// The judgement of a refresh as the place of the damage.
  private mutating func judgement(of refresh: RefreshTrack) -> SignOut.Damage {
    SignOut.Damage(
      instant: Instant(nanoseconds: refresh.judgedAt), process: Int(refresh.process) + 1,
      refresh: Int(refresh.number))
  }

  /// A store that another process emptied as its session ended hands on why that ended; nil if none did.
  private mutating func causeOfEmptyStore(_ process: Int32) -> Diagnosis? {
    let store = stores[Int(processes[Int(process)].store)]
    guard store.token < 0, store.clearedBy >= 0, store.clearedBy != process,
      !processes[Int(process)].storeWasUnreadable
    else { return nil }
    let clearer = processes[Int(store.clearedBy)]
    if clearer.signOut >= 0 {
      let theirs = signOuts[Int(clearer.signOut)]
      return (theirs.cause, theirs.damage)
    }
    // There the person signed out.
    return clearer.hasSession ? nil : (.revokedElsewhere, place(store.clearedAt, store.clearedBy))
  }

  private mutating func cause(ofRejection position: Int) -> Diagnosis {
    let refresh = refreshes[position]
    if let spender = spender(refresh, at: position) { return cause(of: refresh, spentBy: spender) }
    guard let revocation = revocation(of: refresh.token) else {
      // Its end tells nobody; the first to learn of it is the exchange that is refused for it.
      return (.endOfLife, judgement(of: refresh))
    }
    guard revocation.reuse >= 0 else {
      return (.revokedElsewhere, place(revocation.at, revocation.process))
    }
    let reuse = refreshes[Int(revocation.reuse)]
    guard let spender = spender(reuse, at: Int(revocation.reuse)) else {
      return (.endOfLife, judgement(of: reuse))
    }
    return cause(of: reuse, spentBy: spender)
  }

  /// The exchange that had spent or superseded the token of a refresh when that was judged; nil if it was unspent.
  private mutating func spender(_ refresh: RefreshTrack, at position: Int) -> RefreshTrack? {
    let token = refreshTokens[Int(refresh.token)]
    if token.spentBy >= 0, token.spentBy != Int32(position) {
      let spender = refreshes[Int(token.spentBy)]
      if spender.judgedAt <= refresh.judgedAt { return spender }
    }
    guard refresh.isReuse else { return nil }
    if token.youngerSibling >= 0 {
      return refreshes[Int(refreshTokens[Int(token.youngerSibling)].mintedBy)]
    }
    // A server that spends first and then fails has said nothing of it.
    return refresh.predecessor >= 0 ? refreshes[Int(refresh.predecessor)] : nil
  }

  /// The first revocation of a token's family since it was minted.
  private mutating func revocation(of token: Int32) -> RevocationTrack? {
    let family = refreshTokens[Int(token)].family
    guard family >= 0 else { return nil }
    var found: RevocationTrack?
    var position = lastRevocation[Int(family)]
    while position >= 0, revocations[Int(position)].tokens > token {
      found = revocations[Int(position)]
      position = revocations[Int(position)].previous
    }
    return found
  }

  /// Why a refresh presented a token that another had spent.
  private mutating func cause(of refresh: RefreshTrack, spentBy spender: RefreshTrack) -> Diagnosis
  {
    (causeOfReuse(refresh, spentBy: spender), judgement(of: spender))
  }

  private mutating func causeOfReuse(_ refresh: RefreshTrack, spentBy spender: RefreshTrack)
    -> SignOutCause
  {
    // Two first uses of its parent; that of another token is a superseded sibling.
    if spender.isSecondFirstUse, spender.token != refresh.token { return .serverRace }
    // One that overtook this one on its way was sent later; the one that was given up is then this one.
    let (first, second) =
      refresh.sentAt < spender.sentAt ? (refresh, spender) : (spender, refresh)
    if second.sentAt < first.endedAt { return relation(of: refresh, to: spender) }
    if first.end != .answered { return whyUnread(first) }
    if refresh.process == spender.process { return whyOutdated(refresh, spender) }
    return whyElsewhere(refresh, spender)
  }

  private mutating func relation(of refresh: RefreshTrack, to other: RefreshTrack) -> SignOutCause {
    if refresh.process == other.process { return .concurrentDuplicate }
    let isSameDevice =
      processes[Int(refresh.process)].device == processes[Int(other.process)].device
    return isSameDevice ? .otherProcess : .otherDevice
  }

  /// Why nobody read the tokens of an exchange.
  private mutating func whyUnread(_ refresh: RefreshTrack) -> SignOutCause {
    if refresh.lostAnswer { return .lostAnswer }
    return switch refresh.end {
    case .timedOut: .clientTimeout
    case .abandoned: .cancelled
    case .suspended: .suspension
    case .killed: .kill
    // The network failed under the answer, or the server hid the tokens behind an error.
    case .none, .answered, .refused, .failed: .lostAnswer
    }
  }

  /// Why a process presented a token whose successor another had read, unless it found that in its store.
  private mutating func whyElsewhere(_ refresh: RefreshTrack, _ spender: RefreshTrack)
    -> SignOutCause
  {
    let newest = refresh.newestRead
    let token = refreshTokens[Int(refresh.token)]
    if spender.answer >= 0, newest >= spender.answer,
      refreshTokens[Int(newest)].family == token.family
    {
      if !refresh.presentsLastRead { return .outdatedToken }
      if token.overwroteNewer { return .staleWrite }
    }
    return relation(of: refresh, to: spender)
  }

  /// Why a process that had read the successor presented the token that it replaces.
  private mutating func whyOutdated(_ refresh: RefreshTrack, _ spender: RefreshTrack)
    -> SignOutCause
  {
    guard refresh.presentsLastRead, spender.answer >= 0 else { return .outdatedToken }
    let successor = refreshTokens[Int(spender.answer)]
    if !successor.wasStored {
      if successor.writeFailed { return .lostWrite }
      if successor.writeWasLost || refresh.life > spender.life { return .kill }
    }
    return refreshTokens[Int(refresh.token)].overwroteNewer ? .staleWrite : .outdatedToken
  }
}
