import SimCore
import SimTestSupport
import Strategies
import Testing

/// Sessions and processes that end more than once.
struct ProcessEndsTests {
  /// The session is revoked at 1 s; the client learns that at the first call, and again after its next start.
  @Test func `A pair that stays after the sign-out is not lost a second time`() throws {
    let scenario = Scenario.timeline([
      .init(.revoke, at: .seconds(1)), .init(.call(), at: .seconds(400)),
      .init(.kill, at: .seconds(500)), .init(.return, at: .seconds(600)),
      .init(.call(), at: .seconds(700)), .init(.signIn(), at: .seconds(800)),
      .init(.revoke, at: .seconds(801)), .init(.call(), at: .seconds(1200)),
    ])
    let tally = try tally(try strategy("naive"), scenario)
    #expect(tally[.rejected] == 3)
    #expect(tally[.signOuts] == 2)
  }

  /// Runs with two and with six sign-outs in turn: 4 a run, with a standard deviation of 2, so 4 ± 1.96 · 2 / √(n - 1).
  @Test func `Lives that end several times have an interval around their mean`() throws {
    var totals = Totals()
    for run in 0..<20 as Range<UInt64> {
      var tallier = Tallier()
      for number in 1...(run % 2 == 0 ? 2 : 6) as ClosedRange<Int32> {
        tallier.observe(.refreshSent(number, RefreshToken(id: 0)), at: .zero)
        tallier.observe(.refreshArrived(number, RefreshToken(id: 0)), at: .zero)
        tallier.observe(.signedOut(.failed, needlessly: false), at: .zero)
      }
      totals.add(tallier.tally, Fingerprint(), run: run, events: 0, violation: nil)
    }
    let rate = try #require(totals.rate(.signOuts, per: .run))
    #expect(rate.estimate == 4)
    #expect((rate.high - 4.9).magnitude < 0.15)
    #expect((rate.low - 3.1).magnitude < 0.15)
  }
}

/// What processes do to each other and to themselves through a store that they share.
struct SharedStoreTests {
  private func world(
    _ moments: [Usage.Moment], _ processes: [ProcessPlan],
    _ change: (inout Scenario) -> Void = { _ in }
  ) -> Scenario {
    .timeline(moments) {
      $0.server.processing = .constant(.zero)
      $0.processes = processes
      change(&$0)
    }
  }

  private func tally(_ name: String, _ scenario: Scenario) throws -> RunTally {
    let strategy = try strategy(name)
    var simulation = Simulation(scenario, seed: 1) {
      strategy.client(in: scenario, process: $0)
    }
    try simulation.run(0)
    #expect(simulation.violation == nil)
    return simulation.tally
  }

  /// R1 is replaced by R2 in the store, and the second process lets go of it last.
  @Test func `A pair that a newer one replaced is saved, whoever lets go of it last`() throws {
    let scenario = world(
      [
        .init(.call(), at: .seconds(1)), .init(.call(), at: .seconds(310)),
        .init(.call(), at: .seconds(320), process: 2),
      ], [ProcessPlan(), ProcessPlan()])
    let tally = try tally("cross-process", scenario)
    #expect(tally[.rotations] == 1)
    #expect(tally[.unsaved] == 0)
  }

  /// The first request of process 1 is lost; process 2 refreshes while process 1 is suspended.
  @Test func `A retry looks into the store before it presents a token again`() throws {
    let scenario = world(
      [
        .init(.refresh, at: .seconds(10)), .init(.suspend, at: .seconds(12)),
        .init(.wake(.seconds(20)), at: .seconds(15), process: 2),
        .init(.refresh, at: .seconds(20), process: 2), .init(.return, at: .seconds(30)),
        .init(.call(), at: .seconds(40)),
      ], [ProcessPlan(), ProcessPlan(start: .launchedLater)]
    ) {
      var pin = Usage.Pin(.refresh(1))
      pin.lost = .request
      $0.usage.pins = [pin]
    }
    let tally = try tally("best", scenario)
    #expect(tally[.reuses] == 0)
    #expect(tally[.signOuts] == 0)
  }

  /// The session is revoked; the only process that runs learns it and clears the store.
  @Test func `A process that is not there is not signed out`() throws {
    let scenario = world(
      [.init(.revoke, at: .seconds(20)), .init(.refresh, at: .seconds(30))],
      [ProcessPlan(), ProcessPlan(start: .launchedLater)]
    ) { $0.store.clearingSeen = .atOnce }
    #expect(try tally("single-flight", scenario)[.signOuts] == 1)
  }

  /// The first process has signed out by itself, so nothing on the device is alive when the second is rejected.
  @Test func `What a process has dropped is not in its memory`() throws {
    let scenario = world(
      [
        .init(.signOut, at: .seconds(5)), .init(.revoke, at: .seconds(10), process: 2),
        .init(.refresh, at: .seconds(20), process: 2),
      ], [ProcessPlan(), ProcessPlan(session: .own, store: .own)])
    let tally = try tally("single-flight", scenario)
    #expect(tally[.signOuts] == 1)
    #expect(tally[.falseSignOuts] == 0)
  }

  /// The person leaves at 6 s and is back at 16 s; the device would lock at 26 s.
  @Test func `A device is not locked under the eyes of its owner`() throws {
    let scenario = Scenario.constantDelays {
      $0.usage.opens = .at(.seconds(5))
      $0.lifecycle.leaves = .after(.constant(.seconds(1)))
      $0.lifecycle.returns = .constant(.seconds(10))
      $0.lifecycle.locks = 1
      $0.lifecycle.lockedAfter = .constant(.seconds(20))
    }
    let entries = try facts(try strategy("single-flight"), scenario)
    let locks = entries.filter { if case .deviceLocked = $0.fact { true } else { false } }
    #expect(locks.isEmpty)
  }

  /// Visits of 2 s whose calls would come within a minute, of an app that is killed a second after its suspension.
  @Test func `An app that was killed in between is opened again`() throws {
    let scenario = Scenario.with {
      $0.usage = Usage(
        kind: .sessions, callers: 5, spread: .seconds(60), horizon: .seconds(5 * 86_400))
      $0.usage.visit = .constant(.seconds(2))
      $0.usage.gap = .constant(.seconds(3600))
      $0.lifecycle.killedAfter = .constant(.seconds(1))
      $0.lifecycle.suspendAfter = .constant(.seconds(1))
    }
    // One an hour and two seconds, sixteen hours a day.
    #expect(abs(try tally("single-flight", scenario)[.openings] - 80) <= 1)
  }
}
