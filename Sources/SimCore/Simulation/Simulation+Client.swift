/// Events to the client, and what it asks for.
extension Simulation {
  mutating func deliver(_ event: ClientEvent) {
    hand(event)
    // A write to the store takes no time: what follows from it comes before anything else happens.
    guard !immediate.isEmpty else { return }
    var next = 0
    while next < immediate.count {
      hand(immediate[next])
      next += 1
    }
    immediate.removeAll()
  }

  /// Delivers an event, or keeps it until the app's code runs again.
  mutating func deliverOrDefer(_ event: ClientEvent) {
    if process.lifecycle.isSuspended { process.overdue.append(event) } else { deliver(event) }
  }

  private mutating func hand(_ event: ClientEvent) {
    effects.removeAll()
    process.client.handle(event, now: world.clock.reading(at: now), effects: &effects)
    for index in 0..<effects.count { perform(effects[index]) }
  }

  private mutating func perform(_ effect: ClientEffect) {
    switch effect {
    case .send(let call, let token): send(call, with: token)
    case .wait(let call): tell(.callWaits(call.number))
    case .finish(let call, let outcome): finish(call, outcome)
    case .refresh(let id, let token): sendRefresh(id, presenting: token)
    case .store(let id, let response): store(id, response)
    case .clearStore: process.store = nil
    case .setTimer(let id, let nanoseconds):
      _ = schedule(
        .timerFires(id), after: world.clock.trueLength(ofMeasured: nanoseconds),
        drawnFrom: .timeout)
    case .holdBackgroundTask: process.lifecycle.holdTask()
    case .releaseBackgroundTask: follow(process.lifecycle.releaseTask())
    case .endSession: endSession()
    case .notifySignOut: tell(.signOutNotified)
    }
  }

  private mutating func finish(_ call: CallID, _ outcome: CallOutcome) {
    process.calls[call.slot].isOpen = false
    process.calls.remove(call.slot)
    tell(.callEnded(call.number, outcome))
  }

  private mutating func store(_ id: RefreshID, _ response: TokenResponse) {
    let isStale = (process.store?.access.id ?? -1) > response.accessToken.id
    process.store = .init(refresh: response.refreshToken, access: response.accessToken)
    tell(.pairStored(response.refreshToken, stale: isStale))
    immediate.append(.stored(id))
  }

  private mutating func endSession() {
    guard process.hasSession else { return }
    process.hasSession = false
    tell(.signedOut(needlessly: holdsLiveToken()))
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
