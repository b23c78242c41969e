import SimCore

/// Holds the facts of a run against what must be so in any world.
struct RunRecord {
  private(set) var complaints: [String] = []
  private let transfers: Bool
  /// Whether the app's code stood still when the run ended.
  private(set) var isSuspended = false
  /// Whether the store could not be read when that was tried last.
  private(set) var isLockedOut = false
  /// When the last of them happened.
  private(set) var end = Duration.zero
  private var openCalls: Set<Int32> = []
  private var callsStarted: Int32 = 0
  private var attempts: [Int32: Int32] = [:]
  /// Attempts and refreshes that the client waits for.
  private var awaitedAttempts: Set<Attempt> = []
  private var refreshesSent: Set<Int32> = []
  private var refreshesArrived: Set<Int32> = []
  private var refreshesJudged: Set<Int32> = []
  private var refreshesEnded: Set<Int32> = []

  private struct Attempt: Hashable {
    let call: Int32
    let number: Int32
  }

  /// The record of one process, by its number.
  ///
  /// Where the system carries refreshes on, they may leave the device while no code runs.
  init(_ entries: [Trace.Entry], of process: Int = 1, transfers: Bool = false) {
    self.transfers = transfers
    for entry in entries where entry.process == process {
      end = .nanoseconds(entry.instant.nanoseconds)
      let before = complaints.count
      take(entry.fact)
      if complaints.count > before { complaints[before] += " at \(entry.instant.nanoseconds) ns" }
    }
    expect(openCalls.isEmpty, "a call neither ended nor is stuck")
  }

  private mutating func expect(_ holds: Bool, _ complaint: @autoclosure () -> String) {
    if !holds { complaints.append(complaint()) }
  }

  private mutating func take(_ fact: Fact) {
    if isSuspended, !(transfers && fact.isSending) {
      expect(!fact.needsCode, "\(fact) while no code runs")
    }
    switch fact {
    case .appSuspended: isSuspended = true
    case .appReturned(let afterSuspension):
      expect(afterSuspension == isSuspended, "\(fact)")
      isSuspended = false
    case .wokenInBackground: isSuspended = false
    case .storeUnreadable: isLockedOut = true
    case .storeRead: isLockedOut = false
    case .processKilled:
      isSuspended = false
      isLockedOut = false
      // Nobody waits for them any more.
      awaitedAttempts = []
    default: takeCall(fact)
    }
  }

  private mutating func takeCall(_ fact: Fact) {
    switch fact {
    case .callStarted(let call):
      callsStarted += 1
      expect(call == callsStarted, "\(fact) out of order")
      openCalls.insert(call)
    case .callEnded(let call, _), .callStuck(let call):
      expect(openCalls.remove(call) != nil, "\(fact), which is not open")
    case .callWaits(let call), .callPaused(let call, _), .callCancelled(let call):
      expect(openCalls.contains(call), "\(fact), which is not open")
    case .attemptSent(let call, let attempt, _):
      expect(openCalls.contains(call), "\(fact), which is not open")
      // Attempts that wait for a connection may never leave.
      expect(attempt > attempts[call, default: 0], "\(fact) out of order")
      attempts[call] = attempt
      awaitedAttempts.insert(Attempt(call: call, number: attempt))
    case .attemptAnswered(let call, let attempt, _):
      let wasAwaited = awaitedAttempts.remove(Attempt(call: call, number: attempt)) != nil
      expect(wasAwaited && openCalls.contains(call), "\(fact), which was not awaited")
    case .attemptFailed(let call, let attempt, _):
      awaitedAttempts.remove(Attempt(call: call, number: attempt))
      expect(openCalls.contains(call), "\(fact), which is not open")
    default: takeRefresh(fact)
    }
  }

  private mutating func takeRefresh(_ fact: Fact) {
    switch fact {
    case .refreshSent(let refresh, _):
      let isNew = refreshesSent.insert(refresh).inserted
      expect(isNew && !refreshesEnded.contains(refresh), "\(fact) twice, or after its end")
    case .refreshArrived(let refresh, _):
      let isNew = refreshesArrived.insert(refresh).inserted
      expect(isNew && refreshesSent.contains(refresh), "\(fact) twice, or before it was sent")
    case .refreshJudged(let refresh, _, _):
      let isNew = refreshesJudged.insert(refresh).inserted
      expect(isNew && refreshesArrived.contains(refresh), "\(fact) twice, or before it arrived")
    case .refreshAnswered(let refresh, _):
      let isNew = refreshesEnded.insert(refresh).inserted
      expect(isNew && refreshesJudged.contains(refresh), "\(fact) twice, or before it was judged")
    case .refreshFailed(let refresh, _), .refreshAbandoned(let refresh):
      expect(refreshesEnded.insert(refresh).inserted, "\(fact), which is over")
    default: break
    }
  }
}

extension Fact {
  /// Whether a request leaves the device, or finds that it cannot.
  fileprivate var isSending: Bool {
    switch self {
    case .refreshSent, .networkMissing, .connectionOpens: true
    default: false
    }
  }

  /// Whether it is something that the app's code does or learns.
  fileprivate var needsCode: Bool {
    switch self {
    case .signedIn, .screenOpened, .callWaits, .callPaused, .callCancelled, .attemptSent,
      .attemptAnswered, .attemptFailed, .callEnded, .refreshSent, .refreshAnswered, .refreshFailed,
      .refreshAbandoned, .refreshChainCut, .pairStored, .signedOut, .signOutNotified,
      .signedOutByPerson, .suspensionHeldOff, .appLeft, .connectionOpens, .networkMissing,
      .processLaunched, .storeRead, .storeUnreadable, .storeCleared, .refreshRecorded,
      .lockAwaited, .lockReleased, .pairNotStored, .pairCrossed:
      true
    // A call that would have begun meanwhile is told of as stuck at the end.
    case .callStarted, .callStuck: false
    case .familyBegan, .appSuspended, .appReturned, .backgroundTaskExpired, .networkChanged,
      .clockStepped, .attemptJudged, .attemptLost, .refreshArrived, .refreshJudged, .refreshLost,
      .familyRevoked, .accessTokenEnded, .exposureKnown, .processKilled, .deviceLocked,
      .deviceUnlocked, .deviceRebooted, .storeOverwritten, .transferDelivered, .writeLost,
      .wokenInBackground, .lockTaken:
      false
    }
  }
}
