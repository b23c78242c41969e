public import SimCore

/// A client that does what its ``Decisions`` say.
public struct DescribedClient: Client {
  let decisions: Decisions
  /// The margin in nanoseconds; nil without a check before use.
  private let margin: Int64?

  private var held: HeldPair?
  private var hasToldSignOut = false
  private var calls = ReusableArray<CallState>()
  private var flights = SlotTable<Flight>()
  /// The refresh that callers share, where they do.
  private var sharedFlight: RefreshID?
  /// Refreshes that count on the background task; -1 once the system has ended it.
  private var protectedFlights = 0

  private struct HeldPair {
    let access: AccessToken
    let refresh: RefreshToken
    /// The believed end of the access token by the device's clock.
    let end: WallTime
  }

  private struct CallState {
    var call: CallID
    /// The token of the last attempt.
    var sentWith: AccessToken?
    /// The refresh token that was in memory when the call started.
    var captured: RefreshToken?
    var resendsLeft: Int32
    /// The slot of the next call that waits for the same refresh; -1 for none.
    var nextWaiter: Int32 = -1
  }

  private struct Flight {
    let presented: RefreshToken
    var sentAt: WallTime
    var retries: Int32 = 0
    var isProtected: Bool
    var granted: AccessToken?
    var firstWaiter: Int32 = -1
    var lastWaiter: Int32 = -1
  }

  /// A client that does what these decisions say.
  public init(_ decisions: Decisions) {
    self.decisions = decisions
    margin =
      switch decisions.check {
      case .none: nil
      case .margin(let margin): margin.nanoseconds
      }
  }

  /// What is visible of the decisions from outside.
  public var profile: ClientProfile { decisions.profile }

  /// Forgets everything, to begin another run.
  public mutating func reset() {
    held = nil
    hasToldSignOut = false
    calls.removeAll()
    flights.removeAll()
    sharedFlight = nil
    protectedFlights = 0
  }

  /// Takes an event and appends what should follow to `effects`, in order.
  public mutating func handle(
    _ event: ClientEvent, now: WallTime, effects: inout ClientEffects
  ) {
    switch event {
    case .signedIn(let requestedAt, let response):
      held = pair(from: response, requestedAt: requestedAt, now: now)
    case .callStarted(let call): start(call, now, &effects)
    case .callAnswered(let call, .ok): effects.append(.finish(call, .succeeded))
    case .callAnswered(let call, .unauthorized): unauthorized(call, now, &effects)
    case .callFailed(let call, let failure): effects.append(.finish(call, failure.outcome))
    case .refreshAnswered(let id, .granted(let response)):
      held = pair(from: response, requestedAt: flights[id.slot].sentAt, now: now)
      flights[id.slot].granted = response.accessToken
      effects.append(.store(id, response))
    case .refreshAnswered(let id, .failed): rejected(id, &effects)
    case .refreshFailed(let id, let failure): failed(id, failure, &effects)
    case .stored(let id): complete(id, &effects)
    case .timerFired(let id): sendAgain(id, now, &effects)
    case .backgroundTaskExpired:
      for slot in flights.slots { flights[slot].isProtected = false }
      protectedFlights = 0
    }
  }

  // MARK: Calls

  private mutating func start(_ call: CallID, _ now: WallTime, _ effects: inout ClientEffects) {
    let state = CallState(
      call: call, captured: held?.refresh, resendsLeft: Int32(clamping: decisions.resends))
    if Int(call.slot) < calls.count {
      calls[Int(call.slot)] = state
    } else {
      calls.append(state)
    }
    guard let held else { return effects.append(.finish(call, .signedOut)) }
    if sharedFlight != nil || isTooOld(held, now) {
      refresh(for: call, now, &effects)
    } else {
      send(call, held.access, &effects)
    }
  }

  private func isTooOld(_ pair: HeldPair, _ now: WallTime) -> Bool {
    guard let margin else { return false }
    return pair.end.nanoseconds - now.nanoseconds <= margin
  }

  private mutating func send(
    _ call: CallID, _ token: AccessToken, _ effects: inout ClientEffects
  ) {
    calls[Int(call.slot)].sentWith = token
    effects.append(.send(call, token))
  }

  private mutating func unauthorized(
    _ call: CallID, _ now: WallTime, _ effects: inout ClientEffects
  ) {
    let state = calls[Int(call.slot)]
    guard state.resendsLeft > 0, decisions.afterUnauthorized != .giveBack else {
      return effects.append(.finish(call, .unauthorized))
    }
    guard let held else { return effects.append(.finish(call, .signedOut)) }
    calls[Int(call.slot)].resendsLeft -= 1
    let isSuperseded =
      decisions.afterUnauthorized == .refreshUnlessSuperseded && state.sentWith != held.access
    if isSuperseded, sharedFlight == nil {
      send(call, held.access, &effects)
    } else {
      refresh(for: call, now, &effects)
    }
  }

  // MARK: Refreshes

  /// Lets `call` wait for a refresh: the one that is running if they are shared, or a new one.
  private mutating func refresh(
    for call: CallID, _ now: WallTime, _ effects: inout ClientEffects
  ) {
    if let sharedFlight {
      return join(sharedFlight, call, &effects)
    }
    let captured = calls[Int(call.slot)].captured
    guard let token = decisions.presents == .captured ? captured : held?.refresh else {
      return effects.append(.finish(call, .signedOut))
    }
    let isProtected = decisions.protection == .backgroundTask
    let id = RefreshID(
      slot: flights.insert(Flight(presented: token, sentAt: now, isProtected: isProtected)))
    if decisions.merge == .singleFlight { sharedFlight = id }
    if isProtected {
      protectedFlights += 1
      effects.append(.holdBackgroundTask)
    }
    effects.append(.refresh(id, presenting: token))
    join(id, call, &effects)
  }

  private mutating func join(
    _ id: RefreshID, _ call: CallID, _ effects: inout ClientEffects
  ) {
    calls[Int(call.slot)].nextWaiter = -1
    let last = flights[id.slot].lastWaiter
    if last >= 0 {
      calls[Int(last)].nextWaiter = call.slot
    } else {
      flights[id.slot].firstWaiter = call.slot
    }
    flights[id.slot].lastWaiter = call.slot
    effects.append(.wait(call))
  }

  /// The pair is in the store: the refresh is over, and its calls go on with the pair.
  private mutating func complete(_ id: RefreshID, _ effects: inout ClientEffects) {
    var flight = end(id)
    guard let token = flight.granted else { return }
    while let call = nextWaiter(of: &flight) { send(call, token, &effects) }
    release(flight, &effects)
  }

  private mutating func rejected(_ id: RefreshID, _ effects: inout ClientEffects) {
    var flight = end(id)
    effects.append(.endSession)
    if decisions.afterRejection == .clearPair {
      held = nil
      effects.append(.clearStore)
    }
    if decisions.notices == .once, !hasToldSignOut { effects.append(.notifySignOut) }
    hasToldSignOut = true
    while let call = nextWaiter(of: &flight) {
      if decisions.notices == .perFailedCall { effects.append(.notifySignOut) }
      effects.append(.finish(call, .signedOut))
    }
    release(flight, &effects)
  }

  private mutating func failed(
    _ id: RefreshID, _ failure: RequestFailure, _ effects: inout ClientEffects
  ) {
    let retries = Int(flights[id.slot].retries)
    if failure == .transport, flights[id.slot].isProtected,
      retries < decisions.protectedRetries.count
    {
      flights[id.slot].retries += 1
      let pause = decisions.protectedRetries[retries].nanoseconds
      return effects.append(.setTimer(id, nanoseconds: pause))
    }
    var flight = end(id)
    while let call = nextWaiter(of: &flight) { effects.append(.finish(call, failure.outcome)) }
    release(flight, &effects)
  }

  private mutating func sendAgain(
    _ id: RefreshID, _ now: WallTime, _ effects: inout ClientEffects
  ) {
    flights[id.slot].sentAt = now
    effects.append(.refresh(id, presenting: flights[id.slot].presented))
  }

  private mutating func end(_ id: RefreshID) -> Flight {
    let flight = flights[id.slot]
    flights.remove(id.slot)
    sharedFlight = nil
    return flight
  }

  private mutating func release(_ flight: Flight, _ effects: inout ClientEffects) {
    guard flight.isProtected else { return }
    protectedFlights -= 1
    if protectedFlights == 0 { effects.append(.releaseBackgroundTask) }
  }

  /// Takes the first of the calls that wait for a refresh.
  private func nextWaiter(of flight: inout Flight) -> CallID? {
    guard flight.firstWaiter >= 0 else { return nil }
    let state = calls[Int(flight.firstWaiter)]
    flight.firstWaiter = state.nextWaiter
    return state.call
  }

  private func pair(
    from response: TokenResponse, requestedAt: WallTime, now: WallTime
  ) -> HeldPair {
    let end =
      switch decisions.expiryBasis {
      case .absolute: response.expiry
      case .receivedAt: now.advanced(bySeconds: response.expiresIn)
      case .sentAt: requestedAt.advanced(bySeconds: response.expiresIn)
      }
    return HeldPair(access: response.accessToken, refresh: response.refreshToken, end: end)
  }
}

extension RequestFailure {
  fileprivate var outcome: CallOutcome {
    switch self {
    case .transport: .transport
    case .timeout: .timeout
    }
  }
}
