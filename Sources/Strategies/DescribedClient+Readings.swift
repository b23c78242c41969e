import SimCore

/// Readings of the store: as the process starts, and again later.
extension DescribedClient {
  /// Whether the process knows what is in its store.
  enum Knowledge {
    case read
    /// It has started, and reads.
    case reading
    /// It has started, and waits until the device is unlocked.
    case locked
  }

  /// What a reading of the store is for.
  enum Reading {
    case launch
    case resume
    case tick
    /// For the calls that wait for it.
    case calls
    /// For a flight that is about to be sent, or that was rejected.
    case flight(RefreshID, number: Int32)
  }

  /// What comes while the process does not know what is in its store.
  struct Postponed {
    var isRefreshOrdered = false
    var delivery: TokenReply?
  }

  /// What a reading found.
  enum Finding {
    /// What is in memory now.
    case memory
    /// Nothing, as the device is locked; memory is as it was.
    case unreadable
    /// That the session was ended elsewhere.
    case noSession
  }

  mutating func read(_ reading: Reading, _ effects: inout ClientEffects) {
    effects.append(.readStore(StoreReadID(name: readings.insert(reading))))
  }

  mutating func storeRead(
    _ id: StoreReadID, _ content: StoreContent, _ now: ClockReading,
    _ effects: inout ClientEffects
  ) {
    let reading = readings[id.name]
    readings.remove(id.name)
    switch reading {
    case .launch: readAtLaunch(content, now, &effects)
    case .resume: _ = reread(content, now, &effects)
    case .tick: if reread(content, now, &effects) { refreshAtTick(now, &effects) }
    case .calls:
      let isOn = reread(content, now, &effects)
      serveReaders(isSignedOut: !isOn, now, &effects)
    case .flight(let flight, let number):
      guard flights[flight.slot].number == number else { return }
      readForFlight(flight, content, now, &effects)
    }
  }

  // MARK: The first reading

  /// The process has started.
  mutating func launched(_ effects: inout ClientEffects) {
    forget()
    knowledge = .reading
    read(.launch, &effects)
  }

  mutating func unlocked(_ effects: inout ClientEffects) {
    guard knowledge == .locked else { return }
    knowledge = .reading
    read(.launch, &effects)
  }

  mutating func refreshOrdered(_ now: ClockReading, _ effects: inout ClientEffects) {
    guard knowledge == .read else {
      postponed.isRefreshOrdered = true
      return
    }
    refreshUnasked(isScheduled: false, now, &effects)
  }

  private mutating func readAtLaunch(
    _ content: StoreContent, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    // Whoever signed in or out in the meantime has made the reading pointless.
    guard knowledge == .reading else { return }
    switch content {
    case .pair(let found):
      _ = adopt(found)
      armSchedule(isStart: true, now, &effects)
      know(finishing: decisions.journal && found.hasUnfinishedRefresh, now, &effects)
    case .empty: know(now, &effects)
    case .unreadable where decisions.storeUnreadable == .wait: knowledge = .locked
    case .unreadable:
      knowledge = .read
      postponed = Postponed()
      dropSession(.storeWithoutPair, &effects)
      serveReaders(isSignedOut: true, now, &effects)
    }
  }

  /// The process knows its pair, or that it has none, and does what had to wait for that.
  ///
  /// A refresh that was recorded and has brought no pair is repeated before anything else.
  mutating func know(
    finishing hasUnfinishedRefresh: Bool = false, _ now: ClockReading,
    _ effects: inout ClientEffects
  ) {
    knowledge = .read
    let postponed = postponed
    self.postponed = Postponed()
    if let reply = postponed.delivery { delivered(reply, now, &effects) }
    if hasUnfinishedRefresh || postponed.isRefreshOrdered {
      refreshUnasked(isScheduled: false, now, &effects)
    }
    serveReaders(isSignedOut: false, now, &effects)
  }

  private mutating func serveReaders(
    isSignedOut: Bool, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    var line = readers
    readers = WaitingLine()
    while let call = calls.takeFirst(of: &line) {
      if calls[call].captured == nil { calls[call].captured = held?.refresh }
      goOn(
        call, after: isSignedOut ? .signOut : endingOfReading(call, now), isReactive: false, now,
        &effects)
    }
  }

  /// What a call does whose reading is over: who never refreshes uses what is good, or fails.
  private func endingOfReading(_ call: CallID, _ now: ClockReading) -> Ending {
    guard decisions.refreshes == .never, let held else { return .startAnew }
    if let rejected = calls[call].sentWith {
      let isOther = held.access.map { $0 != rejected } ?? false
      return isOther ? .startAnew : .finish(.unauthorized)
    }
    return usable(held, now) == nil ? .finish(.noUsableToken) : .startAnew
  }

  // MARK: Later readings

  /// Takes what was found into memory, or ends the session if it was ended elsewhere.
  ///
  /// - Parameters:
  ///   - content: what was found.
  ///   - now: what the clocks show.
  ///   - effects: the list to fill.
  /// - Returns: whether the session is still on.
  private mutating func reread(
    _ content: StoreContent, _ now: ClockReading, _ effects: inout ClientEffects
  ) -> Bool {
    guard case .noSession = take(content, now, &effects) else { return true }
    dropSession(.storeWithoutPair, &effects)
    return false
  }

  private mutating func take(
    _ content: StoreContent, _ now: ClockReading, _ effects: inout ClientEffects
  ) -> Finding {
    switch content {
    case .pair(let found):
      if adopt(found), case .oneShot = decisions.schedule {
        armSchedule(isStart: false, now, &effects)
      }
      return .memory
    case .unreadable where decisions.storeUnreadable == .wait: return .unreadable
    case .empty, .unreadable:
      return held == nil || decisions.persist == .never ? .memory : .noSession
    }
  }

  private mutating func readForFlight(
    _ id: RefreshID, _ content: StoreContent, _ now: ClockReading,
    _ effects: inout ClientEffects
  ) {
    let stage = flights[id.slot].stage
    guard flights[id.slot].isUnanswered, flights[id.slot].session == session else {
      return giveUp(id, now, &effects)
    }
    let finding = take(content, now, &effects)
    switch (stage, finding) {
    case (.reading, .noSession):
      dropSession(.storeWithoutPair, &effects)
      end(id, .signOut, now, &effects)
    case (.reading, _): sendUnlessNeedless(id, now, &effects)
    case (.rejected(let reason), .memory) where held?.refresh == flights[id.slot].presented:
      endSessionForGood(id, reason, now, &effects)
    case (.rejected, .memory): end(id, .goOn, now, &effects)
    // What another process may have stored is not thrown away unseen.
    case (.rejected, .unreadable): end(id, .finish(.noUsableToken), now, &effects)
    case (.rejected(let reason), .noSession): endSessionForGood(id, reason, now, &effects)
    default: break
    }
  }

  /// The flight is over already, or its session is.
  private mutating func giveUp(
    _ id: RefreshID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    if flights[id.slot].isUnanswered { end(id, .startAnew, now, &effects) }
  }

  /// Sends the flight with the refresh token in memory, unless the pair is another by now and will do.
  private mutating func sendUnlessNeedless(
    _ id: RefreshID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    let flight = flights[id.slot]
    guard let held else { return end(id, .startAnew, now, &effects) }
    guard isNeedless(flight, held, now) else {
      flights[id.slot].presented = held.refresh
      return depart(id, now, &effects)
    }
    if case .chain = decisions.schedule { armSchedule(after: flight, now, &effects) }
    end(id, .startAnew, now, &effects)
  }

  private mutating func isNeedless(
    _ flight: Flight, _ held: HeldPair, _ now: ClockReading
  ) -> Bool {
    guard held.refresh != flight.presented || held.access != flight.replaces,
      let access = held.access
    else { return false }
    guard flight.isReactive else { return usable(held, now) != nil }
    return calls[flight.waiters.first]?.sentWith != access
  }
}
