/// Events to the client, and what it asks for.
extension Simulation {
  mutating func deliver(_ event: ClientEvent) {
    hand(event)
    // A write that takes no time is over before anything else happens.
    if !immediate.isEmpty { deliverImmediate() }
    // The system stops no code in the middle of a step, and not at all if that takes up another task.
    guard releasesTask else { return }
    releasesTask = false
    follow(process.lifecycle.releaseTask())
  }

  private mutating func deliverImmediate() {
    var next = 0
    while next < immediate.count {
      hand(immediate[next])
      next += 1
    }
    immediate.removeAll()
  }

  /// What the device's clocks show now.
  var clockReading: ClockReading {
    world.clock.readings(at: now, stepped: process.clockStep, asleep: process.asleep)
  }

  private mutating func hand(_ event: ClientEvent) {
    effects.removeAll()
    process.client.handle(event, now: clockReading, effects: &effects)
    for index in 0..<effects.count { perform(effects[index]) }
  }

  private mutating func perform(_ effect: ClientEffect) {
    switch effect {
    case .send(let call, let token): send(call, with: token)
    case .wait(let call): tell(.callWaits(call.number))
    case .pause(let call, let nanoseconds):
      tell(.callPaused(call.number, nanoseconds: nanoseconds))
      setTimer(.pauseEnds(call.number), nanoseconds)
    case .finish(let call, let outcome): finish(call, outcome)
    case .refresh(let id, let token): sendRefresh(id, presenting: token)
    case .abandonRefresh(let id): abandonRefresh(id)
    case .cutRefreshChain: tell(.refreshChainCut)
    case .store(let id, let access, let refresh, _):
      store(id, .init(refresh: refresh, access: access ?? AccessToken(id: -1)))
    case .storeLogin, .readStore, .recordRefresh, .acquireLock, .releaseLock: break
    case .clearStore: process.store = nil
    case .revoke(let token): sendRevocation(of: token)
    case .setTimer(let id, let nanoseconds, .work):
      setTimer(.timerFires(timers.insert(id)), nanoseconds)
    case .setTimer(let id, let nanoseconds, .schedule):
      setTimer(.scheduleFires(timers.insert(id)), nanoseconds)
    case .holdBackgroundTask:
      releasesTask = false
      process.lifecycle.holdTask()
    case .releaseBackgroundTask: releasesTask = true
    case .endSession(let reason): endSession(reason)
    case .notifySignOut: tell(.signOutNotified)
    }
  }

  private mutating func setTimer(_ event: SimulationEvent, _ nanoseconds: Int64) {
    _ = schedule(
      event, after: world.clock.trueLength(ofMeasured: nanoseconds), drawnFrom: .timeout)
  }

  mutating func timerFires(_ slot: Int32) {
    let id = timers[slot]
    timers.remove(slot)
    deliver(.timerFired(id))
  }

  mutating func scheduleFires(_ slot: Int32) {
    if now < world.horizon { timerFires(slot) } else { timers.remove(slot) }
  }

  private mutating func finish(_ call: CallID, _ outcome: CallOutcome) {
    process.calls[call.slot].isOpen = false
    process.calls.remove(call.slot)
    tell(.callEnded(call.number, outcome))
  }

  /// The exchange of a refresh whose answer is awaited.
  private func slot(ofRefresh id: RefreshID) -> Int32? {
    exchanges.slots.first {
      if case .refresh(id) = exchanges[$0].subject { exchanges[$0].isAwaited } else { false }
    }
  }

  private mutating func abandonRefresh(_ id: RefreshID) {
    guard let slot = slot(ofRefresh: id) else { return }
    tell(.refreshAbandoned(exchanges[slot].number))
    giveUp(slot)
  }

  private mutating func store(_ id: RefreshID, _ pair: Process.StoredPair) {
    process.writes += 1
    guard world.storeTakesTime else {
      write(pair)
      return immediate.append(.stored(id))
    }
    let address = DrawAddress(.write, number: Int(process.writes))
    let length = world.storeWrite.sample(streams.store, at: address)
    let slot = writes.insert(PendingWrite(id: id, pair: pair))
    _ = schedule(.storeWritten(slot), after: length, drawnFrom: .storeWrite)
  }

  mutating func storeWritten(_ slot: Int32) {
    let pending = writes[slot]
    writes.remove(slot)
    write(pending.pair)
    deliver(.stored(pending.id))
  }

  private mutating func write(_ pair: Process.StoredPair) {
    let isStale = (process.store?.access.id ?? -1) > pair.access.id
    process.store = pair
    tell(.pairStored(pair.refresh, stale: isStale))
  }

  private mutating func endSession(_ reason: ClientEffect.SignOutReason) {
    guard process.hasSession else { return }
    process.hasSession = false
    tell(.signedOut(reason, needlessly: holdsLiveToken()))
  }

  /// Whether the server would still answer a refresh token in the device's memory or store.
  private func holdsLiveToken() -> Bool {
    wouldAnswer(process.store?.refresh) || wouldAnswer(process.lastRead)
  }

  private func wouldAnswer(_ token: RefreshToken?) -> Bool {
    guard let token else { return false }
    return server.wouldAnswer(token, ledger, at: now)
  }
}

/// A pair on its way to the store.
struct PendingWrite {
  let id: RefreshID
  let pair: Process.StoredPair
}
