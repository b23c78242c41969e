/// A process of the app: its client, what it persists, and what it has under way.
struct Process: ~Copyable {
  var client: any Client & ~Copyable
  var lifecycle: AppLifecycle
  var store: StoredPair?
  /// The refresh token that it read last.
  var lastRead: RefreshToken?
  /// The session that the person signed in to last.
  var family: TokenFamily?
  var hasSession = false
  /// Logins after the first.
  var signIns: Int32 = 0
  /// Counts the times the person has left, to tell old events of the lifecycle from new ones.
  var visit: Int32 = 0
  /// How often the screen was opened.
  var openings: Int32 = 0
  /// What fell due while no code ran, in order.
  var overdue = ReusableArray<SimulationEvent>()
  /// How far the wall clock was set forward so far, in nanoseconds.
  var clockStep: Int64 = 0
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

  struct StoredPair {
    let refresh: RefreshToken
    let access: AccessToken
  }

  struct OpenCall {
    let number: Int32
    let isAlwaysRejected: Bool
    let needsToken: Bool
    var isOpen = true
    var attempts: Int32 = 0
  }

  init(client: consuming any Client & ~Copyable, lifecycle: AppLifecycle) {
    self.client = client
    self.lifecycle = lifecycle
  }

  mutating func reset(_ chance: ClientChance) {
    client.reset(chance)
    lifecycle.reset()
    store = nil
    lastRead = nil
    family = nil
    hasSession = false
    signIns = 0
    visit = 0
    openings = 0
    overdue.removeAll()
    clockStep = 0
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
