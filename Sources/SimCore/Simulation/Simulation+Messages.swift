/// Requests on their way to a server, and answers on their way back.
///
/// An exchange keeps its slot until its message has come back or the client has given up on it, whichever is
/// later. Its deadline is an event of its own only where it could pass before the next step.
extension Simulation {
  mutating func send(_ call: CallID, with token: AccessToken?) {
    let number = process.calls[call.slot].attempts + 1
    process.calls[call.slot].attempts = number
    var exchange = Exchange(
      .attempt(call), of: current, life: process.life, number: number, token: token?.id ?? -1,
      deadline: deadline())
    exchange.needsToken = process.calls[call.slot].needsToken
    exchange.isAlwaysRejected = process.calls[call.slot].isAlwaysRejected
    begin(exchange)
  }

  mutating func sendRefresh(_ id: RefreshID, presenting token: RefreshToken) {
    process.refreshes += 1
    var exchange = Exchange(
      .refresh(id), of: current, life: process.life, number: process.refreshes, token: token.id,
      deadline: deadline())
    exchange.isTransfer = process.transfersInBackground
    begin(exchange)
  }

  mutating func sendRevocation(of token: RefreshToken) {
    begin(
      Exchange(
        .revocation, of: current, life: process.life, number: process.refreshes, token: token.id,
        deadline: deadline()))
  }

  @inline(__always)
  private mutating func begin(_ exchange: Exchange) {
    let slot = exchanges.insert(exchange)
    guard !world.hasPlainNetwork else { return depart(slot) }
    let wait = connectionWait(for: exchange)
    guard wait > 0 else { return depart(slot) }
    let departure = schedule(.messageLeaves(slot), after: wait, drawnFrom: .wake)
    if exchange.needsDeadline(before: departure) { armDeadline(of: slot) }
  }

  /// The connection is open; who no longer waits, or is suspended, sends nothing.
  mutating func messageLeaves(_ slot: Int32) {
    guard exchanges[slot].isAwaited else { return exchanges.remove(slot) }
    guard process.lifecycle.runsCode || exchanges[slot].isTransfer else {
      return holdBack(.messageLeaves(slot), of: slot)
    }
    depart(slot)
  }

  @inline(__always)
  private mutating func depart(_ slot: Int32) {
    let exchange = exchanges[slot]
    tellSending(exchange)
    let length: Int64
    if world.hasPlainNetwork {
      length = world.uplink.sample(streams.uplink, at: exchange.address)
    } else {
      guard isOnline() else { return loseForWantOfNetwork(slot, .request) }
      guard !isLost(exchange, .request) else { return lose(slot, .request) }
      length = delay(of: exchange, .request)
    }
    let arrival = schedule(.messageArrives(slot), after: length, drawnFrom: .uplink)
    if exchange.needsDeadline(before: arrival) { armDeadline(of: slot) }
  }

  @inline(__always)
  private mutating func tellSending(_ exchange: Exchange) {
    switch exchange.subject {
    case .attempt(let call):
      tell(.attemptSent(call.number, attempt: exchange.number, exchange.accessToken))
    case .refresh: tell(.refreshSent(exchange.number, exchange.refreshToken))
    case .revocation: break
    }
  }

  @inline(__always)
  mutating func messageArrives(_ slot: Int32) {
    switch exchanges[slot].subject {
    case .attempt(let call): judgeAttempt(slot, of: call)
    case .refresh: receiveRefresh(slot)
    case .revocation:
      let family = ledger[exchanges[slot].refreshToken].family
      exchanges[slot].isAwaited = false
      exchanges.remove(slot)
      revoke(family)
    }
  }

  /// Sends the answer of an exchange on its way.
  mutating func sendAnswer(_ slot: Int32) {
    let exchange = exchanges[slot]
    let length: Int64
    if world.hasPlainNetwork {
      length = world.downlink.sample(streams.downlink, at: exchange.address)
    } else {
      guard !isLost(exchange, .answer) else { return lose(slot, .answer) }
      length = delay(of: exchange, .answer)
    }
    let arrival = schedule(.answerArrives(slot), after: length, drawnFrom: .downlink)
    if exchange.needsDeadline(before: arrival) { armDeadline(of: slot) }
  }

  mutating func answerArrives(_ slot: Int32) {
    let exchange = exchanges[slot]
    guard exchange.isAwaited else { return exchanges.remove(slot) }
    if !process.lifecycle.runsCode, !canReceive(slot) { return }
    if !world.hasPlainNetwork {
      guard isOnline() else { return loseForWantOfNetwork(slot, .answer) }
      process.connection.noteUse(at: now)
    }
    exchanges[slot].isAwaited = false
    exchanges.remove(slot)
    guard exchange.life == process.life else {
      return deliverTransfer(replies[Int(slot)], of: exchange.number)
    }
    switch exchange.subject {
    case .attempt(let call):
      tell(.attemptAnswered(call.number, attempt: exchange.number, exchange.status))
      deliver(.callAnswered(call, exchange.status))
    case .refresh(let id):
      let reply = replies[Int(slot)]
      readReply(reply, of: exchange.number)
      deliver(.refreshAnswered(id, reply))
    case .revocation: break
    }
  }

  /// Whether an answer gets through to a process whose code does not run.
  ///
  /// Otherwise it is lost, and the request fails when the code runs again, unless the connection outlives the
  /// suspension.
  private mutating func canReceive(_ slot: Int32) -> Bool {
    if exchanges[slot].isTransfer {
      // It is in time, however late the code that runs again may find it.
      let deadline = exchanges[slot].deadline
      exchanges[slot].deadline = Instant(nanoseconds: .max)
      wakeInBackground(for: world.scenario.lifecycle.wakeLength.nanoseconds)
      exchanges[slot].deadline = deadline
      if exchanges[slot].isAwaited { return true }
      exchanges.remove(slot)
      return false
    }
    holdBack(.answerArrives(slot), of: slot)
    return false
  }

  /// What the connection does while no code runs is seen when it runs again, if the connection outlives that.
  private mutating func holdBack(_ event: SimulationEvent, of slot: Int32) {
    if world.socketSurvives > 0 { return process.overdue.append(event) }
    // A transfer does not fail with the connections of its process.
    if exchanges[slot].isTransfer { waitInVain(slot) } else { stopTravelling(slot) }
  }

  /// Gives a process the answer to a refresh that an earlier life of it sent.
  private mutating func deliverTransfer(_ reply: TokenReply, of number: Int32) {
    tell(.transferDelivered(number))
    readReply(reply, of: number)
    deliver(.transferDelivered(reply))
  }

  @inline(__always)
  private mutating func readReply(_ reply: TokenReply, of number: Int32) {
    switch reply {
    case .granted(let response):
      process.lastRead = response.refreshToken
      tell(.refreshAnswered(number, nil))
    case .failed(let error, _): tell(.refreshAnswered(number, error))
    }
  }

  // MARK: What is lost, or takes too long

  /// Nothing of the exchange is under way any more; it ends when the client gives up.
  mutating func stopTravelling(_ slot: Int32) {
    exchanges[slot].isTravelling = false
    if !exchanges[slot].isAwaited { exchanges.remove(slot) }
  }

  private mutating func lose(_ slot: Int32, _ leg: Fact.Leg) {
    let exchange = exchanges[slot]
    switch exchange.subject {
    case .attempt(let call): tell(.attemptLost(call.number, attempt: exchange.number, leg))
    case .refresh: tell(.refreshLost(exchange.number, leg))
    case .revocation: break
    }
    waitInVain(slot)
  }

  /// No answer will come.
  mutating func waitInVain(_ slot: Int32) {
    if exchanges[slot].isAwaited, !exchanges[slot].hasDeadlineArmed { armDeadline(of: slot) }
    stopTravelling(slot)
  }

  private mutating func loseForWantOfNetwork(_ slot: Int32, _ leg: Fact.Leg) {
    tell(.networkMissing)
    switch (world.scenario.network.offlineFailure, leg) {
    case (.atOnce, _): _ = schedule(.connectionFails(slot), after: 0, drawnFrom: .uplink)
    // What never left the device is not lost on the way.
    case (.afterTimeout, .request): waitInVain(slot)
    case (.afterTimeout, .answer): lose(slot, .answer)
    }
  }

  mutating func connectionFails(_ slot: Int32) {
    guard exchanges[slot].isAwaited else { return stopTravelling(slot) }
    guard process.lifecycle.runsCode else { return holdBack(.connectionFails(slot), of: slot) }
    exchanges[slot].isTravelling = false
    fail(slot, .transport)
  }

  mutating func deadlinePasses(_ slot: Int32) {
    guard process.lifecycle.runsCode, exchanges[slot].isAwaited,
      exchanges[slot].deadline == now
    else { return }
    fail(slot, .timeout)
  }

  private mutating func fail(_ slot: Int32, _ failure: RequestFailure) {
    let exchange = exchanges[slot]
    exchanges[slot].isAwaited = false
    if !exchange.isTravelling { exchanges.remove(slot) }
    guard exchange.life == process.life else { return }
    switch exchange.subject {
    case .attempt(let call):
      tell(.attemptFailed(call.number, attempt: exchange.number, failure))
      deliver(.callFailed(call, failure))
    case .refresh(let id):
      tell(.refreshFailed(exchange.number, failure))
      deliver(.refreshFailed(id, failure))
    case .revocation: break
    }
  }

  /// The connections are gone: everything that the client waits for ends in a transport error.
  mutating func failPendingRequests() {
    // Listed first: what the client sends in answer to a failure goes over a new connection.
    var pending: [Int32] = []
    for slot in exchanges.slots
    where exchanges[slot].isAwaited && isOwn(slot) && !exchanges[slot].isTransfer {
      pending.append(slot)
    }
    let ordered = pending.map { ($0, exchanges[$0]) }.sorted { $0.1.precedes($1.1) }
    for (slot, _) in ordered where exchanges[slot].isAwaited {
      fail(slot, .transport)
    }
  }

  /// What was not answered in time while no code ran.
  mutating func failLateRequests() {
    guard process.lifecycle.runsCode else { return }
    for slot in exchanges.slots
    where exchanges[slot].isAwaited && isOwn(slot) && exchanges[slot].deadline <= now {
      fail(slot, .timeout)
    }
  }

  /// Whether an exchange is one of the current process.
  func isOwn(_ slot: Int32) -> Bool { exchanges[slot].process == current }

  /// Forgets what a process that ends waits for; the system carries transfers on unless the person ended it.
  mutating func forgetRequests(byPerson: Bool) {
    for slot in exchanges.slots where exchanges[slot].isAwaited && isOwn(slot) {
      if byPerson || !exchanges[slot].isTransfer { giveUp(slot) }
    }
  }

  /// The client waits no longer for an answer; what has left the device is not recalled.
  mutating func giveUp(_ slot: Int32) {
    exchanges[slot].isAwaited = false
    if !exchanges[slot].isTravelling { exchanges.remove(slot) }
  }

  /// Within range: instants stay below 146 years and a timeout below 50.
  @inline(__always)
  private mutating func deadline() -> Instant {
    guard let timeout = process.timeout else { return Instant(nanoseconds: .max) }
    return Instant(nanoseconds: now.nanoseconds + timeout)
  }

  mutating func armDeadline(of slot: Int32) {
    guard process.timeout != nil else { return }
    exchanges[slot].hasDeadlineArmed = true
    enqueue(.deadlinePasses(slot), at: max(now, exchanges[slot].deadline))
  }
}

extension Exchange {
  /// The access token that an attempt presents.
  var accessToken: AccessToken? { token < 0 ? nil : AccessToken(id: token) }

  /// The refresh token that a refresh or a revocation presents.
  var refreshToken: RefreshToken { RefreshToken(id: token) }

  /// Refreshes fail before calls, and each kind in the order of numbers.
  func precedes(_ other: Exchange) -> Bool {
    switch (subject, other.subject) {
    case (.refresh, .refresh): number < other.number
    case (.refresh, _): true
    case (.attempt(let call), .attempt(let otherCall)): call.number < otherCall.number
    default: false
    }
  }
}
