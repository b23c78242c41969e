/// Counts what happens in a run, from its facts.
package struct Tallier: ~Copyable {
  /// What was counted so far.
  package private(set) var tally = RunTally()
  /// For each call, the time from its start to the sending of its last attempt, in nanoseconds.
  package private(set) var waits = ReusableArray<Int64>()

  private var calls = ReusableArray<CallTrack>()
  private var refreshes = ReusableArray<RefreshTrack>()
  private var refreshTokens = ReusableArray<TokenTrack>()
  /// For each opening, whether a 401 has been counted for it.
  private var openingHadUnauthorized = ReusableArray<Bool>()
  private var hasSignedOut = false
  private var peakSecond: Int64 = -1
  private var peakCount = 0

  struct CallTrack {
    let startedAt: Int64
    /// The position of its opening; -1 for none.
    let opening: Int
    /// From its start to the sending of its last attempt, less the pauses before; -1 if it was never sent.
    var waited: Int64 = -1
    /// The pauses of a retry layer so far.
    var paused: Int64 = 0
    var hasWaited = false
  }

  struct RefreshTrack {
    var sentAt = Int64.max
    var endedAt: Int64 = .max
    var isAnswered = false
    var minted = false
    /// The refresh that presented the same token before; 0 for none.
    var predecessor: Int32 = 0
  }

  struct TokenTrack {
    /// The refresh with it that was judged last; 0 for none.
    var presentedBy: Int32 = 0
    var isSpent = false
  }

  package init() {}

  package mutating func reset() {
    tally.reset()
    waits.removeAll()
    calls.removeAll()
    refreshes.removeAll()
    refreshTokens.removeAll()
    openingHadUnauthorized.removeAll()
    hasSignedOut = false
    peakSecond = -1
    peakCount = 0
  }

  @inline(__always)
  package mutating func observe(_ fact: Fact, at now: Instant, by process: Int32 = 0) {
    switch fact {
    case .screenOpened:
      tally.count(.openings)
      openingHadUnauthorized.append(false)
    case .callStarted:
      tally.count(.calls)
      calls.append(CallTrack(startedAt: now.nanoseconds, opening: openingHadUnauthorized.count - 1))
    case .callWaits(let call):
      if !calls[Int(call) - 1].hasWaited { tally.count(.waitedCalls) }
      calls[Int(call) - 1].hasWaited = true
    case .attemptSent(let call, _, _):
      tally.count(.attempts)
      let track = calls[Int(call) - 1]
      calls[Int(call) - 1].waited = max(0, now.nanoseconds - track.startedAt - track.paused)
    case .attemptJudged(let call, let attempt, _, .unauthorized):
      noteUnauthorized(call, isFirst: attempt == 1)
    case .callPaused(let call, let nanoseconds): calls[Int(call) - 1].paused += nanoseconds
    case .callEnded(let call, let outcome):
      if outcome != .succeeded {
        tally.count(outcome == .cancelled ? .cancelledCalls : .failedCalls)
      }
      noteWait(of: calls[Int(call) - 1])
    case .callStuck(let call):
      tally.count(.stuckCalls)
      noteWait(of: calls[Int(call) - 1])
    case .refreshSent(let refresh, _):
      tally.count(.refreshesSent)
      // Refreshes that wait for a connection may leave out of order, or never.
      while refreshes.count < Int(refresh) { refreshes.append(RefreshTrack()) }
      refreshes[Int(refresh) - 1].sentAt = now.nanoseconds
    case .refreshArrived: noteArrival(at: now)
    case .refreshJudged(let refresh, let token, let judgement):
      notePresentation(of: token, by: refresh)
      note(judgement, of: refresh, presenting: token)
    case .refreshAnswered(let refresh, let error):
      endRefresh(refresh, at: now)
      // An answer that holds no tokens leaves those that were minted unread.
      refreshes[Int(refresh) - 1].isAnswered = error == nil || !refreshes[Int(refresh) - 1].minted
    case .refreshFailed(let refresh, _), .refreshAbandoned(let refresh):
      endRefresh(refresh, at: now)
    case .familyRevoked(_, .reuse): tally.count(.revocations)
    case .familyRevoked(_, .request): tally.count(.revokedByRequest)
    case .pairStored(_, let stale):
      if stale { tally.count(.staleStores) }
      if hasSignedOut { tally.count(.resurrections) }
    case .signedOut(_, let needlessly):
      tally.count(.signOuts)
      hasSignedOut = true
      if needlessly { tally.count(.falseSignOuts) }
    case .signOutNotified: tally.count(.signOutNotices)
    case .signedOutByPerson: hasSignedOut = true
    case .signedIn: hasSignedOut = false
    case .exposureKnown(_, let nanoseconds?): tally.exposure &+= nanoseconds
    case .exposureKnown(_, nil): tally.endlessExposures += 1
    case .familyBegan, .appLeft, .appSuspended, .appReturned, .suspensionHeldOff,
      .backgroundTaskExpired, .networkChanged, .networkMissing, .clockStepped, .connectionOpens,
      .callCancelled,
      .attemptJudged, .attemptLost, .attemptAnswered, .attemptFailed, .accessTokenEnded,
      .refreshLost, .refreshChainCut, .processLaunched, .processKilled, .wokenInBackground,
      .deviceLocked, .deviceUnlocked, .deviceRebooted, .storeRead, .storeUnreadable, .storeCleared,
      .storeOverwritten, .refreshRecorded, .lockTaken, .lockAwaited, .lockReleased,
      .transferDelivered, .pairNotStored, .writeLost, .pairCrossed:
      break
    }
  }

  /// Counts what only the end of the run decides.
  package mutating func finish() {
    for index in 0..<refreshes.count
    where refreshes[index].minted && !refreshes[index].isAnswered { tally.count(.lostRotations) }
  }

  private mutating func noteUnauthorized(_ call: Int32, isFirst: Bool) {
    tally.count(.unauthorized)
    if isFirst { tally.count(.firstUnauthorized) }
    let opening = calls[Int(call) - 1].opening
    if opening >= 0, !openingHadUnauthorized[opening] {
      openingHadUnauthorized[opening] = true
      tally.count(.openingsUnauthorized)
    }
  }

  /// A refresh may end before it ever left the device.
  private mutating func endRefresh(_ refresh: Int32, at now: Instant) {
    while refreshes.count < Int(refresh) { refreshes.append(RefreshTrack()) }
    refreshes[Int(refresh) - 1].endedAt = now.nanoseconds
  }

  private mutating func noteWait(of call: CallTrack) {
    guard call.waited >= 0 else { return }
    waits.append(call.waited)
    tally.longestWait = max(tally.longestWait, call.waited)
  }

  private mutating func noteArrival(at now: Instant) {
    tally.count(.refreshes)
    let second = now.nanoseconds / 1_000_000_000
    peakCount = second == peakSecond ? peakCount + 1 : 1
    peakSecond = second
    if peakCount > tally[.refreshPeak] { tally.count(.refreshPeak) }
  }

  /// Counts a duplicate, which of a token that is not spent is one only while the earlier is in flight.
  private mutating func notePresentation(of token: RefreshToken, by refresh: Int32) {
    while refreshTokens.count <= Int(token.id) { refreshTokens.append(TokenTrack()) }
    let predecessor = refreshTokens[Int(token.id)].presentedBy
    refreshTokens[Int(token.id)].presentedBy = refresh
    guard predecessor != 0 else { return }
    refreshes[Int(refresh) - 1].predecessor = predecessor
    let kind = kindOfDuplicate(refresh)
    guard kind == .duplicatesConcurrent || refreshTokens[Int(token.id)].isSpent else { return }
    tally.count(.duplicates)
    tally.count(kind)
  }

  private func kindOfDuplicate(_ refresh: Int32) -> Metric {
    let track = refreshes[Int(refresh) - 1]
    var predecessor = track.predecessor
    var isReplay = false
    while predecessor != 0 {
      let other = refreshes[Int(predecessor) - 1]
      // One that overtook this one on its way was sent later; of the two it is the duplicate.
      let (first, second) = track.sentAt < other.sentAt ? (track, other) : (other, track)
      if second.sentAt < first.endedAt { return .duplicatesConcurrent }
      if !first.isAnswered { isReplay = true }
      predecessor = other.predecessor
    }
    return isReplay ? .duplicatesReplay : .duplicatesStale
  }

  private mutating func note(
    _ judgement: Fact.Judgement, of refresh: Int32, presenting token: RefreshToken
  ) {
    switch judgement {
    case .rotated(_, _, let lifeLeft):
      tally.count(.rotations)
      refreshTokens[Int(token.id)].isSpent = true
      tally.lifeUnused += lifeLeft
      if lifeLeft > 500_000_000 { tally.count(.needless) }
      refreshes[Int(refresh) - 1].minted = true
    case .reissued: tally.count(.reissues)
    case .graced(_, _, let forked):
      tally.count(.graced)
      if forked {
        tally.count(.forks)
        refreshes[Int(refresh) - 1].minted = true
      }
    case .rejected(let reuse):
      tally.count(.rejected)
      if reuse { tally.count(.reuses) }
    case .refused: tally.count(.refused)
    }
  }
}
