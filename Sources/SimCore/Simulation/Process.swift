/// A process of the app: its client, its life, and what it has under way.
struct Process: ~Copyable {
  var client: any Client & ~Copyable
  let plan: ProcessPlan
  /// The position of its store.
  let store: Int
  /// How long its client waits for an answer, in nanoseconds; nil for ever.
  let timeout: Int64?
  let protection: ProtectionClass
  let lock: CrossProcessLock?
  let transfersInBackground: Bool
  var lifecycle: AppLifecycle
  var connection = Connection()
  /// Counts its starts, to tell what it began in an earlier life.
  var life: Int32 = 0
  /// Whether its client has been told anything.
  var hasBegun = false
  /// When it asked for the lock, as a number that grows; 0 if it does not wait for it.
  var lockTicket: Int64 = 0
  /// Whether it holds the lock, or believes so where that leaks.
  var holdsLock = false
  /// Attempts to take the lock.
  var lockings: Int32 = 0
  /// Whether the device was unlocked while its code was stopped.
  var missedUnlocking = false
  /// The pair that its latest sign-in gave.
  var firstPair: StoredPair?
  /// The refresh token that it read last.
  var lastRead: RefreshToken?
  /// The session that the person signed in to last.
  var family: TokenFamily?
  var hasSession = false
  /// The session that it dropped unasked, until the next sign-in.
  var lostFamily: TokenFamily?
  /// Logins after the first.
  var signIns: Int32 = 0
  /// Counts the times the person has left, to tell old events of the lifecycle from new ones.
  var visit: Int32 = 0
  /// How often the person has left the app.
  var departures: Int32 = 0
  /// How often the screen was opened.
  var openings: Int32 = 0
  /// What fell due while no code ran, in order.
  var overdue = ReusableArray<SimulationEvent>()
  /// When the app's code stopped, while it is stopped.
  var asleepSince: Instant?
  /// How long it was stopped before, in nanoseconds.
  var asleep: Int64 = 0

  var calls = SlotTable<OpenCall>()
  var callsStarted: Int32 = 0
  /// Refreshes that the client asked for.
  var refreshes: Int32 = 0
  /// Pairs that the client asked to store.
  var writes: Int32 = 0
  /// Calls since the opening that were scheduled one after the other.
  var callsWhileOpen: Int32 = 0
  /// Readings of the store that the client asked for.
  var reads: Int32 = 0

  struct OpenCall {
    let number: Int32
    let isAlwaysRejected: Bool
    let needsToken: Bool
    var isOpen = true
    var attempts: Int32 = 0
  }

  init(
    client: consuming any Client & ~Copyable, plan: ProcessPlan, store: Int, backgroundBudget: Int64
  ) {
    let profile = client.profile
    self.client = client
    self.plan = plan
    self.store = store
    timeout = profile.timeout?.nanoseconds
    protection = profile.protectionClass
    lock = profile.lock
    transfersInBackground = profile.transfersInBackground
    lifecycle = AppLifecycle(backgroundBudget: backgroundBudget)
  }

  /// Its place in the line for the lock of a store; 0 if it does not wait there, or could not take it now.
  func lockTicket(at store: Int) -> Int64 {
    guard self.store == store, lock?.whileSuspended == .kept || lifecycle.runsCode else { return 0 }
    return lockTicket
  }

  /// The position of its device.
  var device: Int { plan.device - 1 }

  mutating func reset(_ chance: ClientChance) {
    client.reset(chance)
    lifecycle.reset()
    connection = Connection()
    life = 0
    hasBegun = false
    lockTicket = 0
    holdsLock = false
    lockings = 0
    missedUnlocking = false
    firstPair = nil
    reads = 0
    callsWhileOpen = 0
    lastRead = nil
    family = nil
    hasSession = false
    lostFamily = nil
    signIns = 0
    visit = 0
    departures = 0
    openings = 0
    overdue.removeAll()
    asleepSince = nil
    asleep = 0
    calls.removeAll()
    callsStarted = 0
    refreshes = 0
    writes = 0
  }

  /// The slot of the open call with this number.
  func slot(ofCall number: Int) -> Int32? {
    calls.slots.first { calls[$0].isOpen && calls[$0].number == number }
  }
}

/// A process whose turn it is not, which as a value could not stand in an array.
final class ParkedProcess {
  var process: Process

  init(_ process: consuming Process) {
    self.process = process
  }
}
