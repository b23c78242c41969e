import SimCore

/// Refreshes: how they start, meet, and end well.
extension DescribedClient {
  /// The longest chain in which the request of a refresh asks for a refresh.
  static let longestChain: Int32 = 3

  /// Lets `call` wait for a refresh: the one that is running if they are shared, its turn, or a new one.
  mutating func refresh(
    for call: CallID, isReactive: Bool, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    guard !calls[call].isCancelled else { return finish(call, .cancelled, &effects) }
    if let running = running(isReactive: isReactive) {
      return decisions.merge == .singleFlight
        ? join(running, call, &effects) : queue(call, &effects)
    }
    let captured = calls[call].captured
    guard let token = decisions.presents == .captured ? captured : held?.refresh else {
      return finish(call, .signedOut, &effects)
    }
    guard mayRefresh(token, now) else { return goWithoutRefresh(call, now, &effects) }
    let id = begin(token, owner: call.number, isReactive: isReactive, now, &effects)
    join(id, call, &effects)
  }

  /// A refresh that no call waits for, unless one runs already.
  mutating func refreshUnasked(
    isScheduled: Bool, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    guard running(isReactive: false) == nil, let held, mayRefresh(held.refresh, now) else {
      return
    }
    let id = begin(held.refresh, owner: 0, isReactive: false, now, &effects)
    flights[id.slot].isScheduled = isScheduled
  }

  /// The refresh of this path that callers share.
  mutating func running(isReactive: Bool) -> RefreshID? {
    decisions.flights == .perPath && isReactive ? shared.second : shared.first
  }

  private mutating func begin(
    _ token: RefreshToken, owner: Int32, isReactive: Bool, _ now: ClockReading,
    _ effects: inout ClientEffects
  ) -> RefreshID {
    let isProtected = decisions.protection == .backgroundTask
    flightsBegun += 1
    let flight = Flight(
      number: flightsBegun, presented: token, session: session, startedAt: time(now),
      isReactive: isReactive, owner: owner, sentAt: time(now), isProtected: isProtected)
    let id = RefreshID(slot: flights.insert(flight))
    if decisions.merge != .none {
      if decisions.flights == .perPath, isReactive { shared.second = id } else { shared.first = id }
    }
    if decisions.quota != nil { begun.append(time(now)) }
    if isProtected {
      protectedFlights += 1
      effects.append(.holdBackgroundTask)
    }
    effects.append(.refresh(id, presenting: token))
    return id
  }

  /// Whether quota and cool-down leave room for a refresh.
  private mutating func mayRefresh(_ token: RefreshToken, _ now: ClockReading) -> Bool {
    guard isRationed else { return true }
    if let quota = decisions.quota {
      let since = time(now) - quota.window.nanoseconds
      let recent = (0..<begun.count).count { begun[$0] > since }
      if recent >= quota.refreshes { return false }
    }
    if decisions.coolDown > .zero, let lastFailure, lastFailure.token == token {
      return time(now) - lastFailure.at >= decisions.coolDown.nanoseconds
    }
    return true
  }

  /// A call whose refresh is withheld uses what is still trusted, or fails.
  private mutating func goWithoutRefresh(
    _ call: CallID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    let isFirst = calls[call].sentWith == nil
    if decisions.afterFailedCheck == .useTrusted, isFirst, let held, isTrusted(held, now) {
      return goOn(call, held.access, &effects)
    }
    finish(call, .noUsableToken, &effects)
  }

  mutating func granted(
    _ id: RefreshID, _ response: TokenResponse, _ now: ClockReading,
    _ effects: inout ClientEffects
  ) {
    let flight = flights[id.slot]
    var pair = pair(from: response, requestedAt: flight.sentAt, now: now)
    pair.flight = flight.number
    guard accepts(pair, of: flight) else { return ignore(id, now, &effects) }
    if decisions.shortLived == .failBeforeStoring, isTooOld(pair, now) {
      return fail(id, .noUsableToken, now, &effects)
    }
    grant(pair, to: id)
    switch decisions.persist {
    case .beforeUse:
      if decisions.slotCleared == .beforeStore { clearSlot(id) }
      effects.append(.store(id, pair.access, pair.refresh, believedEnd: pair.end))
    case .writeThrough:
      effects.append(.store(id, pair.access, pair.refresh, believedEnd: pair.end))
      complete(id, now, &effects)
    case .never:
      complete(id, now, &effects)
      release(end(id), &effects)
    }
  }

  private mutating func grant(_ pair: HeldPair, to id: RefreshID) {
    while grants.count <= Int(id.slot) { grants.append(pair) }
    grants[Int(id.slot)] = pair
    flights[id.slot].isGranted = true
  }

  private mutating func accepts(_ pair: HeldPair, of flight: Flight) -> Bool {
    switch decisions.accept {
    case .always: true
    case .ifSessionUnchanged: flight.session == session
    case .ifSentLater: held.map { flight.session == session && flight.number > $0.flight } ?? false
    case .ifIssuedLater: held.map { flight.session == session && $0.expiry < pair.expiry } ?? false
    }
  }

  /// The answer is not taken; the calls go on with the pair in memory, if there is one.
  private mutating func ignore(
    _ id: RefreshID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    guard let held else { return fail(id, .signedOut, now, &effects) }
    var flight = end(id)
    while let call = calls.takeFirst(of: &flight.waiters) { goOn(call, held.access, &effects) }
    release(flight, &effects)
    serveQueue(now, &effects)
  }

  /// The pair is in the store.
  mutating func stored(_ id: RefreshID, _ now: ClockReading, _ effects: inout ClientEffects) {
    if !flights[id.slot].isOver { complete(id, now, &effects) }
    release(end(id), &effects)
  }

  /// The new pair is the one in memory, and the calls of its refresh go on with it.
  private mutating func complete(
    _ id: RefreshID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    let pair = grants[Int(id.slot)]
    held = pair
    flights[id.slot].isOver = true
    clearSlot(id)
    var waiters = flights[id.slot].waiters
    flights[id.slot].waiters = WaitingLine()
    while let call = calls.takeFirst(of: &waiters) { goOn(call, pair.access, &effects) }
    if decisions.schedule != .none {
      armSchedule(after: flights[id.slot], now, &effects)
    }
    serveQueue(now, &effects)
  }

  private mutating func clearSlot(_ id: RefreshID) {
    if shared.first == id { shared.first = nil }
    if shared.second == id { shared.second = nil }
  }

  /// Takes a flight out of the table, where what comes too late for it finds it over.
  mutating func end(_ id: RefreshID) -> Flight {
    let flight = flights[id.slot]
    flights[id.slot].isOver = true
    flights.remove(id.slot)
    clearSlot(id)
    return flight
  }

  /// Ends the background task with the last flight that counted on it.
  mutating func release(_ flight: Flight, _ effects: inout ClientEffects) {
    guard flight.isProtected else { return }
    protectedFlights -= 1
    if protectedFlights == 0 { effects.append(.releaseBackgroundTask) }
  }

  /// Lets those whose turn it is start a refresh, or go on where they no longer need one.
  mutating func serveQueue(_ now: ClockReading, _ effects: inout ClientEffects) {
    guard !queue.isEmpty else { return }
    var passedOver = WaitingLine()
    while hasFreePath, let call = calls.takeFirst(of: &queue) {
      if running(isReactive: calls[call].sentWith != nil) == nil {
        serve(call, now, &effects)
      } else {
        calls.append(call, to: &passedOver, waitingFor: CallState.turn)
      }
    }
    guard !passedOver.isEmpty else { return }
    while let call = calls.takeFirst(of: &queue) {
      calls.append(call, to: &passedOver, waitingFor: CallState.turn)
    }
    queue = passedOver
  }

  private var hasFreePath: Bool {
    shared.first == nil || (decisions.flights == .perPath && shared.second == nil)
  }

  private mutating func serve(
    _ call: CallID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    guard let held else { return finish(call, .signedOut, &effects) }
    let sentWith = calls[call].sentWith
    let needsNone = sentWith.map { $0 != held.access } ?? !isTooOld(held, now)
    if decisions.merge == .queueRechecking, needsNone {
      goOn(call, held.access, &effects)
    } else {
      refresh(for: call, isReactive: sentWith != nil, now, &effects)
    }
  }
}
