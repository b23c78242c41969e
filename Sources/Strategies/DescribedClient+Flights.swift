import SimCore

/// The way of a refresh, from the moment it is needed to its end.
extension DescribedClient {
  struct Flight {
    let number: Int32
    var presented: RefreshToken
    /// The access token in memory when it began.
    let replaces: AccessToken?
    let session: Int32
    let isReactive: Bool
    /// The number of the call that began it; 0 for none.
    let owner: Int32
    /// When it was sent first, and last, by the chosen clock.
    var startedAt: Int64
    var sentAt: Int64
    /// How often it was sent again, or later how often its pair was written again.
    var retries: Int32 = 0
    /// Requests in the chain of a refresh that goes through the client.
    var chain: Int32 = 1
    var isProtected = false
    var isLocked = false
    var isScheduled = false
    var stage: Stage
    var waiters = WaitingLine()

    /// Whether it has yet to be answered, or to be sent.
    var isUnanswered: Bool {
      switch stage {
      case .awaitingLock, .reading, .sent, .rejected: true
      case .writing, .writingInUse, .over: false
      }
    }
  }

  /// How far a flight has come.
  enum Stage: Equatable {
    case awaitingLock
    /// It reads the store before it is sent.
    case reading
    /// Its request is under way, or rests before it is sent again.
    case sent
    /// It was refused, and reads the store for a newer pair before the session ends.
    case rejected(ClientEffect.SignOutReason)
    /// Its pair, which stands in ``grants``, is being written, and its calls wait for that.
    case writing
    /// Its pair is being written, and its calls have gone on.
    case writingInUse
    /// Its slot is free.
    case over
  }

  enum LockState {
    case free
    case awaited
    case held
  }

  /// What the calls that waited do when a flight ends without a pair of its own.
  enum Ending {
    case finish(CallOutcome)
    /// A call that was not sent before may use what is still trusted; the others end so.
    case useTrustedOrFinish(CallOutcome)
    /// They go on with the pair in memory.
    case goOn
    /// They decide again, by the pair in memory.
    case startAnew
    /// They ask for a refresh again.
    case refreshAnew
    /// They are sent again as often as they may.
    case resend
    /// They end with the session.
    case signOut
  }

  mutating func begin(
    _ token: RefreshToken, owner: Int32, isReactive: Bool, _ now: ClockReading,
    _ effects: inout ClientEffects
  ) -> RefreshID {
    let isProtected = decisions.protection == .backgroundTask
    let id = insertFlight(token, owner: owner, isReactive: isReactive, now)
    if decisions.merge != .none {
      if decisions.flights == .perPath, isReactive { shared.second = id } else { shared.first = id }
    }
    if isProtected {
      flights[id.slot].isProtected = true
      protectedFlights += 1
      effects.append(.holdBackgroundTask)
    }
    if sendsAtOnce {
      if decisions.quota != nil { begun.append(time(now)) }
      effects.append(.refresh(id, presenting: token))
    } else {
      prepare(id, now, &effects)
    }
    return id
  }

  /// A flight as though it had been sent.
  mutating func insertFlight(
    _ token: RefreshToken, owner: Int32, isReactive: Bool, _ now: ClockReading
  ) -> RefreshID {
    flightsBegun += 1
    return RefreshID(
      slot: flights.insert(
        Flight(
          number: flightsBegun, presented: token, replaces: held?.access, session: session,
          isReactive: isReactive, owner: owner, startedAt: time(now), sentAt: time(now),
          stage: .sent)))
  }

  // MARK: Before it is sent

  private mutating func prepare(
    _ id: RefreshID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    guard decisions.lock != nil else { return readFirst(id, now, &effects) }
    flights[id.slot].isLocked = true
    lockedFlights += 1
    guard lock != .held else { return readFirst(id, now, &effects) }
    flights[id.slot].stage = .awaitingLock
    if lock == .free {
      lock = .awaited
      effects.append(.acquireLock)
    }
  }

  mutating func lockGranted(_ now: ClockReading, _ effects: inout ClientEffects) {
    guard lock == .awaited else { return }
    lock = .held
    for slot in flights.slots where flights[slot].stage == .awaitingLock {
      readFirst(RefreshID(slot: slot), now, &effects)
    }
  }

  /// Reads the store where that comes before the sending; a flight of a session that is over is not sent.
  mutating func readFirst(
    _ id: RefreshID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    guard flights[id.slot].session == session else {
      return end(id, .startAnew, now, &effects)
    }
    guard decisions.rereads.contains(.beforeSending) else { return depart(id, now, &effects) }
    flights[id.slot].stage = .reading
    read(.flight(id, number: flights[id.slot].number), &effects)
  }

  /// Sends a flight; a pair that waits to be written is written in its place.
  mutating func depart(
    _ id: RefreshID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    if let withheld, withheld.refresh == flights[id.slot].presented {
      self.withheld = nil
      grant(withheld, to: id)
      return write(id, &effects)
    }
    if flights[id.slot].retries == 0 {
      if decisions.quota != nil { begun.append(time(now)) }
      flights[id.slot].startedAt = time(now)
    }
    post(id, now, &effects)
  }

  /// Sends a flight, for the first time or again.
  mutating func post(_ id: RefreshID, _ now: ClockReading, _ effects: inout ClientEffects) {
    flights[id.slot].stage = .sent
    flights[id.slot].sentAt = time(now)
    if decisions.journal { effects.append(.recordRefresh) }
    effects.append(.refresh(id, presenting: flights[id.slot].presented))
  }

  // MARK: Its end

  /// Waits no longer for an answer, if one is awaited.
  mutating func abandon(_ id: RefreshID, _ effects: inout ClientEffects) {
    if flights[id.slot].stage == .sent { effects.append(.abandonRefresh(id)) }
  }

  /// Ends a flight that brought no pair: its calls go on, then the task, the lock, and the turn.
  mutating func end(
    _ id: RefreshID, _ ending: Ending, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    var flight = remove(id)
    while let call = calls.takeFirst(of: &flight.waiters) {
      goOn(call, after: ending, isReactive: flight.isReactive, now, &effects)
    }
    release(flight, &effects)
    serveQueue(now, &effects)
  }

  mutating func goOn(
    _ call: CallID, after ending: Ending, isReactive: Bool, _ now: ClockReading,
    _ effects: inout ClientEffects
  ) {
    switch ending {
    case .finish(let outcome): finish(call, outcome, &effects)
    case .useTrustedOrFinish(let outcome):
      if decisions.afterFailedCheck == .useTrusted, calls[call].sentWith == nil,
        let access = held.flatMap({ trusted($0, now) })
      {
        goOn(call, access, &effects)
      } else {
        finish(call, outcome, &effects)
      }
    case .goOn: goOn(call, now, &effects)
    case .startAnew: startAnew(call, now, &effects)
    case .refreshAnew: refresh(for: call, isReactive: isReactive, now, &effects)
    case .resend:
      guard calls[call].resendsLeft > 0 else { return finish(call, .signedOut, &effects) }
      calls[call].resendsLeft -= 1
      goOn(call, now, &effects)
    case .signOut:
      if decisions.notices == .perFailedCall { effects.append(.notifySignOut) }
      finish(call, .signedOut, &effects)
    }
  }

  mutating func clearSlot(_ id: RefreshID) {
    if shared.first == id { shared.first = nil }
    if shared.second == id { shared.second = nil }
  }

  /// Takes a flight out of the table, where what comes too late for it finds it over.
  mutating func remove(_ id: RefreshID) -> Flight {
    let flight = flights[id.slot]
    flights[id.slot].stage = .over
    flights.remove(id.slot)
    clearSlot(id)
    return flight
  }

  /// Gives up lock and background task with the last flight that counted on them.
  mutating func release(_ flight: Flight, _ effects: inout ClientEffects) {
    if flight.isLocked {
      lockedFlights -= 1
      if lockedFlights == 0 {
        lock = .free
        effects.append(.releaseLock)
      }
    }
    guard flight.isProtected else { return }
    protectedFlights -= 1
    if protectedFlights == 0 { effects.append(.releaseBackgroundTask) }
  }
}
