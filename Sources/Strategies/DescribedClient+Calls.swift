import SimCore

/// Calls: before they are sent, after a 401, and while they wait.
extension DescribedClient {
  mutating func start(
    _ call: CallID, _ traits: CallTraits, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    calls.begin(
      CallState(
        call: call, needsToken: traits.needsToken, captured: held?.refresh,
        resendsLeft: Int32(clamping: decisions.resends)))
    guard traits.needsToken else { return effects.append(.send(call, nil)) }
    guard let held else { return startWithoutPair(call, &effects) }
    let running = shared.first ?? shared.second
    if running != nil, decisions.duringRefresh == .useTrusted, isTrusted(held, now) {
      send(call, held.access, &effects)
    } else if isTooOld(held, now) {
      refresh(for: call, isReactive: false, now, &effects)
    } else if let running, decisions.merge == .singleFlight {
      join(running, call, &effects)
    } else {
      send(call, held.access, &effects)
    }
  }

  private mutating func startWithoutPair(_ call: CallID, _ effects: inout ClientEffects) {
    switch decisions.withoutPair {
    case .fail: effects.append(.finish(call, .signedOut))
    case .send: effects.append(.send(call, nil))
    }
  }

  mutating func send(_ call: CallID, _ token: AccessToken, _ effects: inout ClientEffects) {
    calls[call].sentWith = token
    calls[call].deadline = 0
    effects.append(.send(call, token))
  }

  mutating func unauthorized(
    _ call: CallID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    let state = calls[call]
    guard state.resendsLeft > 0, state.needsToken, decisions.afterUnauthorized != .giveBack
    else { return effects.append(.finish(call, .unauthorized)) }
    guard let held else { return effects.append(.finish(call, .signedOut)) }
    calls[call].resendsLeft -= 1
    let isSuperseded =
      decisions.afterUnauthorized == .refreshUnlessSuperseded && state.sentWith != held.access
    if isSuperseded, running(isReactive: true) == nil {
      send(call, held.access, &effects)
    } else {
      refresh(for: call, isReactive: true, now, &effects)
    }
  }

  /// The request of the call is abandoned already; what remains is the call itself, and the refresh it began.
  mutating func cancelled(_ call: CallID, _ now: ClockReading, _ effects: inout ClientEffects) {
    let state = calls[call]
    if state.waitsFor == CallState.turn {
      calls.remove(call, from: &queue)
      return effects.append(.finish(call, .cancelled))
    }
    guard state.waitsFor >= 0 else { return effects.append(.finish(call, .cancelled)) }
    let id = RefreshID(slot: state.waitsFor)
    let owns = flights[id.slot].owner == call.number && !flights[id.slot].isGranted
    if owns, decisions.owner == .startingCall || decisions.merge == .none {
      die(id, with: call, now, &effects)
    } else if decisions.waiters == .leave {
      calls.remove(call, from: &flights[id.slot].waiters)
      effects.append(.finish(call, .cancelled))
    } else {
      calls[call].isCancelled = true
    }
  }

  /// The refresh dies with the call that owned it; those who waited start anew.
  private mutating func die(
    _ id: RefreshID, with call: CallID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    effects.append(.abandonRefresh(id))
    calls.remove(call, from: &flights[id.slot].waiters)
    effects.append(.finish(call, .cancelled))
    guard decisions.onFailure.cancelled != .endSession else {
      return endSession(id, .failed, now, &effects)
    }
    var flight = end(id)
    let isReactive = flight.isReactive
    while let waiter = calls.takeFirst(of: &flight.waiters) {
      refresh(for: waiter, isReactive: isReactive, now, &effects)
    }
    release(flight, &effects)
    serveQueue(now, &effects)
  }

  /// The deadline of a call that waits has passed.
  mutating func waitedTooLong(
    _ slot: Int32, deadline: Int32, _ effects: inout ClientEffects
  ) {
    guard let state = calls[slot], state.deadline == deadline else { return }
    switch state.waitsFor {
    case CallState.nothing: return
    case CallState.turn: calls.remove(state.call, from: &queue)
    case let flight: calls.remove(state.call, from: &flights[flight].waiters)
    }
    effects.append(.finish(state.call, state.isCancelled ? .cancelled : .timeout))
  }

  // MARK: Lines of calls that wait

  /// Lets `call` wait for a refresh that runs.
  mutating func join(_ id: RefreshID, _ call: CallID, _ effects: inout ClientEffects) {
    calls.append(call, to: &flights[id.slot].waiters, waitingFor: id.slot)
    noteWait(call, &effects)
  }

  /// Lets `call` wait for its turn.
  mutating func queue(_ call: CallID, _ effects: inout ClientEffects) {
    calls.append(call, to: &queue, waitingFor: CallState.turn)
    noteWait(call, &effects)
  }

  /// Sets the deadline of a wait, which lasts until the call is sent, however often it begins anew.
  private mutating func noteWait(_ call: CallID, _ effects: inout ClientEffects) {
    effects.append(.wait(call))
    guard let deadline = decisions.waiterDeadline, calls[call].deadline == 0 else { return }
    deadlinesSet += 1
    calls[call].deadline = deadlinesSet
    effects.append(
      .setTimer(
        TimerName(.waiterDeadline, serial: deadlinesSet, slot: call.slot).id,
        nanoseconds: deadline.nanoseconds, .work))
  }

  /// Ends a call that waited, unless it was cancelled meanwhile, which it ends as.
  mutating func finish(_ call: CallID, _ outcome: CallOutcome, _ effects: inout ClientEffects) {
    effects.append(.finish(call, calls[call].isCancelled ? .cancelled : outcome))
  }

  /// Sends a call that waited, unless it was cancelled meanwhile.
  mutating func goOn(_ call: CallID, _ token: AccessToken, _ effects: inout ClientEffects) {
    guard !calls[call].isCancelled else {
      return effects.append(.finish(call, .cancelled))
    }
    send(call, token, &effects)
  }
}

extension APIStatus {
  /// How a call ends that is answered so, and not tried again.
  var outcome: CallOutcome {
    switch self {
    case .ok: .succeeded
    case .unauthorized: .unauthorized
    case .forbidden: .forbidden
    case .tooManyRequests: .tooManyRequests
    case .clientError: .clientError
    case .serverError: .serverError
    case .malformed: .malformed
    }
  }
}

extension RequestFailure {
  /// How a call ends whose request failed so.
  var outcome: CallOutcome {
    switch self {
    case .transport: .transport
    case .timeout: .timeout
    }
  }
}
