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
    let device = devices[process.device]
    return world.clock.readings(
      at: now, stepped: device.clockStep, asleep: process.asleep, startedAt: device.startedAt)
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
    case .store(let id, let access, let refresh, let end):
      store(id, pair(access, refresh, believedEnd: end))
    case .storeLogin(let access, let refresh, let end):
      stores[process.store].pair = pair(access, refresh, believedEnd: end)
    case .clearStore: clearStore()
    case .readStore(let id): read(id)
    case .recordRefresh: recordRefresh()
    case .acquireLock: acquireLock()
    case .releaseLock: releaseLock()
    case .revoke(let token): sendRevocation(of: token)
    case .setTimer(let id, let nanoseconds, .work):
      setTimer(.timerFires(timers.insert(Timer(id: id, life: process.life))), nanoseconds)
    case .setTimer(let id, let nanoseconds, .schedule):
      setTimer(.scheduleFires(timers.insert(Timer(id: id, life: process.life))), nanoseconds)
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
    let timer = timers[slot]
    timers.remove(slot)
    guard timer.life == process.life else { return }
    deliver(.timerFired(timer.id))
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
    for slot in exchanges.slots where exchanges[slot].isAwaited && isOwn(slot) {
      if case .refresh(id) = exchanges[slot].subject, exchanges[slot].life == process.life {
        return slot
      }
    }
    return nil
  }

  private mutating func abandonRefresh(_ id: RefreshID) {
    guard let slot = slot(ofRefresh: id) else { return }
    tell(.refreshAbandoned(exchanges[slot].number))
    giveUp(slot)
  }

  private mutating func endSession(_ reason: ClientEffect.SignOutReason) {
    guard process.hasSession else { return }
    process.hasSession = false
    process.lostFamily = process.family
    tell(.signedOut(reason, needlessly: holdsLiveToken()))
  }

  /// Whether the server would still answer a refresh token in the device's memory or store.
  private mutating func holdsLiveToken() -> Bool {
    if wouldAnswer(stores[process.store].pair?.refresh) { return true }
    let device = process.device
    for position in 0..<processCount {
      let memory = memory(of: position)
      if memory.device == device, wouldAnswer(memory.token) { return true }
    }
    return false
  }

  private mutating func wouldAnswer(_ token: RefreshToken?) -> Bool {
    guard let token else { return false }
    return server.wouldAnswer(token, ledger, at: now)
  }
}
