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
    startWithToken(call, now, &effects)
  }

  private mutating func startWithToken(
    _ call: CallID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    guard let held else { return startWithoutPair(call, &effects) }
    let running = shared.first ?? shared.second
    if running != nil, decisions.duringRefresh == .useTrusted, let access = trusted(held, now) {
      send(call, access, &effects)
    } else if let access = usable(held, now) {
      if let running, decisions.merge == .singleFlight {
        join(running, call, &effects)
      } else {
        send(call, access, &effects)
      }
    } else {
      refresh(for: call, isReactive: false, now, &effects)
    }
  }

  private mutating func startWithoutPair(_ call: CallID, _ effects: inout ClientEffects) {
    guard knowledge == .read else { return awaitReading(call, &effects) }
    switch decisions.withoutPair {
    case .fail: effects.append(.finish(call, .signedOut))
    case .send: effects.append(.send(call, nil))
    }
  }

  /// Lets a call that waited decide again, by the pair that is in memory now.
  mutating func startAnew(
    _ call: CallID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    guard !calls[call].isCancelled else { return finish(call, .cancelled, &effects) }
    guard let rejected = calls[call].sentWith else {
      return startWithToken(call, now, &effects)
    }
    guard let held else { return finish(call, .signedOut, &effects) }
    if let access = held.access, access != rejected {
      send(call, access, &effects)
    } else {
      refresh(for: call, isReactive: true, now, &effects)
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
    let runs = running(isReactive: true) != nil
    if isSuperseded, !runs, let access = held.access {
      send(call, access, &effects)
    } else if rereadsAfterUnauthorized, !runs {
      awaitReading(call, &effects)
    } else {
      refresh(for: call, isReactive: true, now, &effects)
    }
  }

  /// The request of the call is abandoned already; what remains is the call itself, and the refresh it began.
  mutating func cancelled(_ call: CallID, _ now: ClockReading, _ effects: inout ClientEffects) {
    let state = calls[call]
    guard state.waitsFor >= 0 else {
      leave(state)
      return effects.append(.finish(call, .cancelled))
    }
    let id = RefreshID(slot: state.waitsFor)
    let owns = flights[id.slot].owner == call.number && flights[id.slot].stage != .writing
    if owns, decisions.owner == .startingCall || decisions.merge == .none {
      die(id, with: state, now, &effects)
    } else if decisions.waiters == .leave {
      leave(state)
      effects.append(.finish(call, .cancelled))
    } else {
      calls[call].isCancelled = true
    }
  }

  /// The refresh dies with the call that owned it; those who waited start anew.
  private mutating func die(
    _ id: RefreshID, with owner: CallState, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    abandon(id, &effects)
    leave(owner)
    effects.append(.finish(owner.call, .cancelled))
    if decisions.onFailure.cancelled == .endSession {
      endSession(id, .failed, now, &effects)
    } else {
      end(id, .refreshAnew, now, &effects)
    }
  }

  /// The deadline of a call that waits has passed.
  mutating func waitedTooLong(
    _ slot: Int32, deadline: Int32, _ effects: inout ClientEffects
  ) {
    guard let state = calls[slot], state.deadline == deadline,
      state.waitsFor != CallState.nothing
    else { return }
    leave(state)
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

  /// Lets `call` wait for a reading of the store, which begins unless one is under way for others.
  mutating func awaitReading(_ call: CallID, _ effects: inout ClientEffects) {
    let begins = readers.isEmpty && knowledge == .read
    calls.append(call, to: &readers, waitingFor: CallState.reading)
    noteWait(call, &effects)
    if begins { read(.calls, &effects) }
  }

  /// Takes a call out of the line in which it waits, if it does.
  private mutating func leave(_ state: CallState) {
    switch state.waitsFor {
    case CallState.nothing: break
    case CallState.turn: calls.remove(state.call, from: &queue)
    case CallState.reading: calls.remove(state.call, from: &readers)
    case let flight: calls.remove(state.call, from: &flights[flight].waiters)
    }
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

  /// Sends a call that waited with the token in memory; where that is not kept, it waits on for a refresh.
  mutating func goOn(_ call: CallID, _ now: ClockReading, _ effects: inout ClientEffects) {
    guard let held else { return finish(call, .signedOut, &effects) }
    if let access = held.access {
      goOn(call, access, &effects)
    } else {
      // The token captured at its start may be the one that was just rejected, which would go on for ever.
      calls[call].captured = held.refresh
      refresh(for: call, isReactive: calls[call].sentWith != nil, now, &effects)
    }
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
