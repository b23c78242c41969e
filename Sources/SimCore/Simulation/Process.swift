/// A process of the app: its client, what it persists, and what it has under way.
struct Process {
  var client: any Client
  var lifecycle: AppLifecycle
  var store: StoredPair?
  /// The refresh token that it read last.
  var lastRead: RefreshToken?
  var hasSession = false
  /// Counts the times the person has left, to tell old events of the lifecycle from new ones.
  var visit: Int32 = 0
  /// How often the screen was opened.
  var openings: Int32 = 0
  /// What fell due while no code ran, in order.
  var overdue = ReusableArray<ClientEvent>()
  var overdueCalls = 0

  var calls = SlotTable<OpenCall>()
  var callsStarted: Int32 = 0
  var refreshesSent: Int32 = 0

  struct StoredPair {
    let refresh: RefreshToken
    let access: AccessToken
  }

  struct OpenCall {
    let number: Int32
    var isOpen = true
    var attempts: Int32 = 0
  }

  init(client: any Client, lifecycle: AppLifecycle) {
    self.client = client
    self.lifecycle = lifecycle
  }

  mutating func reset() {
    client.reset()
    lifecycle.reset()
    store = nil
    lastRead = nil
    hasSession = false
    visit = 0
    openings = 0
    overdue.removeAll()
    overdueCalls = 0
    calls.removeAll()
    callsStarted = 0
    refreshesSent = 0
  }
}
