/// One world with one client, run again and again.
///
/// A run pops events until none is left: the loop is the only place that touches the queue, and carries out
/// what servers, device, and client decide. Running allocates nothing once the first runs have grown the
/// tables. Deliberately not `Sendable`: a run never crosses threads.
public struct Simulation: ~Copyable {
  let world: World
  let seed: UInt64
  let server: AuthorizationServer
  let resource: ResourceServer
  var gateway: Gateway

  var now = Instant.zero
  var queue = EventQueue<ScheduledEvent>()
  var streams = RunStreams(seed: 0, run: 0)
  var ledger = TokenLedger()
  /// The process whose turn it is.
  var process: Process
  /// Its position among the processes.
  private(set) var current = 0
  /// All processes but the current one, each at its ``places``.
  private let parked: [ParkedProcess]
  private var places: [Int]
  var devices = ReusableArray<DeviceState>()
  var stores = ReusableArray<StoreState>()
  private let numberOfDevices: Int
  private let numberOfStores: Int
  var exchanges = SlotTable<Exchange>()
  var connectivity: Connectivity
  var writes = SlotTable<StoreState.Write>()
  var reads = SlotTable<StoreState.Read>()
  var timers = SlotTable<Timer>()
  /// What the token endpoint answers, by the slot of the exchange.
  var replies = ReusableArray<TokenReply>()
  var observation: Observation
  var effects = ReusableArray<ClientEffect>()
  var immediate = ReusableArray<ClientEvent>()
  /// Whether the client has let go of its background task in what it does just now.
  var releasesTask = false
  var firstPair: FirstPair?
  /// When the person of an opening leaves.
  var leaving = Leaving.drawn
  /// How often someone asked for a lock.
  var lockTickets: Int64 = 0
  var outOfRange: TimeOutOfRange?
  /// Events of the last run.
  private(set) var events = 0

  struct FirstPair {
    let response: TokenResponse
    let sent: Instant
    let read: Instant
  }

  struct Timer: BitwiseCopyable {
    let id: TimerID
    /// Which life of its process set it.
    let life: Int32
  }

  /// A world with a client in its only process, and a seed.
  ///
  /// - Precondition: the scenario has one process.
  public init(_ scenario: Scenario, client: consuming any Client & ~Copyable, seed: UInt64) {
    precondition(scenario.plans.count == 1, "Each process needs a client of its own.")
    self.init(scenario, first: client, seed: seed) { _ in
      preconditionFailure("There is one process.")
    }
  }

  /// A world with a client in each process, and a seed.
  ///
  /// - Parameters:
  ///   - scenario: the world.
  ///   - seed: the seed.
  ///   - makeClient: the client of a process, by its number from 1.
  public init(
    _ scenario: Scenario, seed: UInt64, clients makeClient: (Int) -> any Client & ~Copyable
  ) {
    self.init(scenario, first: makeClient(1), seed: seed, others: makeClient)
  }

  private init(
    _ scenario: Scenario, first: consuming any Client & ~Copyable, seed: UInt64,
    others makeClient: (Int) -> any Client & ~Copyable
  ) {
    let plans = scenario.plans
    let stores = Self.stores(of: plans)
    let budget = scenario.lifecycle.backgroundBudget.nanoseconds
    let profile = first.profile
    process = Process(
      client: first, plan: plans[0], store: stores[0], backgroundBudget: budget)
    parked = plans.indices.dropFirst().map { position in
      ParkedProcess(
        Process(
          client: makeClient(position + 1), plan: plans[position], store: stores[position],
          backgroundBudget: budget))
    }
    places = plans.indices.map { $0 - 1 }
    numberOfDevices = plans.reduce(1) { max($0, $1.device) }
    numberOfStores = stores.reduce(0) { max($0, $1 + 1) }
    let looksAtDate = parked.contains {
      $0.process.client.profile.expiryBasis == .absoluteCorrected
    }
    world = World(scenario, profile, looksAtDate: looksAtDate)
    self.seed = seed
    server = AuthorizationServer(scenario.server)
    resource = ResourceServer(scenario.server)
    gateway = Gateway(scenario.server)
    connectivity = Connectivity(scenario.network.offline)
    observation = Observation(
      scenario.server, devices: plans.map { Int32($0.device - 1) }, stores: stores.map(Int32.init))
  }

  /// The store of each process: those of a device have one together unless they want their own.
  private static func stores(of plans: [ProcessPlan]) -> [Int] {
    var shared: [Int: Int] = [:]
    var count = 0
    return plans.map { plan in
      if plan.store == .shared, let store = shared[plan.device] { return store }
      defer { count += 1 }
      if plan.store == .shared { shared[plan.device] = count }
      return count
    }
  }

  // MARK: Processes

  /// How many processes there are.
  var processCount: Int { places.count }

  /// Gives a process its turn.
  mutating func turn(to position: Int) {
    guard position != current else { return }
    let place = places[position]
    swap(&process, &parked[place].process)
    places[current] = place
    current = position
  }

  /// A process other than the current one.
  func parkedProcess(at position: Int) -> ParkedProcess { parked[places[position]] }

  /// The refresh token that a process read last, and its device.
  mutating func memory(of position: Int) -> (token: RefreshToken?, device: Int) {
    guard position != current else { return (process.lastRead, process.device) }
    let parked = parkedProcess(at: position)
    return (parked.process.lastRead, parked.process.device)
  }

  /// The place of a process in the line for the lock of a store; 0 if it cannot take it.
  mutating func lockTicket(of position: Int, at store: Int) -> Int64 {
    guard position != current else { return process.lockTicket(at: store) }
    return parkedProcess(at: position).process.lockTicket(at: store)
  }

  /// Lives through one run; the result is found in ``tally``, ``fingerprint``, and ``violation``.
  ///
  /// - Throws: ``TimeOutOfRange`` if a drawn length of time leads beyond the range of instants.
  public mutating func run(_ index: UInt64) throws(TimeOutOfRange) {
    try run(index, recording: false)
  }

  /// The facts of one run.
  ///
  /// - Throws: ``TimeOutOfRange`` if a drawn length of time leads beyond the range of instants.
  public mutating func trace(_ index: UInt64) throws(TimeOutOfRange) -> Trace {
    try run(index, recording: true)
    return observation.trace ?? Trace()
  }

  /// The metrics of the last run.
  public var tally: RunTally { observation.tallier.tally }

  /// The fingerprint of the last run.
  public var fingerprint: Fingerprint { observation.fingerprint }

  /// The rule of the model that the last run broke, which would be an error of the simulator.
  package var violation: Invariants.Violation? { observation.invariants.violation }

  private mutating func run(_ index: UInt64, recording: Bool) throws(TimeOutOfRange) {
    reset(index, recording: recording)
    begin()
    if let outOfRange { throw outOfRange }
    let end = world.end
    var wasCutShort = false
    while let (instant, scheduled) = queue.popNext() {
      if instant > end {
        wasCutShort = true
        break
      }
      now = instant
      events += 1
      dispatch(scheduled)
      if let outOfRange { throw outOfRange }
    }
    reportStuckCalls()
    if server.hasGrace { reportExposures() }
    observation.finish(wasCutShort: wasCutShort)
  }

  private mutating func reset(_ index: UInt64, recording: Bool) {
    now = .zero
    events = 0
    queue.removeAll()
    streams = RunStreams(seed: seed, run: index)
    ledger.removeAll()
    for position in 0..<processCount {
      turn(to: position)
      process.reset(ClientChance(streams.clientJitter, process: position))
    }
    turn(to: 0)
    devices.removeAll()
    for _ in 0..<numberOfDevices { devices.append(DeviceState()) }
    stores.removeAll()
    for _ in 0..<numberOfStores { stores.append(StoreState()) }
    exchanges.removeAll()
    gateway.reset()
    connectivity.reset()
    writes.removeAll()
    reads.removeAll()
    timers.removeAll()
    replies.removeAll()
    observation.reset(recording: recording)
    lockTickets = 0
    outOfRange = nil
  }

  @inline(__always)
  mutating func dispatch(_ scheduled: ScheduledEvent) {
    if Int(scheduled.process) != current { turn(to: Int(scheduled.process)) }
    dispatch(scheduled.event)
  }

  mutating func dispatch(_ event: SimulationEvent) {
    if !process.lifecycle.runsCode, !canHappen(event) { return }
    switch event {
    case .firstPairRead: readFirstPair()
    case .screenOpens: screenOpens()
    case .callStarts: startCall(Usage.Moment.Call())
    case .nextSteadyCall(let number): startSteadyCall(number)
    case .nextCallWhileOpen(let visit): startCallWhileOpen(visit)
    case .clientSignsIn: signIn(as: current + 1)
    case .moment(let index): carryOut(world.scenario.usage.timeline[Int(index)].kind)
    case .clockSteps(let index):
      stepClock(world.scenario.clock.steps[Int(index)].by.nanoseconds)
    case .messageLeaves(let slot): messageLeaves(slot)
    case .messageArrives(let slot): messageArrives(slot)
    case .exchangeCommits(let slot): exchangeCommits(slot)
    case .answerArrives(let slot): answerArrives(slot)
    case .connectionFails(let slot): connectionFails(slot)
    case .deadlinePasses(let slot): deadlinePasses(slot)
    case .storeWritten(let slot): storeWritten(slot)
    case .storeRead(let slot): storeRead(slot)
    case .storeClearedByOther: if process.hasSession { deliver(.storeCleared) }
    case .lockGranted: if process.holdsLock { deliver(.lockGranted) }
    case .deviceUnlocked: deliver(.unlocked)
    case .timerFires(let slot): timerFires(slot)
    case .scheduleFires(let slot): scheduleFires(slot)
    case .pauseEnds(let number): endPause(ofCall: number)
    case .personLeaves: personLeaves()
    case .personReturns: personReturns()
    case .suspensionDue(let visit): suspensionFallsDue(visit)
    case .taskBudgetEnds(let visit): taskBudgetEnds(visit)
    case .killDue(let visit): killFallsDue(visit)
    case .deviceLocks(let departure): locksFallDue(departure)
    case .wakeDue(let number): wakeFallsDue(number)
    }
  }

  /// Whether an event can happen though no code runs; what cannot may have to wait for the code.
  private mutating func canHappen(_ event: SimulationEvent) -> Bool {
    if process.lifecycle.isGone {
      if event.launches(world) { open() }
      return process.lifecycle.runsCode || !event.isForClient
    }
    guard event.needsCode(world) else { return true }
    process.overdue.append(event)
    return false
  }

  @inline(__always)
  mutating func tell(_ fact: Fact) {
    observation.observe(fact, at: now, by: Int32(truncatingIfNeeded: current))
  }

  /// Puts an event into the queue, or ends the run if its instant is out of range.
  @inline(__always)
  mutating func schedule(
    _ event: SimulationEvent, after delay: Int64, drawnFrom field: TimeOutOfRange.Field
  ) -> Instant {
    guard let instant = now.advanced(byNanoseconds: delay), instant.nanoseconds < 1 << 62 else {
      outOfRange = TimeOutOfRange(field: field)
      return now
    }
    enqueue(event, at: instant)
    return instant
  }

  /// Puts an event of the current process into the queue.
  @inline(__always)
  mutating func enqueue(_ event: SimulationEvent, at instant: Instant) {
    queue.schedule(
      ScheduledEvent(event: event, process: UInt16(truncatingIfNeeded: current)), at: instant)
  }

  private mutating func reportExposures() {
    for id in 0..<ledger.refreshTokens.count where ledger.refreshTokens[id].spentAt != nil {
      let exposure = server.exposure(of: ledger.refreshTokens[id], ledger)
      tell(.exposureKnown(RefreshToken(id: Int32(id)), nanoseconds: exposure))
    }
  }

  private mutating func reportStuckCalls() {
    for position in 0..<processCount {
      turn(to: position)
      for slot in process.calls.slots where process.calls[slot].isOpen {
        tell(.callStuck(process.calls[slot].number))
      }
      // Calls that fell due while no code ran, and never did again.
      for index in 0..<process.overdue.count where process.overdue[index].startsCall(world) {
        process.callsStarted += 1
        tell(.callStarted(process.callsStarted))
        tell(.callStuck(process.callsStarted))
      }
    }
  }
}

extension Scenario {
  /// One plan per process: those of the scenario, or as many as a fleet has clients.
  package var plans: [ProcessPlan] {
    guard usage.kind == .fleet else { return processes }
    return (1...usage.clients).map { ProcessPlan(device: $0, session: .none) }
  }
}
