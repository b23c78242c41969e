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
  var queue = EventQueue<SimulationEvent>()
  var streams = RunStreams(seed: 0, run: 0)
  var ledger = TokenLedger()
  var process: Process
  var exchanges = SlotTable<Exchange>()
  var connectivity: Connectivity
  var connection = Connection()
  var writes = SlotTable<PendingWrite>()
  var timers = SlotTable<TimerID>()
  /// What the token endpoint answers, by the slot of the exchange.
  var replies = ReusableArray<TokenReply>()
  var observation: Observation
  var effects = ReusableArray<ClientEffect>()
  var immediate = ReusableArray<ClientEvent>()
  /// Whether the client has let go of its background task in what it does just now.
  var releasesTask = false
  var firstPair: FirstPair?
  var outOfRange: TimeOutOfRange?
  /// Events of the last run.
  private(set) var events = 0

  struct FirstPair {
    let response: TokenResponse
    let sent: Instant
    let read: Instant
  }

  /// A world with a client and a seed.
  public init(_ scenario: Scenario, client: consuming any Client & ~Copyable, seed: UInt64) {
    world = World(scenario, client.profile)
    self.seed = seed
    server = AuthorizationServer(scenario.server)
    resource = ResourceServer(scenario.server)
    gateway = Gateway(scenario.server)
    process = Process(
      client: client,
      lifecycle: AppLifecycle(
        backgroundBudget: scenario.lifecycle.backgroundBudget.nanoseconds))
    connectivity = Connectivity(scenario.network.offline)
    observation = Observation(scenario.server)
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
    while let (instant, event) = queue.popNext() {
      if instant > end {
        wasCutShort = true
        break
      }
      now = instant
      events += 1
      dispatch(event)
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
    process.reset(ClientChance(streams.clientJitter))
    exchanges.removeAll()
    gateway.reset()
    connectivity.reset()
    connection = Connection()
    writes.removeAll()
    timers.removeAll()
    replies.removeAll()
    observation.reset(recording: recording)
    outOfRange = nil
  }

  mutating func dispatch(_ event: SimulationEvent) {
    if process.lifecycle.isSuspended, event.needsCode(world) {
      return process.overdue.append(event)
    }
    switch event {
    case .firstPairRead: readFirstPair()
    case .screenOpens: if now < world.horizon { openScreen() }
    case .callStarts: startCall(Usage.Moment.Call())
    case .nextSteadyCall(let number): startSteadyCall(number)
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
    case .timerFires(let slot): timerFires(slot)
    case .scheduleFires(let slot): scheduleFires(slot)
    case .pauseEnds(let number): endPause(ofCall: number)
    case .personLeaves: personLeaves()
    case .personReturns: personReturns()
    case .suspensionDue(let visit): suspensionFallsDue(visit)
    case .taskBudgetEnds(let visit): taskBudgetEnds(visit)
    }
  }

  @inline(__always)
  mutating func tell(_ fact: Fact) {
    observation.observe(fact, at: now, by: 0)
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
    queue.schedule(event, at: instant)
    return instant
  }

  private mutating func reportExposures() {
    for id in 0..<ledger.refreshTokens.count where ledger.refreshTokens[id].spentAt != nil {
      let exposure = server.exposure(of: ledger.refreshTokens[id], ledger)
      tell(.exposureKnown(RefreshToken(id: Int32(id)), nanoseconds: exposure))
    }
  }

  private mutating func reportStuckCalls() {
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
