import SimCore

/// The store: what is written to it, and what becomes of a pair that could not be.
extension DescribedClient {
  /// Notes the pair that a flight brought.
  mutating func grant(_ pair: HeldPair, to id: RefreshID) {
    while grants.count <= Int(id.slot) { grants.append(pair) }
    grants[Int(id.slot)] = pair
    flights[id.slot].stage = .writing
    flights[id.slot].retries = 0
  }

  /// Writes the pair of a flight.
  mutating func write(_ id: RefreshID, _ effects: inout ClientEffects) {
    let pair = grants[Int(id.slot)]
    effects.append(.store(id, persisted(pair.access), pair.refresh, believedEnd: pair.end))
  }

  /// The pair is in the store.
  mutating func stored(_ id: RefreshID, _ now: ClockReading, _ effects: inout ClientEffects) {
    if flights[id.slot].stage == .writing {
      complete(id, now, &effects)
    } else if held?.flight == flights[id.slot].number {
      held?.isStored = true
    }
    release(remove(id), &effects)
  }

  /// The pair could not be written.
  mutating func storeFailed(
    _ id: RefreshID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    let flight = flights[id.slot]
    if Int(flight.retries) < decisions.storeRetries.count {
      let pause = decisions.storeRetries[Int(flight.retries)].nanoseconds
      flights[id.slot].retries += 1
      let timer = TimerName(.retry, serial: flight.number, slot: id.slot)
      return effects.append(.setTimer(timer.id, nanoseconds: pause, .work))
    }
    switch decisions.afterFailedWrite {
    case .useAnyway: stored(id, now, &effects)
    case .failCalls: withhold(id, now, &effects)
    }
  }

  /// Fails the calls that waited for a pair which is in no store, and keeps it from others until it is.
  ///
  /// It is the only copy of a token that is not spent, so it stays in memory. A pair in use is left alone.
  private mutating func withhold(
    _ id: RefreshID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    if flights[id.slot].stage == .writing, isOfSession(id) {
      withheld = grants[Int(id.slot)]
      held = withheld?.withoutAccess
    }
    end(id, .finish(.noUsableToken), now, &effects)
  }

  /// Writes the pair of a flight again, unless its session is over and it would bring that back.
  mutating func writeAgain(
    _ id: RefreshID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    if isOfSession(id) {
      write(id, &effects)
    } else {
      end(id, .startAnew, now, &effects)
    }
  }

  private func isOfSession(_ id: RefreshID) -> Bool {
    flights[id.slot].session == session || decisions.accept == .always
  }

  // MARK: Answers that the system brings

  /// The system brings the answer to a refresh that a process before this one sent, or this one gave up.
  mutating func delivered(
    _ reply: TokenReply, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    guard knowledge == .read else {
      postponed.delivery = reply
      return
    }
    switch reply {
    case .granted(let response):
      // Who has signed out since is not signed in again, unless every answer is taken.
      guard held != nil || decisions.accept == .always else { return }
      let id = insertFlight(
        held?.refresh ?? response.refreshToken, owner: 0, isReactive: false, now)
      if decisions.merge != .none, shared.first == nil { shared.first = id }
      granted(id, response, now, &effects)
    case .failed(.invalidGrant, _):
      guard let held else { return }
      let id = insertFlight(held.refresh, owner: 0, isReactive: false, now)
      endSession(id, .rejected, now, &effects)
    case .failed: break
    }
  }
}
