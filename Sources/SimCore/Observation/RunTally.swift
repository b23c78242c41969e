/// The metrics of one run, folded from its facts.
public struct RunTally: Sendable {
  private var counts = InlineArray<36, Int32>(repeating: 0)
  /// One bit per metric that is not zero, so that adding up runs visits only those.
  package private(set) var touched: UInt64 = 0

  /// For each call, the time from its start to the sending of its last attempt, in nanoseconds.
  package private(set) var waits = ReusableArray<Int64>()
  /// The sum over rotations of the share of the access token's lifetime that was left, in billionths.
  package private(set) var lifeUnused: Int64 = 0

  private var calls = ReusableArray<CallTrack>()
  private var refreshes = ReusableArray<RefreshTrack>()
  /// For each refresh token, the last refresh that reached the server with it; 0 for none.
  private var presentedBy = ReusableArray<Int32>()
  private var openingHadUnauthorized = false
  private var peakSecond: Int64 = -1
  private var peakCount: Int32 = 0

  private struct CallTrack {
    let startedAt: Int64
    var lastSentAt: Int64 = -1
    var hasWaited = false
  }

  private struct RefreshTrack {
    let sentAt: Int64
    var endedAt: Int64 = .max
    var isAnswered = false
    var minted = false
    /// The refresh that presented the same token before; 0 for none.
    var predecessor: Int32 = 0
  }

  package init() {}

  /// What was counted.
  public subscript(metric: Metric) -> Int { Int(counts[metric.rawValue]) }

  /// What was counted, by the position of the metric.
  package func count(at index: Int) -> Int { Int(counts[index]) }

  package mutating func reset() {
    var bits = touched
    while bits != 0 {
      counts[bits.trailingZeroBitCount] = 0
      bits &= bits - 1
    }
    touched = 0
    waits.removeAll()
    lifeUnused = 0
    calls.removeAll()
    refreshes.removeAll()
    presentedBy.removeAll()
    openingHadUnauthorized = false
    peakSecond = -1
    peakCount = 0
  }

  @inline(__always)
  private mutating func count(_ metric: Metric) {
    counts[metric.rawValue] += 1
    touched |= 1 << UInt64(metric.rawValue)
  }

  @inline(__always)
  package mutating func observe(_ fact: Fact, at now: Instant) {
    switch fact {
    case .screenOpened:
      count(.openings)
      openingHadUnauthorized = false
    case .callStarted:
      count(.calls)
      calls.append(CallTrack(startedAt: now.nanoseconds))
    case .callWaits(let call):
      if !calls[Int(call) - 1].hasWaited { count(.waitedCalls) }
      calls[Int(call) - 1].hasWaited = true
    case .attemptSent(let call, _, _):
      count(.attempts)
      calls[Int(call) - 1].lastSentAt = now.nanoseconds
    case .attemptJudged(_, let attempt, _, let accepted):
      if !accepted { noteUnauthorized(isFirst: attempt == 1) }
    case .callEnded(let call, let outcome):
      if outcome != .succeeded { count(.failedCalls) }
      noteWait(of: calls[Int(call) - 1])
    case .callStuck(let call):
      count(.stuckCalls)
      noteWait(of: calls[Int(call) - 1])
    case .refreshSent:
      count(.refreshesSent)
      refreshes.append(RefreshTrack(sentAt: now.nanoseconds))
    case .refreshArrived(let refresh, let token):
      noteArrival(of: refresh, presenting: token, at: now)
    case .refreshJudged(let refresh, _, let judgement):
      note(judgement, of: refresh)
    case .refreshAnswered(let refresh, _):
      refreshes[Int(refresh) - 1].endedAt = now.nanoseconds
      refreshes[Int(refresh) - 1].isAnswered = true
    case .refreshFailed(let refresh, _):
      refreshes[Int(refresh) - 1].endedAt = now.nanoseconds
    case .familyRevoked(_, .reuse): count(.revocations)
    case .familyRevoked(_, .request): count(.revokedByRequest)
    case .pairStored(_, let stale):
      if stale { count(.staleStores) }
    case .signedOut(let needlessly):
      count(.signOuts)
      if needlessly { count(.falseSignOuts) }
    case .signOutNotified: count(.signOutNotices)
    case .familyBegan, .signedIn, .appLeft, .appSuspended, .appReturned, .suspensionHeldOff,
      .backgroundTaskExpired, .attemptAnswered, .attemptFailed, .accessTokenEnded:
      break
    }
  }

  /// Counts what only the end of the run decides.
  package mutating func finish() {
    for index in 0..<refreshes.count
    where refreshes[index].minted && !refreshes[index].isAnswered { count(.lostRotations) }
  }

  private mutating func noteUnauthorized(isFirst: Bool) {
    count(.unauthorized)
    if isFirst { count(.firstUnauthorized) }
    if !openingHadUnauthorized, self[.openings] > 0 {
      openingHadUnauthorized = true
      count(.openingsUnauthorized)
    }
  }

  private mutating func noteWait(of call: CallTrack) {
    guard call.lastSentAt >= 0 else { return }
    waits.append(call.lastSentAt - call.startedAt)
  }

  private mutating func noteArrival(
    of refresh: Int32, presenting token: RefreshToken, at now: Instant
  ) {
    count(.refreshes)
    let second = now.nanoseconds / 1_000_000_000
    peakCount = second == peakSecond ? peakCount + 1 : 1
    peakSecond = second
    if peakCount > counts[Metric.refreshPeak.rawValue] { count(.refreshPeak) }
    while presentedBy.count <= Int(token.id) { presentedBy.append(0) }
    let predecessor = presentedBy[Int(token.id)]
    presentedBy[Int(token.id)] = refresh
    guard predecessor != 0 else { return }
    refreshes[Int(refresh) - 1].predecessor = predecessor
    count(.duplicates)
    count(kindOfDuplicate(refresh))
  }

  private func kindOfDuplicate(_ refresh: Int32) -> Metric {
    let sentAt = refreshes[Int(refresh) - 1].sentAt
    var earlier = refreshes[Int(refresh) - 1].predecessor
    var isReplay = false
    while earlier != 0 {
      let track = refreshes[Int(earlier) - 1]
      if sentAt < track.endedAt { return .duplicatesConcurrent }
      if !track.isAnswered { isReplay = true }
      earlier = track.predecessor
    }
    return isReplay ? .duplicatesReplay : .duplicatesStale
  }

  private mutating func note(_ judgement: Fact.Judgement, of refresh: Int32) {
    switch judgement {
    case .rotated(_, _, let lifeLeft):
      count(.rotations)
      lifeUnused += lifeLeft
      if lifeLeft > 500_000_000 { count(.needless) }
      refreshes[Int(refresh) - 1].minted = true
    case .reissued: count(.reissues)
    case .graced(_, _, let forked):
      count(.graced)
      if forked {
        count(.forks)
        refreshes[Int(refresh) - 1].minted = true
      }
    case .rejected(let reuse):
      count(.rejected)
      if reuse { count(.reuses) }
    }
  }
}
