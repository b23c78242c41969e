import SimCore

/// Refreshes that fail: what is tried again, what ends the session.
extension DescribedClient {
  mutating func failed(
    _ id: RefreshID, _ failure: Decisions.Failure, retryAfter: Int32, _ now: ClockReading,
    _ effects: inout ClientEffects
  ) {
    if failure == .invalidGrant, followChain(id, now, &effects) { return }
    if isRationed { lastFailure = (flights[id.slot].presented, time(now)) }
    switch decisions.onFailure[failure] {
    case .endSession:
      endSession(id, failure == .invalidGrant ? .rejected : .failed, now, &effects)
    case .keep: fail(id, failure.outcome, now, &effects)
    case .retry:
      if let pause = pause(before: id, retryAfter: retryAfter, now) {
        flights[id.slot].retries += 1
        let timer = TimerName(.retry, serial: flights[id.slot].number, slot: id.slot)
        effects.append(.setTimer(timer.id, nanoseconds: pause, .work))
      } else if failure == .invalidGrant {
        endSession(id, .rejected, now, &effects)
      } else {
        fail(id, failure.outcome, now, &effects)
      }
    }
  }

  /// A request that goes through the client which refreshes on an error asks for a refresh itself.
  private mutating func followChain(
    _ id: RefreshID, _ now: ClockReading, _ effects: inout ClientEffects
  ) -> Bool {
    guard decisions.refreshRequest == .throughClient else { return false }
    guard flights[id.slot].chain < Self.longestChain else {
      effects.append(.cutRefreshChain)
      return false
    }
    flights[id.slot].chain += 1
    sendAgain(id, now, &effects)
    return true
  }

  /// How long to wait before the refresh is sent again; nil if it is not.
  private mutating func pause(before id: RefreshID, retryAfter: Int32, _ now: ClockReading)
    -> Int64?
  {
    let flight = flights[id.slot]
    let retries = Int(flight.retries)
    guard retries < decisions.retries.count,
      decisions.retriesWhile == .always || flight.isProtected
    else { return nil }
    var pause = decisions.retries[retries].nanoseconds
    let widest = Int64(decisions.retryJitter * Double(pause))
    pause += jitter(upTo: widest, Int(flight.number), for: 16 + retries)
    if decisions.heedsRetryAfter { pause = max(pause, Int64(retryAfter) * 1_000_000_000) }
    if let budget = decisions.retryBudget,
      time(now) - flight.startedAt + pause > budget.nanoseconds
    {
      return nil
    }
    return pause
  }

  mutating func sendAgain(
    _ id: RefreshID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    flights[id.slot].sentAt = time(now)
    effects.append(.refresh(id, presenting: flights[id.slot].presented))
  }

  /// The session stays; the calls that waited use what is still trusted, or fail.
  mutating func fail(
    _ id: RefreshID, _ outcome: CallOutcome, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    var flight = end(id)
    while let call = calls.takeFirst(of: &flight.waiters) {
      let isFirst = calls[call].sentWith == nil
      if decisions.afterFailedCheck == .useTrusted, isFirst, let held, isTrusted(held, now) {
        goOn(call, held.access, &effects)
      } else {
        finish(call, outcome, &effects)
      }
    }
    release(flight, &effects)
    serveQueue(now, &effects)
  }

  /// The refresh was rejected, or failed in a way that the client takes for the end of the session.
  mutating func endSession(
    _ id: RefreshID, _ reason: ClientEffect.SignOutReason, _ now: ClockReading,
    _ effects: inout ClientEffects
  ) {
    var flight = end(id)
    let isOfOtherPair = held.map { $0.refresh != flight.presented } ?? false
    if let held, decisions.rejection == .adoptNewer, isOfOtherPair {
      while let call = calls.takeFirst(of: &flight.waiters) { goOn(call, held.access, &effects) }
    } else if let held, decisions.rejection == .resend, mayResend(flight) {
      resend(&flight, held.access, &effects)
    } else if decisions.endsSession == .presenterOfCurrent,
      isOfOtherPair || flight.session != session
    {
      while let call = calls.takeFirst(of: &flight.waiters) { finish(call, .signedOut, &effects) }
    } else {
      signOutUnasked(&flight, reason, &effects)
    }
    release(flight, &effects)
    serveQueue(now, &effects)
  }

  private mutating func mayResend(_ flight: Flight) -> Bool {
    (calls[flight.waiters.first]?.resendsLeft ?? 0) > 0
  }

  private mutating func resend(
    _ flight: inout Flight, _ token: AccessToken, _ effects: inout ClientEffects
  ) {
    while let call = calls.takeFirst(of: &flight.waiters) {
      if calls[call].resendsLeft > 0 {
        calls[call].resendsLeft -= 1
        goOn(call, token, &effects)
      } else {
        finish(call, .signedOut, &effects)
      }
    }
  }

  private mutating func signOutUnasked(
    _ flight: inout Flight, _ reason: ClientEffect.SignOutReason, _ effects: inout ClientEffects
  ) {
    effects.append(.endSession(reason))
    if decisions.afterRejection == .clearPair {
      session += 1
      held = nil
      effects.append(.clearStore)
    }
    if decisions.notices == .once, !hasToldSignOut { effects.append(.notifySignOut) }
    hasToldSignOut = true
    while let call = calls.takeFirst(of: &flight.waiters) {
      if decisions.notices == .perFailedCall { effects.append(.notifySignOut) }
      finish(call, .signedOut, &effects)
    }
  }

  /// The person signed out: refreshes are cancelled, and the calls that waited fail.
  mutating func abandonAll(_ effects: inout ClientEffects) {
    for slot in flights.slots where isRunning(slot) {
      let id = RefreshID(slot: slot)
      effects.append(.abandonRefresh(id))
      var flight = end(id)
      while let call = calls.takeFirst(of: &flight.waiters) { finish(call, .signedOut, &effects) }
      release(flight, &effects)
    }
    while let call = calls.takeFirst(of: &queue) { finish(call, .signedOut, &effects) }
  }

  /// Whether a slot holds a refresh that has not been answered.
  private func isRunning(_ slot: Int32) -> Bool {
    !flights[slot].isOver && !flights[slot].isGranted
  }
}

extension Decisions.Failure {
  /// How a call ends whose refresh failed so.
  var outcome: CallOutcome {
    switch self {
    case .transport: .transport
    case .timeout: .timeout
    case .cancelled: .cancelled
    case .forbidden: .forbidden
    case .tooManyRequests: .tooManyRequests
    case .clientError: .clientError
    case .serverError: .serverError
    case .malformed: .malformed
    case .invalidGrant: .signedOut
    }
  }
}

extension TokenError {
  /// The kind of failure that a client takes it for.
  var failure: Decisions.Failure {
    switch self {
    case .invalidGrant: .invalidGrant
    case .forbidden: .forbidden
    case .tooManyRequests: .tooManyRequests
    case .clientError: .clientError
    case .serverError: .serverError
    case .malformed: .malformed
    }
  }
}
