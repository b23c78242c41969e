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

  /// Whether this process may refresh, and quota and cool-down leave room for it.
  private mutating func mayRefresh(_ token: RefreshToken, _ now: ClockReading) -> Bool {
    guard isRationed else { return true }
    guard decisions.refreshes == .yes else { return false }
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
    guard decisions.refreshes == .yes else { return awaitReading(call, &effects) }
    goOn(call, after: .useTrustedOrFinish(.noUsableToken), isReactive: false, now, &effects)
  }

  mutating func granted(
    _ id: RefreshID, _ response: TokenResponse, _ now: ClockReading,
    _ effects: inout ClientEffects
  ) {
    let flight = flights[id.slot]
    var pair = pair(from: response, requestedAt: flight.sentAt, now: now)
    pair.flight = flight.number
    guard accepts(pair, of: flight) else { return ignore(id, now, &effects) }
    if decisions.shortLived == .failBeforeStoring, usable(pair, now) == nil {
      return fail(id, .noUsableToken, now, &effects)
    }
    grant(pair, to: id)
    switch decisions.persist {
    case .beforeUse:
      if decisions.slotCleared == .beforeStore { clearSlot(id) }
      write(id, &effects)
    case .writeThrough:
      write(id, &effects)
      complete(id, now, &effects)
      held?.isStored = false
    case .never:
      complete(id, now, &effects)
      held?.isStored = false
      release(remove(id), &effects)
    }
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
    guard held != nil else { return fail(id, .signedOut, now, &effects) }
    end(id, .goOn, now, &effects)
  }

  /// The new pair is the one in memory, and the calls of its refresh go on with it.
  mutating func complete(
    _ id: RefreshID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    let pair = grants[Int(id.slot)]
    held = pair
    flights[id.slot].stage = .writingInUse
    clearSlot(id)
    var waiters = flights[id.slot].waiters
    flights[id.slot].waiters = WaitingLine()
    while let call = calls.takeFirst(of: &waiters) { goOn(call, now, &effects) }
    if decisions.schedule != .none {
      armSchedule(after: flights[id.slot], now, &effects)
    }
    serveQueue(now, &effects)
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
    let needsNone = sentWith.map { $0 != held.access } ?? (usable(held, now) != nil)
    if decisions.merge == .queueRechecking, needsNone {
      goOn(call, now, &effects)
    } else {
      refresh(for: call, isReactive: sentWith != nil, now, &effects)
    }
  }
}
