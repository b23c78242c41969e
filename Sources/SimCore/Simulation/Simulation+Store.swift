/// What stands in stores, and the locks before them.
extension Simulation {
  /// A pair with what the answer that brought it said.
  func pair(
    _ access: AccessToken?, _ refresh: RefreshToken, believedEnd: Int64
  ) -> StoredPair {
    let record = ledger[access ?? ledger[refresh].access]
    return StoredPair(
      refresh: refresh, access: access, believedEnd: believedEnd,
      expiry: WallTime(nanoseconds: record.expiry.nanoseconds),
      expiresIn: Int32(clamping: record.lifetime / 1_000_000_000))
  }

  /// Whether the store of the current process can be used now.
  private var isStoreOpen: Bool {
    devices[process.device].allows(process.protection, at: now)
  }

  // MARK: Writing

  mutating func store(_ id: RefreshID, _ pair: StoredPair) {
    process.writes += 1
    let write = StoreState.Write(
      id: id, pair: pair, number: process.writes, process: Int32(truncatingIfNeeded: current),
      life: process.life)
    let pinned = world.pins.length(ofWrite: write.number, of: current)
    guard world.storeTakesTime || pinned != nil else {
      return immediate.append(complete(write))
    }
    let address = DrawAddress(.write, process: current, number: Int(write.number))
    let length = pinned ?? world.storeWrite.sample(streams.store, at: address)
    _ = schedule(.storeWritten(writes.insert(write)), after: length, drawnFrom: .storeWrite)
  }

  mutating func storeWritten(_ slot: Int32) {
    let write = writes[slot]
    writes.remove(slot)
    guard write.life == process.life else { return }
    deliver(complete(write))
  }

  /// Ends a write one way or the other, which its client is told.
  private mutating func complete(_ write: StoreState.Write) -> ClientEvent {
    guard isStoreOpen, !fails(write) else {
      tell(.pairNotStored(write.pair.refresh))
      return .storeFailed(write.id)
    }
    let store = process.store
    let isStale = (stores[store].pair?.refresh.id ?? -1) > write.pair.refresh.id
    stores[store].pair = write.pair
    tell(.pairStored(write.pair.refresh, stale: isStale))
    let owner = stores[store].user
    if owner != 0, owner != ledger[ledger[write.pair.refresh].family].user {
      tell(.pairCrossed(write.pair.refresh))
    }
    return .stored(write.id)
  }

  private func fails(_ write: StoreState.Write) -> Bool {
    if let fails = world.pins.failure(ofWrite: write.number, of: current) { return fails }
    let share = world.scenario.store.failures
    guard share > 0 else { return false }
    var draws = streams.store.draws(
      at: DrawAddress(.write, process: current, number: Int(write.number), part: 1))
    return draws.unit() < share
  }

  /// The writes of a process that ends are lost.
  mutating func loseWrites() {
    for slot in writes.slots
    where writes[slot].process == current && writes[slot].life == process.life {
      tell(.writeLost(writes[slot].pair.refresh))
    }
  }

  mutating func clearStore() {
    process.lastRead = nil
    guard stores[process.store].pair != nil else { return }
    stores[process.store].pair = nil
    tell(.storeCleared)
    guard world.scenario.store.clearingSeen == .atOnce else { return }
    for position in 0..<processCount
    where position != current && parkedProcess(at: position).process.store == process.store {
      queue.schedule(
        ScheduledEvent(
          event: .storeClearedByOther, process: UInt16(truncatingIfNeeded: position)), at: now)
    }
  }

  mutating func recordRefresh() {
    guard let pair = stores[process.store].pair else { return }
    stores[process.store].pair = StoredPair(
      refresh: pair.refresh, access: pair.access, believedEnd: pair.believedEnd,
      expiry: pair.expiry, expiresIn: pair.expiresIn, hasUnfinishedRefresh: true)
    tell(.refreshRecorded(pair.refresh))
  }

  /// Something other than a client writes a pair into the store of the current process.
  mutating func overwriteStore(with pair: StoredPair) {
    stores[process.store].pair = pair
    tell(.storeOverwritten(pair.refresh))
  }

  // MARK: Reading

  mutating func read(_ id: StoreReadID) {
    process.reads += 1
    guard world.readingTakesTime else { return immediate.append(.storeRead(id, content())) }
    let address = DrawAddress(.read, process: current, number: Int(process.reads))
    let slot = reads.insert(StoreState.Read(id: id, life: process.life))
    _ = schedule(
      .storeRead(slot), after: world.storeRead.sample(streams.store, at: address),
      drawnFrom: .storeRead)
  }

  mutating func storeRead(_ slot: Int32) {
    let read = reads[slot]
    reads.remove(slot)
    guard read.life == process.life else { return }
    deliver(.storeRead(read.id, content()))
  }

  private mutating func content() -> StoreContent {
    guard isStoreOpen else {
      tell(.storeUnreadable)
      return .unreadable
    }
    let pair = stores[process.store].pair
    tell(.storeRead(pair?.refresh))
    guard let pair else { return .empty }
    let family = ledger[pair.refresh].family
    // A pair that stayed after the sign-out brings no session back.
    if family != process.lostFamily { process.hasSession = true }
    process.family = family
    process.lastRead = pair.refresh
    return .pair(pair)
  }

  // MARK: The lock of the processes

  mutating func acquireLock() {
    guard let lock = process.lock else { return immediate.append(.lockGranted) }
    process.lockings += 1
    lockTickets += 1
    process.lockTicket = lockTickets
    if lock.scope == .process || stores[process.store].lockedBy < 0 || leaks(lock) {
      grantLock()
      immediate.append(.lockGranted)
    } else {
      tell(.lockAwaited)
    }
  }

  mutating func grantLock() {
    process.lockTicket = 0
    process.holdsLock = true
    if process.lock?.scope == .store {
      stores[process.store].lockedBy = Int32(truncatingIfNeeded: current)
    }
    tell(.lockTaken)
  }

  private func leaks(_ lock: CrossProcessLock) -> Bool {
    guard lock.leak > 0 else { return false }
    var draws = streams.store.draws(
      at: DrawAddress(.lock, process: current, number: Int(process.lockings)))
    return draws.unit() < lock.leak
  }

  /// Gives the lock up, or the place in the line for it.
  mutating func releaseLock() {
    process.lockTicket = 0
    guard process.holdsLock else { return }
    process.holdsLock = false
    tell(.lockReleased)
    guard stores[process.store].lockedBy == current else { return }
    stores[process.store].lockedBy = -1
    passLock(of: process.store)
  }

  /// Gives a free lock to whoever has waited longest and can take it.
  mutating func passLock(of store: Int) {
    var next: (position: Int, ticket: Int64)?
    for position in 0..<processCount {
      let ticket = lockTicket(of: position, at: store)
      if ticket > 0, ticket < next?.ticket ?? .max { next = (position, ticket) }
    }
    guard let next else { return }
    let giver = current
    turn(to: next.position)
    grantLock()
    enqueue(.lockGranted, at: now)
    turn(to: giver)
  }
}
