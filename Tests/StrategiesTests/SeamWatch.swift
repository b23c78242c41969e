import SimCore

/// Stands between a client and its world and notes where one of them breaks what the seam promises.
struct SeamWatch: Client, ~Copyable {
  /// What has been seen of a run.
  final class Notes {
    fileprivate(set) var complaints: [String] = []
    fileprivate var calls: [CallID: CallStage] = [:]
    fileprivate var refreshes: Set<RefreshID> = []
    fileprivate var writes: Set<RefreshID> = []
    fileprivate var timers: [TimerID: Int] = [:]
    fileprivate var work: [TimerID: Int] = [:]
    fileprivate var reads: Set<StoreReadID> = []
    fileprivate var holdsTask = false
    fileprivate var wantsLock = false
    fileprivate var hasBegun = false
  }

  fileprivate enum CallStage {
    case held
    case sent
    case paused
  }

  let notes = Notes()
  private var base: any Client & ~Copyable

  init(_ base: consuming any Client & ~Copyable) {
    profile = base.profile
    self.base = base
  }

  let profile: ClientProfile

  mutating func reset(_ chance: ClientChance) {
    base.reset(chance)
    notes.forget()
    notes.hasBegun = false
  }

  mutating func handle(_ event: ClientEvent, now: ClockReading, effects: inout ClientEffects) {
    notes.take(event)
    base.handle(event, now: now, effects: &effects)
    for effect in effects.elements { notes.take(effect) }
    notes.lookForForgottenTask(after: event)
  }
}

extension SeamWatch.Notes {
  /// What a process that starts anew no longer has under way.
  fileprivate func forget() {
    calls = [:]
    refreshes = []
    writes = []
    reads = []
    timers = [:]
    work = [:]
    holdsTask = false
    wantsLock = false
  }

  private func expect(_ holds: Bool, _ complaint: @autoclosure () -> String) {
    if !holds { complaints.append(complaint()) }
  }

  fileprivate func take(_ event: ClientEvent) {
    switch event {
    case .signedIn, .launched: hasBegun = true
    default: break
    }
    expect(hasBegun, "\(event) came before the sign-in")
    switch event {
    case .callStarted(let call, _):
      expect(!calls.keys.contains { $0.slot == call.slot }, "\(call) has the slot of another")
      calls[call] = .held
    case .callAnswered(let call, _), .callFailed(let call, _):
      expect(calls[call] == .sent, "\(event), which was not under way")
      calls[call] = .held
    case .callCancelled(let call):
      expect(calls[call] != nil, "\(event), which is not open")
      calls[call] = .held
    case .pauseEnded(let call):
      expect(calls[call] == .paused, "\(event), which was not pausing")
      calls[call] = .held
    case .refreshAnswered(let id, _), .refreshFailed(let id, _):
      expect(refreshes.remove(id) != nil, "\(event), which was not awaited")
    case .stored(let id): expect(writes.remove(id) != nil, "\(event), which was not being written")
    case .timerFired(let id): takeTimer(id)
    case .backgroundTaskExpired:
      expect(holdsTask, "a background task expired that was not held")
      holdsTask = false
    case .storeFailed(let id):
      expect(writes.remove(id) != nil, "\(event), which was not being written")
    case .storeRead(let id, _):
      expect(reads.remove(id) != nil, "\(event), which was not asked for")
    case .lockGranted: expect(wantsLock, "a lock was granted that was not asked for")
    case .launched: forget()
    case .signedIn, .signOutRequested, .refreshOrdered, .resumed, .unlocked, .storeCleared,
      .transferDelivered:
      break
    }
  }

  private func takeTimer(_ id: TimerID) {
    expect(timers[id, default: 0] > 0, "\(id) fired, which was not set")
    timers[id, default: 0] -= 1
    if let left = work[id] { work[id] = left > 1 ? left - 1 : nil }
  }

  fileprivate func take(_ effect: ClientEffect) {
    switch effect {
    case .send(let call, _):
      expect(calls[call] == .held, "\(effect) of a call that is \(stage(of: call))")
      calls[call] = .sent
    case .wait(let call):
      expect(calls[call] == .held, "\(effect) of one that is \(stage(of: call))")
    case .pause(let call, _):
      expect(calls[call] == .held, "\(effect) of a call that is \(stage(of: call))")
      calls[call] = .paused
    case .finish(let call, _):
      // A pause that its cancellation cuts short is held again.
      expect(calls[call] == .held, "\(effect) of a call that is \(stage(of: call))")
      calls[call] = nil
    case .refresh(let id, _):
      expect(!writes.contains(id), "\(effect), whose name is that of a pair being written")
      expect(refreshes.insert(id).inserted, "\(effect), which is awaited already")
    case .abandonRefresh(let id): refreshes.remove(id)
    case .store(let id, _, _, _):
      expect(writes.insert(id).inserted, "\(effect), which is being written already")
    case .setTimer(let id, let nanoseconds, let purpose):
      expect(nanoseconds >= 0, "\(effect) back in time")
      timers[id, default: 0] += 1
      if purpose == .work { work[id, default: 0] += 1 }
    case .holdBackgroundTask: holdsTask = true
    case .releaseBackgroundTask:
      expect(holdsTask, "a background task was released that was not held")
      holdsTask = false
    case .readStore(let id):
      expect(reads.insert(id).inserted, "\(effect), which is under way already")
    case .acquireLock:
      expect(!wantsLock, "the lock was asked for twice")
      wantsLock = true
    case .releaseLock:
      expect(wantsLock, "a lock was released that was not asked for")
      wantsLock = false
    case .cutRefreshChain, .clearStore, .revoke, .endSession, .notifySignOut, .storeLogin,
      .recordRefresh:
      break
    }
  }

  private func stage(of call: CallID) -> String { calls[call].map { "\($0)" } ?? "over" }

  /// Whoever holds a background task is about to be told something.
  fileprivate func lookForForgottenTask(after event: ClientEvent) {
    guard holdsTask, refreshes.isEmpty, writes.isEmpty, work.isEmpty, reads.isEmpty, !wantsLock
    else { return }
    complaints.append("after \(event) a background task is held for nothing")
    holdsTask = false
  }
}
