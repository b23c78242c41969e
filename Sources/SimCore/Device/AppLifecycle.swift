/// When the person leaves the app and what the system then does with it.
public struct LifecyclePolicy: Equatable, Sendable {
  /// When the person leaves.
  public enum Departure: Equatable, Sendable {
    /// The person stays.
    case never
    /// This long after the opening.
    case after(Distribution)
    /// At this time after the run began.
    case at(Duration)
  }

  /// When the person leaves.
  public var leaves: Departure
  /// How long the person stays away before opening the screen again.
  public var returns: Distribution
  /// How long the app runs in the background before the system suspends it.
  public var suspendAfter: Distribution
  /// How long after leaving a background task can hold off the suspension.
  public var backgroundBudget: Duration
  /// Suspensions up to this length keep the connections.
  public var socketSurvives: Duration
  /// How long a suspended app is kept in memory; nil for ever.
  public var killedAfter: Distribution?
  /// The share of departures after which the device is locked, until the return.
  public var locks: Double
  /// How long after leaving the app it is locked.
  public var lockedAfter: Distribution
  /// The time between two wakes in the background, of the last process while nobody uses it; nil for none.
  public var wakes: Distribution?
  /// How long a wake lets the code run.
  public var wakeLength: Duration
  /// The calls that a wake sends.
  public var wakeCalls: Int

  /// A person who stays, unless told otherwise.
  public init(
    leaves: Departure = .never, returns: Distribution = .constant(.seconds(8 * 3600)),
    suspendAfter: Distribution = .uniform(from: .milliseconds(500), to: .seconds(5)),
    backgroundBudget: Duration = .seconds(30), socketSurvives: Duration = .zero,
    killedAfter: Distribution? = nil, locks: Double = 0,
    lockedAfter: Distribution = .uniform(from: .zero, to: .seconds(30)),
    wakes: Distribution? = nil, wakeLength: Duration = .seconds(30), wakeCalls: Int = 0
  ) {
    self.socketSurvives = socketSurvives
    self.killedAfter = killedAfter
    self.locks = locks
    self.lockedAfter = lockedAfter
    self.wakes = wakes
    self.wakeLength = wakeLength
    self.wakeCalls = wakeCalls
    self.leaves = leaves
    self.returns = returns
    self.suspendAfter = suspendAfter
    self.backgroundBudget = backgroundBudget
  }
}

/// Whether the app's code runs: foreground, background, or suspended.
struct AppLifecycle {
  private enum State {
    case foreground
    /// Left at this instant; `isDue` once only a background task keeps the app running.
    case background(left: Instant, isDue: Bool)
    case suspended
    /// The process is not there.
    case gone
  }

  /// What should follow an event.
  enum Consequence: Equatable {
    case nothing
    /// The app's code stops now.
    case suspend
    /// A background task keeps the app running, at most until this instant.
    case heldOff(until: Instant)
    /// The background task is over, and the app's code stops once it has been told.
    case expireTaskAndSuspend
  }

  private let budget: Int64
  private var state = State.foreground
  private var holdsTask = false

  init(backgroundBudget: Int64) {
    budget = backgroundBudget
  }

  var isSuspended: Bool {
    if case .suspended = state { true } else { false }
  }

  /// Whether the process is not there.
  var isGone: Bool {
    if case .gone = state { true } else { false }
  }

  /// Whether the app's code runs.
  var runsCode: Bool {
    switch state {
    case .foreground, .background: true
    case .suspended, .gone: false
    }
  }

  var isForeground: Bool {
    if case .foreground = state { true } else { false }
  }

  mutating func reset() {
    state = .foreground
    holdsTask = false
  }

  mutating func leave(at now: Instant) {
    state = .background(left: now, isDue: false)
  }

  /// The process ends, and whatever it held with it.
  mutating func end() {
    state = .gone
    holdsTask = false
  }

  /// The system lets the code run in the background.
  mutating func wake(at now: Instant) {
    state = .background(left: now, isDue: false)
  }

  /// Brings the app to the foreground; returns whether it was suspended.
  mutating func resume() -> Bool {
    let wasSuspended = isSuspended
    state = .foreground
    return wasSuspended
  }

  /// The time that the system gives an app in the background is over.
  mutating func suspensionFallsDue(at now: Instant) -> Consequence {
    guard case .background(let left, isDue: false) = state else { return .nothing }
    guard holdsTask else { return suspend() }
    state = .background(left: left, isDue: true)
    let end = left.advanced(byNanoseconds: budget) ?? now
    guard now < end else { return expireTask() }
    return .heldOff(until: end)
  }

  /// The budget of the background task is used up.
  mutating func budgetEnds() -> Consequence {
    guard case .background(_, isDue: true) = state, holdsTask else { return .nothing }
    return expireTask()
  }

  /// The system suspends the app without regard to tasks.
  mutating func suspend() -> Consequence {
    guard runsCode else { return .nothing }
    state = .suspended
    return .suspend
  }

  mutating func holdTask() {
    holdsTask = true
  }

  mutating func releaseTask() -> Consequence {
    holdsTask = false
    guard case .background(_, isDue: true) = state else { return .nothing }
    return suspend()
  }

  private mutating func expireTask() -> Consequence {
    holdsTask = false
    state = .suspended
    return .expireTaskAndSuspend
  }
}
