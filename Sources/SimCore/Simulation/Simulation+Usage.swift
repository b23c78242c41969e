/// What the person and the administrator do.
extension Simulation {
  /// A timeline's clients hold their pairs from the beginning; any others read them when the answer comes.
  mutating func begin() {
    let lifetime = server.lifetime(
      streams.serverTime, at: DrawAddress(.refresh, number: 0, part: 1))
    if world.scenario.usage.kind == .fleet {
      scheduleClockSteps()
      return scheduleFleet()
    }
    let response = dated(server.login(&ledger, at: now, lifetime: lifetime))
    tellLogin(response, user: 1)
    let isTimeline = world.scenario.usage.kind == .timeline
    let login = DrawAddress(.refresh, number: 0)
    let wayBack = isTimeline ? 0 : world.downlink.sample(streams.downlink, at: login)
    let wayThere =
      isTimeline
      ? 0
      : world.uplink.sample(streams.uplink, at: login)
        &+ world.processing.sample(streams.serverTime, at: login)
    let read = schedule(.firstPairRead, after: wayBack, drawnFrom: .downlink)
    let sent = Instant(nanoseconds: -min(max(0, wayThere), 1 << 62))
    firstPair = FirstPair(response: response, sent: sent, read: read)
    for position in 1..<max(1, processCount) {
      turn(to: position)
      _ = schedule(.firstPairRead, after: wayBack, drawnFrom: .downlink)
    }
    turn(to: 0)
    scheduleClockSteps()
    switch world.scenario.usage.kind {
    case .timeline: scheduleTimeline()
    case .opening: scheduleOpening()
    case .sessions, .steady, .fleet: break
    }
    scheduleWake(1)
  }

  private mutating func tellLogin(_ response: TokenResponse, user: Int32) {
    let family = ledger[response.refreshToken].family
    ledger[family].user = user
    process.family = family
    tell(.familyBegan(family, response.refreshToken, response.accessToken, user: user))
  }

  mutating func readFirstPair() {
    guard let firstPair else { return }
    switch process.plan.session {
    case .first:
      if current > 0 { process.family = ledger[firstPair.response.refreshToken].family }
      hold(
        firstPair.response,
        after: world.clock.reading(at: now).nanoseconds
          - world.clock.reading(at: firstPair.sent).nanoseconds)
    case .own: signIn(as: 1)
    case .child:
      signIn(as: 1)
      let parent = ledger[firstPair.response.refreshToken].family
      if let family = process.family { ledger[family].parent = parent }
    case .none: if process.plan.start == .running { beginLife() }
    }
    if process.plan.start == .launchedLater { awaitLaunch() }
    guard current == 0 else { return }
    switch world.scenario.usage.kind {
    case .steady: scheduleSteadyCall(1)
    case .sessions: if process.lifecycle.isGone { personReturns() } else { beginVisit() }
    case .opening, .timeline, .fleet: break
    }
  }

  /// The process has left its pair in the store and is not there any more.
  private mutating func awaitLaunch() {
    process.lifecycle.end()
    process.life += 1
    process.lastRead = nil
  }

  /// The client has the answer of a login, so many nanoseconds by its clock after it asked for it.
  private mutating func hold(_ response: TokenResponse, after nanoseconds: Int64) {
    tell(.signedIn(response.refreshToken, response.accessToken))
    let pair = StoredPair(
      refresh: response.refreshToken, access: response.accessToken,
      believedEnd: response.expiry.nanoseconds, expiry: response.expiry,
      expiresIn: response.expiresIn)
    process.hasBegun = true
    process.hasSession = true
    process.lostFamily = nil
    process.lastRead = response.refreshToken
    process.firstPair = pair
    stores[process.store].pair = pair
    stores[process.store].user = ledger[ledger[response.refreshToken].family].user
    deliver(.signedIn(response, afterNanoseconds: nanoseconds))
  }

  /// A person signs in; the login itself takes no time.
  mutating func signIn(as user: Int) {
    if process.lifecycle.isGone { open() }
    process.signIns += 1
    let lifetime = server.lifetime(
      streams.serverTime,
      at: DrawAddress(.login, process: current, number: Int(process.signIns)))
    let response = dated(server.login(&ledger, at: now, lifetime: lifetime))
    tellLogin(response, user: Int32(clamping: user))
    hold(response, after: 0)
  }

  private mutating func signOut() {
    guard process.hasBegun else { return }
    process.hasSession = false
    stores[process.store].user = 0
    tell(.signedOutByPerson)
    deliver(.signOutRequested)
  }

  /// Moments at the same instant happen in the order in which they are listed.
  private mutating func scheduleTimeline() {
    for (index, moment) in world.scenario.usage.timeline.enumerated() {
      for repetition in 0..<moment.times {
        let (length, isTooLong) = moment.every.nanoseconds
          .multipliedReportingOverflow(by: Int64(repetition))
        let (at, isTooLate) = moment.at.nanoseconds.addingReportingOverflow(length)
        guard isTooLong || isTooLate || at < world.horizon.nanoseconds else { break }
        turn(to: min(moment.process, processCount) - 1)
        _ = schedule(
          .moment(Int32(index)), after: isTooLong || isTooLate ? .max : at, drawnFrom: .usage)
      }
    }
    turn(to: 0)
  }

  mutating func carryOut(_ moment: Usage.Moment.Kind) {
    switch moment {
    case .call(let call): startCall(call)
    case .cancel(let number): cancelCall(number)
    case .refresh: deliver(.refreshOrdered)
    case .leave: personLeaves()
    case .return: personReturns()
    case .suspend: follow(process.lifecycle.suspend())
    case .offline: networkChanges(isOnline: false)
    case .online: networkChanges(isOnline: true)
    case .clock(let step): stepClock(step.nanoseconds)
    case .signOut: signOut()
    case .signIn(let user): signIn(as: user)
    case .endAccess: if let token = stores[process.store].pair?.access { endAccess(token) }
    case .revoke: if let family = process.family { revoke(family) }
    case .kill: kill(byPerson: false)
    case .forceQuit: kill(byPerson: true)
    case .wake(let length): wakeInBackground(for: length.nanoseconds)
    case .lock: lockDevice()
    case .unlock: if devices[process.device].lockedSince != nil { unlockDevice() }
    case .reboot: reboot()
    case .copyPair(let other): copyPair(to: other - 1)
    case .restoreStore: if let pair = process.firstPair { overwriteStore(with: pair) }
    }
  }

  /// The pair in the store of the current process comes into that of another, as by a backup or a synchronisation.
  private mutating func copyPair(to position: Int) {
    guard let pair = stores[process.store].pair else { return }
    let (giver, family, user) = (current, process.family, stores[process.store].user)
    turn(to: position)
    process.family = family
    stores[process.store].user = user
    overwriteStore(with: pair)
    turn(to: giver)
  }

  private mutating func endAccess(_ token: AccessToken) {
    server.end(token, &ledger, at: now)
    tell(.accessTokenEnded(token))
  }

  mutating func stepClock(_ nanoseconds: Int64) {
    devices[process.device].clockStep &+= nanoseconds
    tell(.clockStepped(nanoseconds: nanoseconds))
  }

  private mutating func scheduleClockSteps() {
    for (index, step) in world.scenario.clock.steps.enumerated() {
      _ = schedule(.clockSteps(Int32(index)), after: step.at.nanoseconds, drawnFrom: .usage)
    }
  }

  private mutating func scheduleSteadyCall(_ number: Int32) {
    let address = DrawAddress(.opening, number: Int(number), part: 2)
    let interval = world.interval.sample(streams.userActivity, at: address)
    // Saturating: whatever is beyond the horizon does not happen.
    guard let at = now.advanced(byNanoseconds: interval), at < world.horizon else { return }
    enqueue(.nextSteadyCall(number), at: at)
  }

  mutating func startSteadyCall(_ number: Int32) {
    guard now < world.horizon else { return }
    startCall(Usage.Moment.Call())
    scheduleSteadyCall(number + 1)
  }

  private mutating func scheduleOpening() {
    guard let firstPair else { return }
    let moment = openingMoment(firstPair)
    let opening = schedule(.screenOpens, after: moment, drawnFrom: .usage)
    switch world.scenario.lifecycle.leaves {
    case .never: break
    case .at(let instant):
      // Who has not opened the screen yet leaves it as soon as it is open.
      _ = schedule(
        .personLeaves, after: max(instant.nanoseconds, opening.nanoseconds), drawnFrom: .leaves)
    case .after:
      guard let length = lengthOfVisit() else { return }
      _ = schedule(
        .personLeaves, after: opening.nanoseconds &+ min(length, 1 << 62), drawnFrom: .leaves)
    }
  }

  /// Nanoseconds from the opening to leaving; nil for a person who stays.
  private func lengthOfVisit() -> Int64? {
    switch leaving {
    case .drawn: world.leaves?.sample(streams.lifecycle, at: Self.visitLength)
    case .never: nil
    case .after(let nanoseconds): nanoseconds
    }
  }

  /// Where the draw of the length of an opening's visit stands.
  static var visitLength: DrawAddress { DrawAddress(.visit, number: 0) }

  /// Nanoseconds from the minting of the pair to the opening.
  private func openingMoment(_ pair: FirstPair) -> Int64 {
    let end = world.trustedTime.believedEnd(
      of: pair.response, sent: pair.sent, read: pair.read
    ).nanoseconds
    switch world.scenario.usage.opens {
    case .duringLifetime:
      let trusted = max(0, end - pair.read.nanoseconds)
      var draws = streams.userActivity.draws(at: DrawAddress(.opening, number: 0))
      return pair.read.nanoseconds + Int64(Double(trusted) * draws.unit())
    case .expired:
      let endAtServer = pair.response.expiry.nanoseconds + world.leeway
      let overnight: Int64 = 8 * 3600 * 1_000_000_000
      return max(end, endAtServer, pair.read.nanoseconds) + overnight
    case .expiredAtServer: return pair.read.nanoseconds
    case .at(let moment): return max(moment.nanoseconds, pair.read.nanoseconds)
    }
  }

  /// The person opens the screen, in an app that may have been stopped or gone since.
  mutating func screenOpens() {
    guard now < world.horizon else { return }
    if process.lifecycle.isForeground { openScreen() } else { personReturns() }
  }

  mutating func openScreen() {
    if case .expiredAtServer = world.scenario.usage.opens, process.openings == 0, let firstPair {
      endAccess(firstPair.response.accessToken)
    }
    tell(.screenOpened)
    let opening = Int(process.openings)
    process.openings += 1
    let callers = world.scenario.usage.callers
    for caller in 0..<callers {
      let address = DrawAddress(
        .opening, number: opening * callers + caller, part: 1)
      var draws = streams.userActivity.draws(at: address)
      _ = schedule(.callStarts, after: Int64(world.spread * draws.unit()), drawnFrom: .usage)
    }
  }

  mutating func startCall(_ call: Usage.Moment.Call) {
    process.callsStarted += 1
    let number = process.callsStarted
    let slot = process.calls.insert(
      Process.OpenCall(
        number: number, isAlwaysRejected: call.isAlwaysRejected, needsToken: call.traits.needsToken)
    )
    tell(.callStarted(number))
    deliver(.callStarted(CallID(number: number, slot: slot), call.traits))
  }

  /// Cancels a call that has not ended; the request that is under way for it is abandoned.
  private mutating func cancelCall(_ number: Int) {
    guard let slot = process.slot(ofCall: number) else { return }
    let call = CallID(number: Int32(number), slot: slot)
    tell(.callCancelled(call.number))
    for slot in exchanges.slots where exchanges[slot].isAwaited && isOwn(slot) {
      if case .attempt(call) = exchanges[slot].subject { giveUp(slot) }
    }
    deliver(.callCancelled(call))
  }

  /// The client may try a call again, unless it has ended in the meantime.
  mutating func endPause(ofCall number: Int32) {
    guard let slot = process.slot(ofCall: Int(number)) else { return }
    deliver(.pauseEnded(CallID(number: number, slot: slot)))
  }
}
