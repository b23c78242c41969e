public import SimCore

/// A client that does what its ``Decisions`` say.
public struct DescribedClient: Client, ~Copyable {
  let decisions: Decisions
  /// The margin in nanoseconds; nil without a check before use.
  let margin: Int64?
  /// Whether quota, cool-down, or the decision that others refresh may withhold a refresh.
  let isRationed: Bool
  /// Whether a refresh is sent as it begins, and nothing is locked, read, recorded, or written before.
  let sendsAtOnce: Bool
  let rereadsAfterUnauthorized: Bool
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
  /// Whether the process has read its store since it started.
  var knowledge = Knowledge.read
  /// What the readings of the store that are under way are for.
  var readings = SlotTable<Reading>()
  /// The calls that wait until the store is read.
  var readers = WaitingLine()
  /// What came before the store was read.
  var postponed = Postponed()
  /// A pair that could not be written and is not used before it is.
  var withheld: HeldPair?
  var lock = LockState.free
  /// Refreshes that need the lock.
  var lockedFlights = 0
  /// Refreshes that count on the background task.
  var protectedFlights = 0
  /// When refreshes began, for the quota.
  var begun = ReusableArray<Int64>()
  /// The refresh token that failed last, and when.
  var lastFailure: (token: RefreshToken, at: Int64)?
  /// Counts how often a scheduled refresh was armed, to tell the last one from earlier ones.
  var armed: Int32 = 0

  /// A client that does what these decisions say.
  public init(_ decisions: Decisions) {
    self.decisions = decisions
    isRationed =
      decisions.quota != nil || decisions.coolDown > .zero || decisions.refreshes == .never
    sendsAtOnce =
      decisions.lock == nil && !decisions.journal && decisions.afterFailedWrite == .useAnyway
      && !decisions.rereads.contains(.beforeSending)
    rereadsAfterUnauthorized = decisions.rereads.contains(.afterUnauthorized)
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
    session = 0
    flightsBegun = 0
    deadlinesSet = 0
    armed = 0
    knowledge = .read
    forget()
  }

  /// Forgets what is in memory, as the end of a process does; numbers that tell things apart go on.
  mutating func forget() {
    held = nil
    hasToldSignOut = false
    calls.removeAll()
    flights.removeAll()
    shared = (nil, nil)
    queue = WaitingLine()
    readings.removeAll()
    readers = WaitingLine()
    postponed = Postponed()
    withheld = nil
    lock = .free
    lockedFlights = 0
    protectedFlights = 0
    begun.removeAll()
    lastFailure = nil
  }

  /// Takes an event and appends what should follow to `effects`, in order.
  public mutating func handle(
    _ event: ClientEvent, now: ClockReading, effects: inout ClientEffects
  ) {
    switch event {
    case .signedIn(let response, let nanoseconds):
      signedIn(response, requestedAt: time(now) - nanoseconds, now, &effects)
    case .signOutRequested: signOut(now, &effects)
    case .callStarted(let call, let traits): start(call, traits, now, &effects)
    case .callAnswered(let call, .ok): effects.append(.finish(call, .succeeded))
    case .callAnswered(let call, .unauthorized): unauthorized(call, now, &effects)
    case .callAnswered(let call, let status): effects.append(.finish(call, status.outcome))
    case .callFailed(let call, let failure): effects.append(.finish(call, failure.outcome))
    case .callCancelled(let call): cancelled(call, now, &effects)
    case .pauseEnded: break
    case .refreshOrdered: refreshOrdered(now, &effects)
    case .refreshAnswered(let id, .granted(let response)): granted(id, response, now, &effects)
    case .refreshAnswered(let id, .failed(let error, let retryAfter)):
      failed(id, error.failure, retryAfter: retryAfter, now, &effects)
    case .refreshFailed(let id, let failure):
      failed(id, failure == .transport ? .transport : .timeout, retryAfter: 0, now, &effects)
    case .stored(let id): stored(id, now, &effects)
    case .timerFired(let id): timerFired(id, now, &effects)
    case .launched: launched(&effects)
    case .resumed:
      if knowledge == .read, decisions.rereads.contains(.resume) { read(.resume, &effects) }
    case .unlocked: unlocked(&effects)
    case .storeRead(let id, let content): storeRead(id, content, now, &effects)
    case .storeFailed(let id): storeFailed(id, now, &effects)
    case .storeCleared: if held != nil { dropSession(.storeWithoutPair, &effects) }
    case .lockGranted: lockGranted(now, &effects)
    case .transferDelivered(let reply): delivered(reply, now, &effects)
    case .backgroundTaskExpired:
      for slot in flights.slots { flights[slot].isProtected = false }
      protectedFlights = 0
    }
  }
}
