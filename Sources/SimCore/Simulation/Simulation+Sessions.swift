/// A person's life with the app day by day, wakes in the background, and fleets.
extension Simulation {
  // MARK: Visits

  /// The person has the app open: calls begin, and the end of the visit is known.
  mutating func beginVisit() {
    // Who was signed out signs in again before anything else, also where another process emptied the store.
    let isWithoutPair = process.lastRead == nil && stores[process.store].pair == nil
    if !process.hasSession || isWithoutPair { signIn(as: 1) }
    openScreen()
    let length = world.visit.sample(
      streams.userActivity,
      at: DrawAddress(.visit, process: current, number: Int(process.openings)))
    _ = schedule(.personLeaves, after: length, drawnFrom: .leaves)
    scheduleCallWhileOpen(after: now, number: 1)
  }

  /// The person comes back after a while, not counting the nights.
  mutating func scheduleNextVisit() {
    let gap = world.gap.sample(
      streams.userActivity,
      at: DrawAddress(.visit, process: current, number: Int(process.openings), part: 1))
    // Saturating: whatever is beyond the horizon does not happen.
    guard let at = endOfWaiting(for: gap), at < world.horizon else { return }
    enqueue(.personReturns, at: at)
  }

  /// The instant at which so much waking time has passed; the run begins in the morning.
  private func endOfWaiting(for nanoseconds: Int64) -> Instant? {
    let timeOfDay = now.nanoseconds % World.day
    let startOfDay = now.nanoseconds - timeOfDay
    let (total, isTooLong) = min(timeOfDay, world.awake).addingReportingOverflow(
      max(0, nanoseconds))
    guard !isTooLong, total / world.awake < 1 << 15 else { return nil }
    return Instant(
      nanoseconds: startOfDay + total / world.awake * World.day + total % world.awake)
  }

  private mutating func scheduleCallWhileOpen(after start: Instant, number: Int32) {
    guard let whileOpen = world.whileOpen else { return }
    process.callsWhileOpen = number
    let address = DrawAddress(
      .opening, process: current, number: Int(process.openings) << 16 | Int(number), part: 3)
    let interval = whileOpen.sample(streams.userActivity, at: address)
    guard let at = start.advanced(byNanoseconds: interval), at < world.horizon else { return }
    enqueue(.nextCallWhileOpen(process.openings), at: at)
  }

  mutating func startCallWhileOpen(_ opening: Int32) {
    guard now < world.horizon, opening == process.openings, process.lifecycle.isForeground else {
      return
    }
    startCall(Usage.Moment.Call())
    scheduleCallWhileOpen(after: now, number: process.callsWhileOpen + 1)
  }

  // MARK: Wakes in the background

  /// Schedules a wake of the last process, which is the only one or an extension.
  mutating func scheduleWake(_ number: Int32) {
    guard let wakes = world.wakes else { return }
    let waiting = current
    turn(to: processCount - 1)
    let interval = wakes.sample(
      streams.lifecycle,
      at: DrawAddress(.visit, process: current, number: Int(number), part: 6))
    if let at = now.advanced(byNanoseconds: max(1, interval)), at < world.horizon {
      enqueue(.wakeDue(number), at: at)
    }
    turn(to: waiting)
  }

  mutating func wakeFallsDue(_ number: Int32) {
    scheduleWake(number + 1)
    guard !process.lifecycle.runsCode else { return }
    wakeInBackground(for: world.scenario.lifecycle.wakeLength.nanoseconds)
    for _ in 0..<world.scenario.lifecycle.wakeCalls { startCall(Usage.Moment.Call()) }
  }

  // MARK: Fleets

  /// Each client signs in at a moment of its own, and from some moment on sends calls.
  mutating func scheduleFleet() {
    let usage = world.scenario.usage
    for position in 0..<processCount {
      turn(to: position)
      let address = DrawAddress(.client, process: position, number: 0)
      var draws = streams.userActivity.draws(at: address)
      let over = Double(usage.provisionedOver.nanoseconds)
      let signsIn = schedule(
        .clientSignsIn, after: Int64(over * draws.unit()), drawnFrom: .usage)
      guard let whileOpen = world.whileOpen else { continue }
      // The first call falls into the middle of an interval that was under way.
      let interval = whileOpen.sample(
        streams.userActivity, at: DrawAddress(.client, process: position, number: 0, part: 1))
      let from = max(usage.callsFrom.nanoseconds, signsIn.nanoseconds)
      let first = Instant(nanoseconds: from + Int64(Double(interval) * draws.unit()))
      if first < world.horizon { enqueue(.nextCallWhileOpen(process.openings), at: first) }
    }
    turn(to: 0)
  }
}
