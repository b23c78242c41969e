/// Counts what happens in runs, one after the other, from their facts.
package struct Tallier: ~Copyable {
  /// What was counted so far in this run.
  package private(set) var tally = RunTally()
  /// For each call of all runs, the time from its start to the sending of its last attempt.
  package private(set) var waits = DurationHistogram()
  /// The sessions of this run that ended unasked, in order.
  package private(set) var signOuts = ReusableArray<SignOut>()

  /// The calls that are open, and those that ended before all their attempts had reached the server.
  private(set) var calls = OpenCalls()
  private(set) var openings = SlotTable<OpeningTrack>()
  /// The call whose attempt was sent by the fact before, which may learn that there is no network.
  private var callJustSent: Int64 = -1
  /// Exchanges that minted a refresh token and whose answer nobody has read.
  var unreadRotations = 0
  private var peakSecond: Int64 = -1
  private var peakCount = 0

  // What the causes of sign-outs are read from. Refreshes and refresh tokens are kept to the end of the run,
  // because a token may come back from an old store at any time; they are few where calls are many.
  var processes = ReusableArray<ProcessTrack>()
  var stores = ReusableArray<StoreTrack>()
  var refreshes = ReusableArray<RefreshTrack>()
  var refreshTokens = ReusableArray<TokenTrack>()
  var revocations = ReusableArray<RevocationTrack>()
  /// For each family its last revocation, or -1.
  var lastRevocation = ReusableArray<Int32>()
  /// The last refresh that was judged.
  var lastJudged: Int32 = -1

  /// An opening of a screen that calls still belong to.
  struct OpeningTrack {
    /// Its calls, and its process as long as it opens no other.
    var users: Int32 = 1
    var hadUnauthorized = false
  }

  /// A fold for some processes.
  ///
  /// - Parameters:
  ///   - devices: the device of each process.
  ///   - stores: the store of each process, from 0; nil if those of a device share one, and devices are
  ///     numbered from 0.
  package init(devices: [Int32] = [0], stores: [Int32]? = nil) {
    let stores = stores ?? devices
    for (device, store) in zip(devices, stores) {
      processes.append(ProcessTrack(device: device, store: store))
    }
    for _ in 0...(stores.max() ?? 0) { self.stores.append(StoreTrack()) }
  }

  /// Begins another run; what calls waited stays.
  package mutating func reset() {
    tally.reset()
    signOuts.removeAll()
    calls.removeAll()
    openings.removeAll()
    callJustSent = -1
    unreadRotations = 0
    peakSecond = -1
    peakCount = 0
    for index in 0..<processes.count { processes[index].reset() }
    for index in 0..<stores.count { stores[index] = StoreTrack() }
    refreshes.removeAll()
    refreshTokens.removeAll()
    revocations.removeAll()
    lastRevocation.removeAll()
    lastJudged = -1
  }

  @inline(__always)
  package mutating func observe(_ fact: Fact, at now: Instant, by process: Int32 = 0) {
    switch fact {
    case .screenOpened: openScreen(by: process)
    case .callStarted(let call): startCall(call, at: now, by: process)
    case .callWaits(let call): noteWaiting(of: call, by: process)
    case .attemptSent(let call, _, _): noteSending(of: call, at: now, by: process)
    case .attemptJudged(let call, let attempt, _, let status):
      noteFate(of: call, attempt: attempt, isUnauthorized: status == .unauthorized, by: process)
    case .attemptLost(let call, let attempt, .request):
      noteFate(of: call, attempt: attempt, isUnauthorized: false, by: process)
    case .networkMissing: noteMissingNetwork()
    case .callPaused(let call, let nanoseconds):
      notePause(of: call, nanoseconds: nanoseconds, by: process)
    case .callEnded(let call, let outcome):
      if outcome != .succeeded {
        tally.count(outcome == .cancelled ? .cancelledCalls : .failedCalls)
      }
      endCall(call, by: process)
    case .callStuck(let call):
      tally.count(.stuckCalls)
      endCall(call, by: process)
    case .refreshSent(let refresh, let token):
      tally.count(.refreshesSent)
      noteSending(of: refresh, presenting: token, at: now, by: process)
    case .refreshArrived: noteArrival(at: now)
    case .refreshJudged(let refresh, let token, let judgement):
      note(judgement, of: refresh, presenting: token, at: now, by: process)
    case .refreshLost(let refresh, .answer): noteLostAnswer(of: refresh, by: process)
    case .refreshAnswered(let refresh, let error):
      readAnswer(of: refresh, error, at: now, by: process)
    case .refreshFailed(let refresh, let failure):
      failRefresh(refresh, failure, at: now, by: process)
    case .refreshAbandoned(let refresh):
      endRefresh(track(refresh, by: process), .abandoned, at: now, by: process)
    case .familyRevoked(let family, let reason):
      tally.count(reason == .reuse ? .revocations : .revokedByRequest)
      noteRevocation(of: family, reason, at: now, by: process)
    case .familyBegan(let family, let token, _, _): noteFamily(family, token)
    case .signedIn(let token, _): signIn(token, by: process)
    case .appSuspended: suspend(process, at: now)
    case .appReturned, .wokenInBackground, .processLaunched:
      processes[Int(process)].isSuspended = false
    case .processKilled(let byPerson): kill(process, byPerson: byPerson, at: now)
    case .storeRead(let token): noteReading(of: token, at: now, by: process)
    case .storeUnreadable: noteUnreadableStore(at: now, by: process)
    case .storeCleared: clearStore(at: now, by: process)
    case .storeOverwritten(let token): overwriteStore(token, by: process)
    case .pairStored(let token, let stale): notePair(token, isStale: stale, by: process)
    case .pairNotStored(let token): noteFailedWrite(of: token)
    case .writeLost(let token): noteLostWrite(of: token)
    case .pairCrossed: tally.count(.crossings)
    case .signedOut(let reason, let needlessly):
      tally.count(.signOuts)
      if needlessly { tally.count(.falseSignOuts) }
      signOut(reason, at: now, by: process)
    case .signOutNotified: tally.count(.signOutNotices)
    case .signedOutByPerson: endSession(of: process)
    case .exposureKnown(_, let nanoseconds?): tally.exposure &+= nanoseconds
    case .exposureKnown(_, nil): tally.endlessExposures += 1
    case .appLeft, .suspensionHeldOff, .backgroundTaskExpired, .networkChanged,
      .clockStepped, .connectionOpens, .callCancelled, .attemptLost, .attemptAnswered,
      .attemptFailed, .accessTokenEnded, .refreshLost, .refreshChainCut, .deviceLocked,
      .deviceUnlocked, .deviceRebooted, .refreshRecorded,
      .lockTaken, .lockAwaited, .lockReleased, .transferDelivered:
      break
    }
  }

  /// Counts what only the end of the run decides.
  package mutating func finish() {
    tally.count(.lostRotations, times: unreadRotations)
  }

  @inline(__always)
  mutating func count(_ metric: Metric) {
    tally.count(metric)
  }

  @inline(__always)
  mutating func addLifeUnused(_ billionths: Int64) {
    tally.lifeUnused += billionths
  }

  private mutating func noteArrival(at now: Instant) {
    tally.count(.refreshes)
    let second = now.nanoseconds / 1_000_000_000
    peakCount = second == peakSecond ? peakCount + 1 : 1
    peakSecond = second
    if peakCount > tally[.refreshPeak] { tally.count(.refreshPeak) }
  }

  private mutating func signOut(
    _ reason: ClientEffect.SignOutReason, at now: Instant, by process: Int32
  ) {
    let (cause, damage) = causeOfSignOut(reason, at: now, of: process)
    tally.count(cause)
    processes[Int(process)].signOut = Int32(signOuts.count)
    signOuts.append(
      SignOut(process: Int(process) + 1, cause: cause, damage: damage, symptom: now))
    endSession(of: process)
  }
}

// MARK: Calls

extension Tallier {
  private mutating func openScreen(by process: Int32) {
    tally.count(.openings)
    leaveOpening(processes[Int(process)].opening)
    processes[Int(process)].opening = openings.insert(OpeningTrack())
  }

  @inline(__always)
  private mutating func leaveOpening(_ slot: Int32) {
    guard slot >= 0 else { return }
    openings[slot].users -= 1
    if openings[slot].users == 0 { openings.remove(slot) }
  }

  @inline(__always)
  private mutating func startCall(_ call: Int32, at now: Instant, by process: Int32) {
    tally.count(.calls)
    let opening = processes[Int(process)].opening
    if opening >= 0 { openings[opening].users += 1 }
    calls.insert(
      OpenCalls.Track(
        key: OpenCalls.key(call, process), startedAt: now.nanoseconds, opening: opening))
  }

  @inline(__always)
  private mutating func noteWaiting(of call: Int32, by process: Int32) {
    guard let position = calls.position(of: call, by: process), !calls[position].hasWaited else {
      return
    }
    tally.count(.waitedCalls)
    calls[position].hasWaited = true
  }

  @inline(__always)
  private mutating func noteSending(of call: Int32, at now: Instant, by process: Int32) {
    tally.count(.attempts)
    guard let position = calls.position(of: call, by: process) else { return }
    let started = calls[position].startedAt + calls[position].paused
    calls[position].waited = max(0, now.nanoseconds - started)
    calls[position].underWay += 1
    callJustSent = OpenCalls.key(call, process)
  }

  private mutating func notePause(of call: Int32, nanoseconds: Int64, by process: Int32) {
    guard let position = calls.position(of: call, by: process) else { return }
    calls[position].paused += nanoseconds
  }

  /// An attempt has reached the server, or never will.
  @inline(__always)
  private mutating func noteFate(
    of call: Int32, attempt: Int32, isUnauthorized: Bool, by process: Int32
  ) {
    callJustSent = -1
    let position = calls.position(of: call, by: process)
    if isUnauthorized {
      noteUnauthorized(isFirst: attempt == 1, opening: position.map { calls[$0].opening } ?? -1)
    }
    if let position { settleAttempt(ofCallAt: position) }
  }

  @inline(__always)
  private mutating func settleAttempt(ofCallAt position: Int) {
    calls[position].underWay -= 1
    if calls[position].hasEnded { forgetCall(at: position) }
  }

  /// The attempt that was just sent stays on the device; an answer that meets no network has been judged before.
  private mutating func noteMissingNetwork() {
    guard callJustSent >= 0 else { return }
    let (process, call) = (callJustSent >> 32, callJustSent & 0xffff_ffff)
    callJustSent = -1
    guard let position = calls.position(of: Int32(call), by: Int32(process)) else { return }
    settleAttempt(ofCallAt: position)
  }

  private mutating func noteUnauthorized(isFirst: Bool, opening: Int32) {
    tally.count(.unauthorized)
    if isFirst { tally.count(.firstUnauthorized) }
    if opening >= 0, !openings[opening].hadUnauthorized {
      openings[opening].hadUnauthorized = true
      tally.count(.openingsUnauthorized)
    }
  }

  @inline(__always)
  private mutating func endCall(_ call: Int32, by process: Int32) {
    guard let position = calls.position(of: call, by: process) else { return }
    let waited = calls[position].waited
    if waited >= 0 {
      waits.add(waited)
      tally.longestWait = max(tally.longestWait, waited)
    }
    calls[position].hasEnded = true
    forgetCall(at: position)
  }

  /// Forgets a call that has ended, once a 401 to an attempt of it can no longer count for its opening.
  @inline(__always)
  private mutating func forgetCall(at position: Int) {
    guard calls[position].underWay <= 0 else { return }
    leaveOpening(calls[position].opening)
    calls.remove(at: position)
  }
}
