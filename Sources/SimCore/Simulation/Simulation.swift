/// One world with one client, run again and again.
///
/// A run pops events until none is left: the loop is the only place that touches the queue, and carries out
/// what servers, device, and client decide. Running allocates nothing once the first runs have grown the
/// tables. Deliberately not `Sendable`: a run never crosses threads.
public struct Simulation {
  let world: World
  let seed: UInt64
  let server: AuthorizationServer
  let resource: ResourceServer

  var now = Instant.zero
  var queue = EventQueue<SimulationEvent>()
  var streams = RunStreams(seed: 0, run: 0)
  var ledger = TokenLedger()
  var process: Process
  var attempts = SlotTable<Exchange<Attempt>>()
  var refreshes = SlotTable<Exchange<RefreshRequest>>()
  var observation: Observation
  var effects = ReusableArray<ClientEffect>()
  var immediate = ReusableArray<ClientEvent>()
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
  public init(_ scenario: Scenario, client: any Client, seed: UInt64) {
    world = World(scenario, client.profile)
    self.seed = seed
    server = AuthorizationServer(scenario.server)
    resource = ResourceServer(scenario.server)
    process = Process(
      client: client,
      lifecycle: AppLifecycle(
        backgroundBudget: scenario.lifecycle.backgroundBudget.nanoseconds))
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
  public var tally: RunTally { observation.tally }

  /// The fingerprint of the last run.
  public var fingerprint: Fingerprint { observation.fingerprint }

  /// The rule of the model that the last run broke, which would be an error of the simulator.
  package var violation: Invariants.Violation? { observation.invariants.violation }

  private mutating func run(_ index: UInt64, recording: Bool) throws(TimeOutOfRange) {
    reset(index, recording: recording)
    begin()
    while let (instant, event) = queue.popNext() {
      now = instant
      events += 1
      dispatch(event)
      if let outOfRange { throw outOfRange }
    }
    reportStuckCalls()
    if server.hasGrace { reportExposures() }
    observation.finish()
  }

  private mutating func reset(_ index: UInt64, recording: Bool) {
    now = .zero
    events = 0
    queue.removeAll()
    streams = RunStreams(seed: seed, run: index)
    ledger.removeAll()
    process.reset()
    attempts.removeAll()
    refreshes.removeAll()
    observation.reset(recording: recording)
    outOfRange = nil
  }

  private mutating func dispatch(_ event: SimulationEvent) {
    switch event {
    case .firstPairRead: readFirstPair()
    case .screenOpens: openScreen()
    case .callStarts: startCall()
    case .attemptArrives(let slot): attemptArrives(slot)
    case .attemptAnswered(let slot): attemptReturns(slot)
    case .attemptDeadline(let slot): attemptTimesOut(slot)
    case .refreshArrives(let slot): refreshArrives(slot)
    case .refreshCommits(let slot): refreshCommits(slot)
    case .refreshAnswered(let slot): refreshReturns(slot)
    case .refreshDeadline(let slot): refreshTimesOut(slot)
    case .timerFires(let id): deliverOrDefer(.timerFired(id))
    case .personLeaves: personLeaves()
    case .personReturns: personReturns()
    case .suspensionDue(let visit): suspensionFallsDue(visit)
    case .taskBudgetEnds(let visit): taskBudgetEnds(visit)
    case .suspensionForced: follow(process.lifecycle.suspend())
    case .revocationRequested: revokeByRequest()
    }
  }

  @inline(__always)
  mutating func tell(_ fact: Fact) {
    observation.observe(fact, at: now)
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
    for _ in 0..<process.overdueCalls {
      process.callsStarted += 1
      tell(.callStarted(process.callsStarted))
      tell(.callStuck(process.callsStarted))
    }
  }
}
