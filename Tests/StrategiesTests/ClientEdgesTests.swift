import SimCore
import SimTestSupport
import Strategies
import Testing

/// Corners in which decisions meet each other, and what they leave behind.
struct ClientEdgesTests {
  /// Decisions that differ a little from the usual ones.
  private func client(_ change: (inout Decisions) -> Void) -> Strategy {
    var decisions = Decisions()
    change(&decisions)
    return Strategy(name: "edge", summary: "", decisions: decisions)
  }

  private func pin(
    _ subject: Usage.Pin.Subject, _ change: (inout Usage.Pin) -> Void
  ) -> Usage.Pin {
    var pin = Usage.Pin(subject)
    change(&pin)
    return pin
  }

  private func outcomes(_ facts: [Trace.Entry]) -> [CallOutcome] {
    facts.compactMap { if case .callEnded(_, let outcome) = $0.fact { outcome } else { nil } }
  }

  @Test func `A rejected refresh that no call waits for resends nothing`() throws {
    let scenario = Scenario.timeline([
      .init(.revoke, at: .seconds(1)), .init(.refresh, at: .seconds(2)),
    ])
    let tally = try tally(client { $0.rejection = .resend }, scenario)
    expect(tally, [.rejected: 1, .signOuts: 1, .revokedByRequest: 1])
  }

  @Test func `A refresh given up during the pause before its retry is not sent again`() throws {
    let scenario = Scenario.timeline([
      .init(.refresh, at: .seconds(1)), .init(.signOut, at: .seconds(2)),
    ]) { $0.usage.pins = [pin(.refresh(1)) { $0.answer = .serverError }] }
    let strategy = client {
      $0.retries = [.seconds(3)]
      $0.onSignOut = .cancelRefresh
    }
    #expect(try tally(strategy, scenario)[.refreshesSent] == 1)
  }

  @Test func `A pair that is never stored ends the background task all the same`() throws {
    let scenario = Scenario.timeline([
      .init(.refresh, at: .seconds(1)), .init(.leave, at: .seconds(5)),
    ]) { $0.lifecycle.suspendAfter = .constant(.seconds(1)) }
    let strategy = client {
      $0.protection = .backgroundTask
      $0.persist = .never
    }
    for entry in try facts(strategy, scenario) {
      if case .suspensionHeldOff = entry.fact { Issue.record("the task is still held") }
    }
  }

  @Test func `A queue behind one path does not spin when the other is free`() throws {
    let rejected = Usage.Moment.Kind.call(.init(isAlwaysRejected: true))
    let scenario = Scenario.timeline([
      .init(rejected, at: .zero, times: 2), .init(.refresh, at: .seconds(1)),
    ]) {
      $0.server.parentGrace.window = .unlimited
      $0.usage.pins = [pin(.refresh(1)) { $0.processing = .seconds(5) }]
    }
    let strategy = client {
      $0.merge = .queue
      $0.flights = .perPath
    }
    let tally = try tally(strategy, scenario)
    // The ordered refresh spends R1 first, the grace answers the other, and then it is the second call's turn.
    #expect(tally[.refreshesSent] == 3)
    #expect(tally[.failedCalls] == 2)
  }

  @Test func `A call beside two that share an answer finds its place`() throws {
    let equal = Usage.Moment.Kind.call(.init(traits: CallTraits(key: 1)))
    let scenario = Scenario.timeline([
      .init(equal, at: .seconds(1), times: 2), .init(.call(), at: .seconds(1)),
    ])
    let tally = try tally(client { $0.deduplicates = true }, scenario)
    expect(tally, [.calls: 3, .attempts: 2])
  }

  @Test func `A sign-out cancels refreshes that nobody shares, too`() throws {
    let scenario = Scenario.timeline([
      .init(.refresh, at: .seconds(1)), .init(.signOut, at: .milliseconds(1100)),
    ])
    let strategy = client {
      $0.merge = .none
      $0.onSignOut = .cancelRefresh
    }
    #expect(try tally(strategy, scenario)[.resurrections] == 0)
  }

  @Test func `The deadline of an earlier wait does not end a later one`() throws {
    let rejected = Usage.Moment.Kind.call(.init(isAlwaysRejected: true))
    let scenario = Scenario.timeline([.init(rejected, at: .zero)]) {
      $0.usage.pins = [pin(.refresh(2)) { $0.processing = .milliseconds(800) }]
    }
    let strategy = client {
      $0.resends = 2
      $0.waiterDeadline = .seconds(1)
    }
    #expect(outcomes(try facts(strategy, scenario)) == [.unauthorized])
  }

  @Test func `A cancelled call that stayed begins no refresh when its own dies`() throws {
    let scenario = Scenario.timeline([
      .init(.call(), at: .seconds(400), times: 2), .init(.cancel(2), at: .milliseconds(400_100)),
      .init(.cancel(1), at: .milliseconds(400_150)),
    ])
    let tally = try tally(client { $0.owner = .startingCall }, scenario)
    #expect(tally[.refreshesSent] == 1)
    #expect(tally[.cancelledCalls] == 2)
  }

  @Test func `A call in the place of the one that began a refresh does not own it`() throws {
    let scenario = Scenario.timeline([
      .init(.call(), at: .seconds(400)), .init(.call(), at: .milliseconds(400_600)),
      .init(.cancel(2), at: .milliseconds(400_700)),
    ]) { $0.usage.pins = [pin(.refresh(1)) { $0.processing = .seconds(3) }] }
    let strategy = client {
      $0.owner = .startingCall
      $0.waiters = .leave
      $0.waiterDeadline = .milliseconds(500)
    }
    expect(try tally(strategy, scenario), [.failedCalls: 1, .cancelledCalls: 1, .rotations: 1])
  }

  @Test func `An answer to a session that a rejection ended is not of the session that is on`()
    throws
  {
    let scenario = Scenario.timeline([.init(.call(), at: .seconds(400), times: 2)]) {
      $0.usage.pins = [pin(.refresh(1)) { $0.downlink = .seconds(3) }]
    }
    let strategy = client {
      $0.merge = .none
      $0.accept = .ifSessionUnchanged
    }
    let tally = try tally(strategy, scenario)
    #expect(tally[.signOuts] == 1)
    #expect(tally[.resurrections] == 0)
  }

  @Test func `A task that the next refresh takes over is not interrupted by a suspension`() throws {
    let scenario = Scenario.timeline([
      .init(.call(), at: .seconds(400), times: 2), .init(.leave, at: .milliseconds(400_010)),
    ]) {
      $0.lifecycle.suspendAfter = .constant(.milliseconds(20))
      $0.usage.pins = [pin(.refresh(1)) { $0.answer = .forbidden }]
    }
    let strategy = client {
      $0.merge = .queue
      $0.protection = .backgroundTask
    }
    let facts = try facts(strategy, scenario)
    let suspension = facts.firstIndex { if case .appSuspended = $0.fact { true } else { false } }
    let second = facts.firstIndex {
      if case .refreshAnswered(2, nil) = $0.fact { true } else { false }
    }
    #expect(try #require(second) < #require(suspension))
  }

  @Test func `A pinned connection after a suspension serves the calls that follow`() throws {
    let scenario = Scenario.timeline([
      .init(.call(), at: .zero), .init(.leave, at: .seconds(5)), .init(.return, at: .seconds(10)),
      .init(.call(), at: .seconds(11)), .init(.call(), at: .seconds(12)),
    ]) {
      $0.network.handshakes = 1
      $0.lifecycle.suspendAfter = .constant(.zero)
      $0.usage.pins = [pin(.call(2, attempt: 1)) { $0.connecting = .milliseconds(10) }]
    }
    expect(try tally(client { _ in }, scenario), [.attempts: 3])
  }

  @Test func `A screen does not open at the horizon or after it`() throws {
    let scenario = Scenario.constantDelays {
      $0.usage.opens = .at(.seconds(60))
      $0.usage.horizon = .seconds(60)
    }
    #expect(try tally(client { _ in }, scenario)[.calls] == 0)
  }

  @Test func `A first answer beyond all instants is told of, even where nothing else happens`()
    throws
  {
    let scenario = Scenario.with {
      $0.usage.kind = .steady
      $0.usage.horizon = .seconds(60)
      $0.network.downlink = .constant(.seconds(9_000_000_000))
    }
    #expect(throws: TimeOutOfRange(field: .downlink)) {
      try tally(client { _ in }, scenario)
    }
    let moments = Scenario.timeline([
      .init(.call(), at: .zero, times: 10, every: .seconds(40 * 365 * 86_400))
    ])
    #expect(throws: TimeOutOfRange(field: .usage)) { try tally(client { _ in }, moments) }
  }

  @Test func `A pause that no sending follows is no part of the wait before the last`() throws {
    let scenario = Scenario.timeline([
      .init(.call(), at: .seconds(400)), .init(.cancel(1), at: .seconds(401)),
    ]) { $0.usage.pins = [pin(.call(1, attempt: 1)) { $0.answer = .serverError }] }
    let tally = try tally(client { $0.callRetries = [.seconds(10)] }, scenario)
    #expect(tally.longestWait == 300_000_000)
  }

  @Test func `The Retry-After of a pinned error after the commit is heeded`() throws {
    let scenario = Scenario.timeline([.init(.refresh, at: .seconds(1))]) {
      $0.usage.pins = [
        pin(.refresh(1)) {
          $0.answer = .serverErrorAfterCommit
          $0.retryAfter = .seconds(7)
        }
      ]
    }
    let sent = try facts(client { $0.retries = [.seconds(1)] }, scenario).compactMap {
      if case .refreshSent = $0.fact { $0.instant.nanoseconds } else { nil }
    }
    #expect(sent == [1_000_000_000, 8_300_000_000])
  }

  @Test func `A call with a superseded token is resent on its own path, whatever the other does`()
    throws
  {
    let scenario = Scenario.timeline([
      .init(.call(), at: .seconds(299)), .init(.refresh, at: .milliseconds(299_010)),
      .init(.refresh, at: .milliseconds(300_100)),
    ]) {
      $0.usage.pins = [
        pin(.call(1, attempt: 1)) { $0.uplink = .milliseconds(1100) },
        pin(.refresh(2)) { $0.processing = .seconds(3) },
      ]
    }
    let tally = try tally(client { $0.flights = .perPath }, scenario)
    #expect(tally[.unauthorized] == 1)
    #expect(tally[.refreshesSent] == 2)
  }

  @Test func `A suspension before the connection is open leaves no revocation sent`() throws {
    let scenario = Scenario.timeline([
      .init(.call(), at: .zero), .init(.leave, at: .seconds(99)),
      .init(.signOut, at: .seconds(100)),
      .init(.suspend, at: .milliseconds(100_020)), .init(.return, at: .milliseconds(100_040)),
    ]) {
      $0.network.handshakes = 1
      $0.lifecycle.suspendAfter = .constant(.seconds(60))
    }
    #expect(try tally(client { $0.revokesOnSignOut = true }, scenario)[.revokedByRequest] == 0)
  }
}
