public import SimCore

/// A client that does what its ``Decisions`` say.
public struct DescribedClient: Client, ~Copyable {
  let decisions: Decisions
  /// The margin in nanoseconds; nil without a check before use.
  let margin: Int64?
  /// Whether quota or cool-down may withhold a refresh.
  let isRationed: Bool
  private(set) var chance: ClientChance?

  var held: HeldPair?
  /// Counts sign-ins and sign-outs, unasked ones included, to tell a session from the next.
  var session: Int32 = 0
  var hasToldSignOut = false
  var calls = CallTable()
  var flights = SlotTable<Flight>()
  /// The pairs that flights brought, by their slots.
  var grants = ReusableArray<HeldPair>()
  /// Flights begun in this run; also the number of the last.
  var flightsBegun: Int32 = 0
  /// The refreshes that callers share, where they do: one, or one per path.
  var shared = (first: RefreshID?.none, second: RefreshID?.none)
  /// The calls that wait for their turn in a queue of refreshes.
  var queue = WaitingLine()
  /// Deadlines of waiting calls that were set in this run; also the number of the last.
  var deadlinesSet: Int32 = 0
  /// Refreshes that count on the background task.
  var protectedFlights = 0
  /// When refreshes began, for the quota.
  var begun = ReusableArray<Int64>()
  /// The refresh token that failed last, and when.
  var lastFailure: (token: RefreshToken, at: Int64)?
  /// Counts how often a scheduled refresh was armed, to tell the last one from earlier ones.
  var armed: Int32 = 0

  struct HeldPair {
    let access: AccessToken
    let refresh: RefreshToken
    /// The believed end of the access token by the chosen clock.
    let end: Int64
    /// When it is too old to be used without a refresh; never without a check.
    let tooOldAt: Int64
    /// The server's own end of it.
    let expiry: WallTime
    /// The number of the flight that brought it; 0 for a sign-in.
    var flight: Int32 = 0
  }

  struct Flight {
    let number: Int32
    let presented: RefreshToken
    let session: Int32
    let startedAt: Int64
    let isReactive: Bool
    /// The number of the call that began it; 0 for none.
    let owner: Int32
    /// When it was sent last, by the chosen clock.
    var sentAt: Int64
    var retries: Int32 = 0
    /// Requests in the chain of a refresh that goes through the client.
    var chain: Int32 = 1
    var isProtected: Bool
    var isScheduled = false
    /// Whether its answer brought a pair, which then stands in ``grants``.
    var isGranted = false
    /// Whether its calls have gone on, before its pair is in the store or because it was given up; so it is
    /// in every slot that is free.
    var isOver = false
    var waiters = WaitingLine()
  }

  /// A client that does what these decisions say.
  public init(_ decisions: Decisions) {
    self.decisions = decisions
    isRationed = decisions.quota != nil || decisions.coolDown > .zero
    margin =
      switch decisions.check {
      case .none: nil
      case .margin(let margin): margin.nanoseconds
      }
  }

  /// What is visible of the decisions from outside.
  public var profile: ClientProfile { decisions.profile }

  /// Forgets everything, to begin another run.
  public mutating func reset(_ chance: ClientChance) {
    self.chance = chance
    held = nil
    session = 0
    hasToldSignOut = false
    calls.removeAll()
    flights.removeAll()
    flightsBegun = 0
    shared = (nil, nil)
    queue = WaitingLine()
    deadlinesSet = 0
    protectedFlights = 0
    begun.removeAll()
    lastFailure = nil
    armed = 0
  }

  /// Takes an event and appends what should follow to `effects`, in order.
  public mutating func handle(
    _ event: ClientEvent, now: ClockReading, effects: inout ClientEffects
  ) {
    switch event {
    case .signedIn(let response, let nanoseconds):
      signedIn(response, requestedAt: time(now) - nanoseconds, now, &effects)
    case .signOutRequested: signOut(&effects)
    case .callStarted(let call, let traits): start(call, traits, now, &effects)
    case .callAnswered(let call, .ok): effects.append(.finish(call, .succeeded))
    case .callAnswered(let call, .unauthorized): unauthorized(call, now, &effects)
    case .callAnswered(let call, let status): effects.append(.finish(call, status.outcome))
    case .callFailed(let call, let failure): effects.append(.finish(call, failure.outcome))
    case .callCancelled(let call): cancelled(call, now, &effects)
    case .pauseEnded: break
    case .refreshOrdered: refreshUnasked(isScheduled: false, now, &effects)
    case .refreshAnswered(let id, .granted(let response)): granted(id, response, now, &effects)
    case .refreshAnswered(let id, .failed(let error, let retryAfter)):
      failed(id, error.failure, retryAfter: retryAfter, now, &effects)
    case .refreshFailed(let id, let failure):
      failed(id, failure == .transport ? .transport : .timeout, retryAfter: 0, now, &effects)
    case .stored(let id): stored(id, now, &effects)
    case .timerFired(let id): timerFired(id, now, &effects)
    case .launched, .resumed, .unlocked, .storeRead, .storeFailed, .storeCleared, .lockGranted,
      .transferDelivered:
      break
    case .backgroundTaskExpired:
      for slot in flights.slots { flights[slot].isProtected = false }
      protectedFlights = 0
    }
  }

  // MARK: The pair

  private mutating func signedIn(
    _ response: TokenResponse, requestedAt: Int64, _ now: ClockReading,
    _ effects: inout ClientEffects
  ) {
    session += 1
    hasToldSignOut = false
    held = pair(from: response, requestedAt: requestedAt, now: now)
    armSchedule(isSignIn: true, now, &effects)
  }

  private mutating func signOut(_ effects: inout ClientEffects) {
    let token = held?.refresh
    session += 1
    held = nil
    effects.append(.clearStore)
    if decisions.revokesOnSignOut, let token { effects.append(.revoke(token)) }
    if decisions.onSignOut == .cancelRefresh { abandonAll(&effects) }
  }

  /// What the chosen clock shows.
  func time(_ now: ClockReading) -> Int64 {
    switch decisions.clock {
    case .wall: now.wall.nanoseconds
    case .continuous: now.continuous.nanoseconds
    case .suspending: now.suspending.nanoseconds
    }
  }

  func isTooOld(_ pair: HeldPair, _ now: ClockReading) -> Bool {
    margin != nil && time(now) >= pair.tooOldAt
  }

  /// Whether the pair has not ended in the eyes of the client.
  func isTrusted(_ pair: HeldPair, _ now: ClockReading) -> Bool {
    margin == nil || time(now) < pair.end
  }

  mutating func pair(
    from response: TokenResponse, requestedAt: Int64, now: ClockReading
  ) -> HeldPair {
    let seconds = Int64(response.expiresIn) &* 1_000_000_000
    let end =
      switch decisions.expiryBasis {
      case .absolute: response.expiry.nanoseconds
      case .receivedAt: time(now) &+ seconds
      case .sentAt: requestedAt &+ seconds
      case .absoluteCorrected:
        response.expiry.nanoseconds &+ time(now) &- response.date.nanoseconds
      }
    return HeldPair(
      access: response.accessToken, refresh: response.refreshToken, end: end,
      tooOldAt: end &- marginToday(expiresIn: response.expiresIn, response.accessToken),
      expiry: response.expiry)
  }

  /// The margin of one pair, with its cap and its jitter.
  private mutating func marginToday(expiresIn: Int32, _ token: AccessToken) -> Int64 {
    guard var margin else { return 0 }
    if let cap = decisions.marginCap {
      margin = min(margin, Int64(cap * Double(expiresIn) * 1e9))
    }
    if decisions.marginJitter > .zero {
      margin += jitter(upTo: decisions.marginJitter.nanoseconds, token.number, for: 1)
    }
    return margin
  }

  /// A random length of time up to a limit.
  mutating func jitter(upTo limit: Int64, _ number: Int, for purpose: Int) -> Int64 {
    guard limit > 0, let chance else { return 0 }
    return Int64(Double(limit) * chance.unit(number, for: purpose))
  }
}
