/// What the system does with an app that the person leaves.
extension Simulation {
  mutating func personLeaves() {
    guard process.lifecycle.isForeground else { return }
    process.visit += 1
    process.departures += 1
    process.lifecycle.leave(at: now)
    tell(.appLeft)
    let delay = world.suspendAfter.sample(streams.lifecycle, at: visitAddress(2))
    _ = schedule(.suspensionDue(process.visit), after: delay, drawnFrom: .suspendAfter)
    scheduleLocking()
    switch world.scenario.usage.kind {
    case .opening:
      let length = world.returns.sample(streams.lifecycle, at: visitAddress(1))
      _ = schedule(.personReturns, after: length, drawnFrom: .returns)
    case .sessions: scheduleNextVisit()
    case .timeline, .steady, .fleet: break
    }
  }

  /// Where the draws of the latest visit stand.
  func visitAddress(_ part: Int) -> DrawAddress {
    DrawAddress(.visit, process: current, number: Int(process.visit), part: part)
  }

  /// Nanoseconds from the next departure of the current process to the suspension that would follow it.
  var nextSuspension: Int64 {
    let address = DrawAddress(.visit, process: current, number: Int(process.visit) + 1, part: 2)
    return world.suspendAfter.sample(streams.lifecycle, at: address)
  }

  mutating func personReturns() {
    guard !process.lifecycle.isForeground else { return }
    if process.lifecycle.isGone {
      open()
    } else {
      if devices[process.device].lockedSince != nil { unlockDevice() }
      let wasSuspended = process.lifecycle.resume()
      tell(.appReturned(afterSuspension: wasSuspended))
      if wasSuspended { resumeCode() }
    }
    guard now < world.horizon else { return }
    switch world.scenario.usage.kind {
    case .opening: openScreen()
    case .sessions: beginVisit()
    case .timeline, .steady, .fleet: break
    }
  }

  /// A suspension kills connections unless it was short: pending requests fail first, then what is overdue happens.
  ///
  /// What the client sends once it learns that the device is unlocked, or has the lock, goes over a new connection.
  private mutating func resumeCode() {
    let since = process.asleepSince?.nanoseconds ?? now.nanoseconds
    let length = now.nanoseconds - since
    process.asleep += length
    process.asleepSince = nil
    if process.hasBegun { deliver(.resumed) }
    if length > world.socketSurvives || world.socketSurvives == 0 {
      process.connection.close()
      failPendingRequests()
    }
    if process.missedUnlocking {
      process.missedUnlocking = false
      deliver(.unlocked)
    }
    retakeLock()
    let overdue = process.overdue.elements
    process.overdue.removeAll()
    for event in overdue { dispatch(event) }
    failLateRequests()
  }

  mutating func suspensionFallsDue(_ visit: Int32) {
    guard visit == process.visit else { return }
    follow(process.lifecycle.suspensionFallsDue(at: now))
  }

  mutating func taskBudgetEnds(_ visit: Int32) {
    guard visit == process.visit else { return }
    follow(process.lifecycle.budgetEnds())
  }

  mutating func follow(_ consequence: AppLifecycle.Consequence) {
    switch consequence {
    case .nothing: break
    case .suspend: codeStops()
    case .heldOff(let end):
      tell(.suspensionHeldOff)
      _ = schedule(
        .taskBudgetEnds(process.visit), after: end.nanoseconds - now.nanoseconds,
        drawnFrom: .backgroundBudget)
    case .expireTaskAndSuspend:
      tell(.backgroundTaskExpired)
      deliver(.backgroundTaskExpired)
      codeStops()
    }
  }

  private mutating func codeStops() {
    process.asleepSince = now
    tell(.appSuspended)
    if process.holdsLock, yieldsLock() { return }
    guard let killedAfter = world.killedAfter else { return }
    let delay = killedAfter.sample(streams.lifecycle, at: visitAddress(3))
    _ = schedule(.killDue(process.visit), after: delay, drawnFrom: .killedAfter)
  }

  // MARK: The lock of the processes

  /// What becomes of a lock as its holder is suspended; returns whether the process is gone.
  private mutating func yieldsLock() -> Bool {
    switch process.lock?.whileSuspended {
    case .released: releaseLock()
    case .killed:
      kill(byPerson: false)
      return true
    case .kept, nil: break
    }
    return false
  }

  /// A process that waited as it was suspended takes a lock that has become free.
  private mutating func retakeLock() {
    guard process.lockTicket > 0, stores[process.store].lockedBy < 0 else { return }
    grantLock()
    deliver(.lockGranted)
  }

  // MARK: Starts and ends

  /// The person opens an app that is gone, on a device that is unlocked for it.
  mutating func open() {
    if devices[process.device].lockedSince != nil { unlockDevice() }
    process.visit += 1
    _ = process.lifecycle.resume()
    beginLife()
  }

  /// A process that remembers nothing begins.
  mutating func beginLife() {
    tell(.processLaunched)
    process.hasBegun = true
    deliver(.launched)
  }

  /// Lets the code run in the background for a while, starting the process if it is gone.
  mutating func wakeInBackground(for nanoseconds: Int64) {
    guard !process.lifecycle.runsCode else { return }
    let wasGone = process.lifecycle.isGone
    process.visit += 1
    process.lifecycle.wake(at: now)
    tell(.wokenInBackground)
    _ = schedule(.suspensionDue(process.visit), after: nanoseconds, drawnFrom: .suspendAfter)
    if wasGone { beginLife() } else { resumeCode() }
  }

  mutating func killFallsDue(_ visit: Int32) {
    guard visit == process.visit, process.lifecycle.isSuspended else { return }
    kill(byPerson: false)
  }

  /// Ends the process: its memory, its calls, its writes, and what it waits for are gone.
  mutating func kill(byPerson: Bool) {
    guard !process.lifecycle.isGone else { return }
    tell(.processKilled(byPerson: byPerson))
    loseWrites()
    for slot in process.calls.slots where process.calls[slot].isOpen {
      tell(.callEnded(process.calls[slot].number, .cancelled))
    }
    process.calls.removeAll()
    forgetRequests(byPerson: byPerson)
    releaseLock()
    process.lifecycle.end()
    process.life += 1
    process.lastRead = nil
    process.asleepSince = nil
    process.missedUnlocking = false
    process.connection.close()
    let overdue = process.overdue.elements
    process.overdue.removeAll()
    // What holds a place in a table gives it back.
    for event in overdue where !event.launches(world) { dispatch(event) }
  }

  // MARK: The device

  private mutating func scheduleLocking() {
    let share = world.scenario.lifecycle.locks
    guard share > 0 else { return }
    var draws = streams.lifecycle.draws(at: visitAddress(4))
    guard draws.unit() < share else { return }
    let delay = world.lockedAfter.sample(streams.lifecycle, at: visitAddress(5))
    _ = schedule(.deviceLocks(process.departures), after: delay, drawnFrom: .lockedAfter)
  }

  /// The person may be back by now.
  mutating func locksFallDue(_ departure: Int32) {
    guard departure == process.departures, !process.lifecycle.isForeground else { return }
    lockDevice()
  }

  mutating func lockDevice() {
    guard devices[process.device].lockedSince == nil else { return }
    devices[process.device].lockedSince = now.nanoseconds
    tell(.deviceLocked)
  }

  /// What needs an unlocked device can be used again, of which the processes that run learn.
  mutating func unlockDevice() {
    devices[process.device].lockedSince = nil
    devices[process.device].wasUnlocked = true
    tell(.deviceUnlocked)
    noteUnlocking()
    let device = process.device
    let unlocking = current
    for position in 0..<processCount where position != unlocking {
      turn(to: position)
      if process.device == device { noteUnlocking() }
    }
    turn(to: unlocking)
  }

  private mutating func noteUnlocking() {
    guard process.hasBegun else { return }
    if process.lifecycle.runsCode {
      enqueue(.deviceUnlocked, at: now)
    } else if process.lifecycle.isSuspended {
      process.missedUnlocking = true
    }
  }

  /// The device starts anew: its processes are gone, and nobody has unlocked it yet.
  mutating func reboot() {
    let device = process.device
    let rebooting = current
    tell(.deviceRebooted)
    for position in 0..<processCount {
      turn(to: position)
      if process.device == device { kill(byPerson: false) }
    }
    turn(to: rebooting)
    devices[device].lockedSince = now.nanoseconds
    devices[device].wasUnlocked = false
    devices[device].startedAt = now.nanoseconds
  }
}
