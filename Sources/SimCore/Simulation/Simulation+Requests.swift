/// Messages between the device and the servers.
///
/// A request keeps its slot until its message has come back or the client has given up on it, whichever is
/// later. Its deadline is an event of its own only where it could pass before the next step.
extension Simulation {
  mutating func send(_ call: CallID, with token: AccessToken) {
    let number = process.calls[call.slot].attempts + 1
    process.calls[call.slot].attempts = number
    tell(.attemptSent(call.number, attempt: number, token))
    let exchange = Exchange(
      Attempt(call: call, number: number, token: token), deadline: deadline())
    let slot = attempts.insert(exchange)
    let address = DrawAddress(.call, number: Int(call.number), part: Int(number))
    let arrival = schedule(
      .attemptArrives(slot), after: world.uplink.sample(streams.uplink, at: address),
      drawnFrom: .uplink)
    if exchange.needsDeadline(before: arrival) { armDeadline(ofAttempt: slot) }
  }

  mutating func attemptArrives(_ slot: Int32) {
    let exchange = attempts[slot]
    let attempt = exchange.payload
    let isAccepted = resource.accepts(attempt.token, ledger, at: now)
    if isAccepted, server.heedsAcceptance {
      server.noteAcceptance(of: attempt.token, &ledger, at: now)
    }
    attempts[slot].payload.status = isAccepted ? .ok : .unauthorized
    tell(
      .attemptJudged(
        attempt.call.number, attempt: attempt.number, attempt.token, accepted: isAccepted))
    let address = DrawAddress(
      .call, number: Int(attempt.call.number), part: Int(attempt.number))
    let answer = schedule(
      .attemptAnswered(slot), after: world.downlink.sample(streams.downlink, at: address),
      drawnFrom: .downlink)
    if exchange.needsDeadline(before: answer) { armDeadline(ofAttempt: slot) }
  }

  mutating func attemptReturns(_ slot: Int32) {
    let exchange = attempts[slot]
    guard exchange.isAwaited else { return attempts.remove(slot) }
    // What arrives while no code runs is lost; the request fails when the app comes back.
    guard !process.lifecycle.isSuspended else {
      attempts[slot].isTravelling = false
      return
    }
    let attempt = exchange.payload
    attempts[slot].isAwaited = false
    attempts.remove(slot)
    tell(
      .attemptAnswered(
        attempt.call.number, attempt: attempt.number, accepted: attempt.status == .ok))
    deliver(.callAnswered(attempt.call, attempt.status))
  }

  mutating func attemptTimesOut(_ slot: Int32) {
    guard !process.lifecycle.isSuspended, attempts[slot].isAwaited, attempts[slot].deadline == now
    else { return }
    failAttempt(slot, .timeout)
  }

  private mutating func failAttempt(_ slot: Int32, _ failure: RequestFailure) {
    let attempt = attempts[slot].payload
    attempts[slot].isAwaited = false
    if !attempts[slot].isTravelling { attempts.remove(slot) }
    tell(.attemptFailed(attempt.call.number, attempt: attempt.number, failure))
    deliver(.callFailed(attempt.call, failure))
  }

  mutating func sendRefresh(_ id: RefreshID, presenting token: RefreshToken) {
    process.refreshesSent += 1
    let number = process.refreshesSent
    tell(.refreshSent(number, token))
    let exchange = Exchange(
      RefreshRequest(id: id, number: number, token: token), deadline: deadline())
    let slot = refreshes.insert(exchange)
    let address = DrawAddress(.refresh, number: Int(number))
    let arrival = schedule(
      .refreshArrives(slot), after: world.uplink.sample(streams.uplink, at: address),
      drawnFrom: .uplink)
    if exchange.needsDeadline(before: arrival) { armDeadline(ofRefresh: slot) }
  }

  mutating func refreshArrives(_ slot: Int32) {
    let exchange = refreshes[slot]
    let request = exchange.payload
    tell(.refreshArrived(request.number, request.token))
    refreshes[slot].payload.readAt = server.reading(ofArrivalAt: now)
    let address = DrawAddress(.refresh, number: Int(request.number))
    let commit = schedule(
      .refreshCommits(slot), after: world.processing.sample(streams.serverTime, at: address),
      drawnFrom: .processing)
    if exchange.needsDeadline(before: commit) { armDeadline(ofRefresh: slot) }
  }

  mutating func refreshCommits(_ slot: Int32) {
    let exchange = refreshes[slot]
    let request = exchange.payload
    let number = Int(request.number)
    let mishap = server.mishaps.draw(
      streams.serverTime, at: DrawAddress(.refresh, number: number, part: 2))
    let lifetime = server.lifetime(
      streams.serverTime, at: DrawAddress(.refresh, number: number, part: 1))
    let outcome = server.exchange(
      request.token, &ledger, at: now, readAt: request.readAt, lifetime: lifetime, mishap)
    tell(.refreshJudged(request.number, request.token, outcome.judgement))
    if case .rejected(_, let revoked?) = outcome { tell(.familyRevoked(revoked, .reuse)) }
    refreshes[slot].payload.reply = server.reply(to: outcome, mishap)
    let address = DrawAddress(.refresh, number: number)
    let answer = schedule(
      .refreshAnswered(slot), after: world.downlink.sample(streams.downlink, at: address),
      drawnFrom: .downlink)
    if exchange.needsDeadline(before: answer) { armDeadline(ofRefresh: slot) }
  }

  mutating func refreshReturns(_ slot: Int32) {
    let exchange = refreshes[slot]
    guard exchange.isAwaited else { return refreshes.remove(slot) }
    guard !process.lifecycle.isSuspended else {
      refreshes[slot].isTravelling = false
      return
    }
    let request = exchange.payload
    refreshes[slot].isAwaited = false
    refreshes.remove(slot)
    if case .granted(let response) = request.reply {
      process.lastRead = response.refreshToken
      tell(.refreshAnswered(request.number, granted: true))
    } else {
      tell(.refreshAnswered(request.number, granted: false))
    }
    deliver(.refreshAnswered(request.id, request.reply))
  }

  mutating func refreshTimesOut(_ slot: Int32) {
    guard !process.lifecycle.isSuspended, refreshes[slot].isAwaited,
      refreshes[slot].deadline == now
    else { return }
    failRefresh(slot, .timeout)
  }

  private mutating func failRefresh(_ slot: Int32, _ failure: RequestFailure) {
    let request = refreshes[slot].payload
    refreshes[slot].isAwaited = false
    if !refreshes[slot].isTravelling { refreshes.remove(slot) }
    tell(.refreshFailed(request.number, failure))
    deliver(.refreshFailed(request.id, failure))
  }

  /// The connections are gone: everything that the client waits for ends in a transport error.
  mutating func failPendingRequests() {
    // Listed first: what the client sends in answer to a failure goes over a new connection.
    let pendingRefreshes = refreshes.slots.filter { refreshes[$0].isAwaited }
    let pendingAttempts = attempts.slots.filter { attempts[$0].isAwaited }
    for slot in pendingRefreshes { failRefresh(slot, .transport) }
    for slot in pendingAttempts { failAttempt(slot, .transport) }
  }

  /// Within range: instants stay below 146 years and a timeout below 50.
  private func deadline() -> Instant {
    Instant(nanoseconds: now.nanoseconds + world.timeout)
  }

  private mutating func armDeadline(ofAttempt slot: Int32) {
    attempts[slot].hasDeadlineArmed = true
    queue.schedule(.attemptDeadline(slot), at: max(now, attempts[slot].deadline))
  }

  private mutating func armDeadline(ofRefresh slot: Int32) {
    refreshes[slot].hasDeadlineArmed = true
    queue.schedule(.refreshDeadline(slot), at: max(now, refreshes[slot].deadline))
  }
}

extension AuthorizationServer.Outcome {
  /// What the record says.
  fileprivate var judgement: Fact.Judgement {
    switch self {
    case .rotated(let response, let lifeLeft):
      .rotated(response.refreshToken, response.accessToken, lifeLeft: lifeLeft)
    case .reissued(let response): .reissued(response.accessToken)
    case .graced(let response, let forked):
      .graced(response.refreshToken, response.accessToken, forked: forked)
    case .rejected(let reuse, _): .rejected(reuse: reuse)
    case .refused(let error): .refused(error)
    }
  }
}
