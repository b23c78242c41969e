import SimCore
import Testing

/// What a process lives through, with instants worked out by hand: messages take 50 ms each way, servers nothing.
struct ProcessLifeTests {
  private func world(
    _ timeline: [Usage.Moment], _ change: (inout Scenario) -> Void = { _ in }
  ) -> Scenario {
    var scenario = Scenario()
    scenario.usage = Usage(kind: .timeline, timeline: timeline)
    scenario.network.uplink = .constant(.milliseconds(50))
    scenario.network.downlink = .constant(.milliseconds(50))
    scenario.server.processing = .constant(.zero)
    scenario.clock = ClockError()
    change(&scenario)
    return scenario
  }

  private let id = RefreshID(slot: 0)

  /// Refreshes with R1 when it is told to, stores what it gets, and reads its store when it starts or is unlocked.
  private func simple(_ event: ClientEvent) -> [ClientEffect] {
    switch event {
    case .signedIn(let response, _):
      [.storeLogin(response.accessToken, response.refreshToken, believedEnd: 0)]
    case .refreshOrdered: [.recordRefresh, .refresh(id, presenting: RefreshToken(id: 0))]
    case .refreshAnswered(let id, .granted(let response)):
      [.store(id, response.accessToken, response.refreshToken, believedEnd: 0)]
    case .transferDelivered(.granted(let response)):
      [.store(id, response.accessToken, response.refreshToken, believedEnd: 0)]
    case .launched, .unlocked, .resumed: [.readStore(StoreReadID(name: 1))]
    default: []
    }
  }

  private func log(
    _ scenario: Scenario, _ change: (inout ClientProfile) -> Void = { _ in }
  ) throws -> [String] {
    let log = ScriptedClient.Log()
    var simulation = Simulation(
      scenario, client: ScriptedClient(log, change, script: simple), seed: 1)
    try simulation.run(0)
    #expect(simulation.violation == nil)
    return log.lines
  }

  /// The server commits at 10.05 s; the answer meets nobody at 10.1 s, and the store still holds R1.
  @Test func `A kill loses the answer, and the next start finds the old pair`() throws {
    let lines = try log(
      world([
        .init(.refresh, at: .seconds(10)), .init(.kill, at: .milliseconds(10_060)),
        .init(.return, at: .seconds(20)),
      ]))
    #expect(
      lines == [
        "0.0 signed in with R1", "10.0 refresh ordered", "20.0 launched",
        "20.0 read R1, unfinished",
      ])
  }

  @Test func `A kill loses a write that is under way`() throws {
    let scenario = world([
      .init(.refresh, at: .seconds(10)), .init(.kill, at: .milliseconds(10_200)),
      .init(.return, at: .seconds(20)),
    ]) { $0.store.write = .constant(.milliseconds(200)) }
    let lines = try log(scenario)
    #expect(
      lines == [
        "0.0 signed in with R1", "10.0 refresh ordered", "10.1 answered R2", "20.0 launched",
        "20.0 read R1, unfinished",
      ])
  }

  @Test func `A transfer wakes a suspended process, and starts one that was killed`() throws {
    let moments = [
      Usage.Moment(.refresh, at: .seconds(10)), .init(.leave, at: .milliseconds(10_010)),
    ]
    let end = [Usage.Moment(.return, at: .seconds(60))]
    let suspended = try log(world(moments + [.init(.suspend, at: .milliseconds(10_020))] + end)) {
      $0.transfersInBackground = true
    }
    #expect(
      suspended == [
        "0.0 signed in with R1", "10.0 refresh ordered", "10.1 resumed", "10.1 read R1, unfinished",
        "10.1 answered R2", "10.1 stored", "60.0 resumed", "60.0 read R2",
      ])
    let killed = try log(world(moments + [.init(.kill, at: .milliseconds(10_020))] + end)) {
      $0.transfersInBackground = true
    }
    #expect(
      killed == [
        "0.0 signed in with R1", "10.0 refresh ordered", "10.1 launched",
        "10.1 read R1, unfinished", "10.1 delivered R2", "10.1 stored", "60.0 resumed",
        "60.0 read R2",
      ])
    let quit = try log(world(moments + [.init(.forceQuit, at: .milliseconds(10_020))] + end)) {
      $0.transfersInBackground = true
    }
    #expect(
      quit == [
        "0.0 signed in with R1", "10.0 refresh ordered", "60.0 launched",
        "60.0 read R1, unfinished",
      ])
  }

  /// Ten seconds after the locking an item of this class is out of reach, and one for after the first unlock never is.
  @Test(
    arguments: [
      (ProtectionClass.whenUnlocked, "could not read", "not stored"),
      (.afterFirstUnlock, "read R1", "stored"),
    ] as [(ProtectionClass, String, String)])
  func `A locked device withholds what needs an unlocked one`(
    protection: ProtectionClass, reading: String, writing: String
  ) throws {
    let scenario = world([
      .init(.leave, at: .zero), .init(.lock, at: .seconds(1)), .init(.kill, at: .seconds(6)),
      .init(.wake(.seconds(1)), at: .milliseconds(10_999)), .init(.kill, at: .milliseconds(10_999)),
      .init(.wake(.seconds(5)), at: .seconds(11)), .init(.refresh, at: .seconds(11)),
    ])
    let lines = try log(scenario) { $0.protectionClass = protection }
    #expect(
      lines == [
        "0.0 signed in with R1", "10.999 launched", "10.999 read R1", "11.0 launched",
        "11.0 \(reading)", "11.0 refresh ordered", "11.1 answered R2", "11.1 \(writing)",
      ])
  }

  @Test func `After a restart nothing can be read until the device was unlocked once`() throws {
    let scenario = world([
      .init(.reboot, at: .seconds(10)), .init(.wake(.seconds(20)), at: .seconds(20)),
      .init(.unlock, at: .seconds(30)),
    ])
    #expect(
      try log(scenario) == [
        "0.0 signed in with R1", "20.0 launched", "20.0 could not read", "30.0 unlocked",
        "30.0 read R1",
      ])
  }

  /// Suspended from 10.06 s to 12 s: the answer that came at 10.1 s is read if connections last two seconds.
  @Test(
    arguments: [
      (1.9, ["12.0 resumed", "12.0 read R1, unfinished", "12.0 refresh failed: transport"]),
      (
        2.0,
        ["12.0 resumed", "12.0 read R1, unfinished", "12.0 answered R2", "12.0 stored"]
      ),
    ] as [(Double, [String])])
  func `A short suspension keeps the connection`(survives: Double, end: [String]) throws {
    let scenario = world([
      .init(.refresh, at: .seconds(10)), .init(.suspend, at: .milliseconds(10_060)),
      .init(.return, at: .seconds(12)),
    ]) { $0.lifecycle.socketSurvives = .seconds(survives) }
    #expect(
      try log(scenario) == ["0.0 signed in with R1", "10.0 refresh ordered"] + end)
  }

  // MARK: Several processes

  private func logs(
    _ scenario: Scenario, _ change: (inout ClientProfile) -> Void = { _ in },
    script: @escaping (ClientEvent) -> [ClientEffect]
  ) throws -> [String] {
    let log = ScriptedClient.Log()
    var simulation = Simulation(scenario, seed: 1) { process in
      ScriptedClient(log, process: process, change, script: script)
    }
    try simulation.run(0)
    #expect(simulation.violation == nil)
    return log.lines
  }

  private func takesLock(_ event: ClientEvent) -> [ClientEffect] {
    switch event {
    case .refreshOrdered: [.acquireLock]
    case .lockGranted: [.setTimer(TimerID(name: 1), nanoseconds: 1_000_000_000, .work)]
    case .timerFired: [.releaseLock]
    default: []
    }
  }

  /// Each holds it for a second; the third asks before the second, and the holder of the fourth has its own store.
  @Test func `A lock is granted in the order in which it is asked for`() throws {
    let scenario = world([
      .init(.refresh, at: .seconds(10)), .init(.refresh, at: .milliseconds(10_100), process: 3),
      .init(.refresh, at: .milliseconds(10_200), process: 2),
      .init(.refresh, at: .milliseconds(10_300), process: 4),
    ]) {
      $0.processes = [
        ProcessPlan(), ProcessPlan(), ProcessPlan(), ProcessPlan(store: .own),
      ]
    }
    let lines = try logs(scenario, { $0.lock = CrossProcessLock() }, script: takesLock)
    #expect(
      lines.filter { $0.contains("lock") } == [
        "10.0 1: lockGranted", "10.3 4: lockGranted", "11.0 3: lockGranted", "12.0 2: lockGranted",
      ])
  }

  /// The holder is suspended at 10.5 s and comes back at 20 s, when its timer goes off.
  @Test(
    arguments: [
      (CrossProcessLock.WhileSuspended.kept, "20.0 2: lockGranted"),
      (.released, "10.5 2: lockGranted"), (.killed, "10.5 2: lockGranted"),
    ] as [(CrossProcessLock.WhileSuspended, String)])
  func `A suspended holder keeps the lock, gives it up, or is killed`(
    whileSuspended: CrossProcessLock.WhileSuspended, expected: String
  ) throws {
    let scenario = world([
      .init(.refresh, at: .seconds(10)), .init(.refresh, at: .milliseconds(10_200), process: 2),
      .init(.suspend, at: .milliseconds(10_500)), .init(.return, at: .seconds(20)),
    ]) { $0.processes = [ProcessPlan(), ProcessPlan()] }
    let lines = try logs(
      scenario, { $0.lock = CrossProcessLock(whileSuspended: whileSuspended) }, script: takesLock)
    #expect(lines.filter { $0.contains("2: lockGranted") } == [expected])
  }

  @Test
  func
    `A copied pair is found at the next reading, and a cleared one at once if that is asked for`()
    throws
  {
    let scenario = world([
      .init(.refresh, at: .seconds(1)), .init(.copyPair(to: 2), at: .seconds(2)),
      .init(.kill, at: .seconds(3), process: 2), .init(.return, at: .seconds(4), process: 2),
      .init(.signOut, at: .seconds(5), process: 3),
    ]) {
      $0.processes = [ProcessPlan(), ProcessPlan(device: 2), ProcessPlan()]
      $0.store.clearingSeen = .atOnce
    }
    let lines = try logs(scenario) { event in
      if case .signOutRequested = event { [.clearStore] } else { simple(event) }
    }
    #expect(
      lines == [
        "0.0 1: signed in with R1", "0.0 2: signed in with R1", "0.0 3: signed in with R1",
        "1.0 1: refresh ordered", "1.1 1: answered R2", "1.1 1: stored", "4.0 2: launched",
        "4.0 2: read R2", "5.0 3: signOutRequested", "5.0 1: storeCleared",
      ])
  }

  /// The first process presents R1 at 10 s and again at 20 s, which is a reuse.
  @Test(
    arguments: [
      (ProcessPlan.Session.own, ServerPolicy.ReuseReaction.revokeFamily, 1),
      (.own, .revokeUserClient, 2), (.child, .revokeFamily, 2), (.first, .revokeUserClient, 1),
    ] as [(ProcessPlan.Session, ServerPolicy.ReuseReaction, Int)])
  func `A reuse takes along what ends with the family, or all of the person`(
    session: ProcessPlan.Session, reuse: ServerPolicy.ReuseReaction, families: Int
  ) throws {
    let scenario = world([
      .init(.refresh, at: .seconds(10)), .init(.refresh, at: .seconds(20)),
    ]) {
      $0.processes = [ProcessPlan(), ProcessPlan(device: 2, session: session)]
      $0.server.reuse = reuse
    }
    let log = ScriptedClient.Log()
    var simulation = Simulation(scenario, seed: 1) { _ in
      ScriptedClient(log, script: simple)
    }
    try simulation.run(0)
    #expect(simulation.tally[.revocations] == families)
  }
}
