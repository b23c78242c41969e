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
    post(id, now, &effects)
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

  /// The session stays; the calls that waited use what is still trusted, or fail.
  mutating func fail(
    _ id: RefreshID, _ outcome: CallOutcome, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    end(id, .useTrustedOrFinish(outcome), now, &effects)
  }

  /// The refresh was rejected, or failed in a way that the client takes for the end of the session.
  mutating func endSession(
    _ id: RefreshID, _ reason: ClientEffect.SignOutReason, _ now: ClockReading,
    _ effects: inout ClientEffects
  ) {
    let flight = flights[id.slot]
    switch decisions.rejection {
    case .adoptNewer:
      if isOfOtherPair(flight) { return end(id, .goOn, now, &effects) }
      if held != nil, flight.session == session {
        flights[id.slot].stage = .rejected(reason)
        return read(.flight(id, number: flight.number), &effects)
      }
    case .resend: if held != nil, mayResend(flight) { return end(id, .resend, now, &effects) }
    case .endSession: break
    }
    endSessionForGood(id, reason, now, &effects)
  }

  /// Nothing newer than what was rejected is left to try.
  mutating func endSessionForGood(
    _ id: RefreshID, _ reason: ClientEffect.SignOutReason, _ now: ClockReading,
    _ effects: inout ClientEffects
  ) {
    let flight = flights[id.slot]
    if decisions.endsSession == .presenterOfCurrent,
      isOfOtherPair(flight) || flight.session != session
    {
      end(id, .finish(.signedOut), now, &effects)
    } else {
      dropSession(reason, &effects)
      end(id, .signOut, now, &effects)
    }
  }

  /// Whether the pair in memory is another than the one that the flight presented.
  private func isOfOtherPair(_ flight: Flight) -> Bool {
    held.map { $0.refresh != flight.presented } ?? false
  }

  private mutating func mayResend(_ flight: Flight) -> Bool {
    (calls[flight.waiters.first]?.resendsLeft ?? 0) > 0
  }

  /// Ends the session, unasked by the person.
  ///
  /// A store that is empty already is left alone: somebody may be about to sign in there.
  mutating func dropSession(
    _ reason: ClientEffect.SignOutReason, _ effects: inout ClientEffects
  ) {
    effects.append(.endSession(reason))
    if decisions.afterRejection == .clearPair {
      session += 1
      held = nil
      if reason != .storeWithoutPair { effects.append(.clearStore) }
    }
    if decisions.notices == .once, !hasToldSignOut { effects.append(.notifySignOut) }
    hasToldSignOut = true
  }

  /// The person signed out: refreshes are cancelled, and the calls that waited fail.
  mutating func abandonAll(_ now: ClockReading, _ effects: inout ClientEffects) {
    var line = queue
    queue = WaitingLine()
    for slot in flights.slots where flights[slot].isUnanswered {
      let id = RefreshID(slot: slot)
      abandon(id, &effects)
      end(id, .finish(.signedOut), now, &effects)
    }
    while let call = calls.takeFirst(of: &line) { finish(call, .signedOut, &effects) }
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
