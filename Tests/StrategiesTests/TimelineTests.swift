import SimCore
import SimTestSupport
import Strategies
import Testing

/// Moments of a timeline that the cases do not cover, with instants worked out by hand.
struct TimelineTests {
  private func world(
    _ moments: [Usage.Moment], _ change: (inout Scenario) -> Void = { _ in }
  ) -> Scenario {
    .timeline(moments) {
      $0.server.processing = .constant(.zero)
      change(&$0)
    }
  }

  /// The refresh is sent at 10 s and answered at 10.1 s; the person signs out at 10.05 s.
  @Test
  func `A refresh that returns after a sign-out brings the user back, unless it is cancelled`()
    throws
  {
    let scenario = world([
      .init(.refresh, at: .seconds(10)), .init(.signOut, at: .milliseconds(10_050)),
      .init(.call(), at: .seconds(20)),
    ])
    var client = try strategy("single-flight")
    expect(try tally(client, scenario), [.resurrections: 1, .failedCalls: 0, .needless: 1])
    client.decisions.accept = .ifSessionUnchanged
    expect(try tally(client, scenario), [.resurrections: 0, .failedCalls: 1, .needless: 1])
    client.decisions.accept = .always
    client.decisions.onSignOut = .cancelRefresh
    expect(try tally(client, scenario), [.lostRotations: 1, .failedCalls: 1, .needless: 1])
  }

  @Test func `A sign-out revokes at the server if the client asks for it`() throws {
    var client = try strategy("single-flight")
    client.decisions.revokesOnSignOut = true
    let scenario = world([.init(.signOut, at: .seconds(10)), .init(.call(), at: .seconds(20))])
    let entries = try facts(client, scenario)
    let revoked = entries.first {
      if case .familyRevoked(_, .request) = $0.fact { true } else { false }
    }
    #expect(revoked?.instant.since(.zero) == .milliseconds(10_050))
    expect(try tally(client, scenario), [.revokedByRequest: 1, .failedCalls: 1])
  }

  /// A new sign-in begins a family of its own, whose pair the next call uses.
  @Test func `Who signs in again has a new session`() throws {
    let scenario = world([
      .init(.revoke, at: .seconds(5)), .init(.call(), at: .seconds(10)),
      .init(.signIn(), at: .seconds(20)), .init(.call(), at: .seconds(30)),
    ])
    let tally = try tally(try strategy("single-flight"), scenario)
    expect(tally, [.calls: 2, .failedCalls: 1, .rejected: 1, .signOuts: 1, .revokedByRequest: 1])
    #expect(tally[.unauthorized] == 1)
  }

  /// A write of 200 ms that begins at 10.1 s is over at 10.3 s; a call in between waits for it.
  @Test func `A write to the store takes its time`() throws {
    let scenario = world([
      .init(.refresh, at: .seconds(10)), .init(.call(), at: .milliseconds(10_200)),
    ]) {
      $0.store.write = .constant(.milliseconds(200))
    }
    let entries = try facts(try strategy("single-flight"), scenario)
    let sent = entries.first { if case .attemptSent = $0.fact { true } else { false } }
    #expect(sent?.instant.since(.zero) == .milliseconds(10_300))
  }

  /// Two refreshes that do not merge are answered at 10.1 s and 10.15 s; the first write is overtaken.
  @Test func `An older pair overwrites a newer one where writes take different times`() async throws
  {
    let scenario = world([
      .init(.refresh, at: .seconds(10)), .init(.refresh, at: .milliseconds(10_150)),
    ]) {
      $0.store.write = .uniform(from: .zero, to: .seconds(1))
      $0.server.reuse = .rejectOnly
      $0.server.parentGrace.window = .unlimited
    }
    var client = try strategy("naive")
    client.decisions.merge = .none
    let totals = try await totals(client, scenario, runs: 4000)
    // The second write begins 150 ms after the first one, later than it by 0.15 of the longest: it ends first with
    // (1 - 0.15)² / 2 = 0.36125.
    let stale = try #require(totals.rate(.staleStores, per: .run))
    #expect(stale.isWithin3Errors(of: 0.36125))
  }

  /// A device clock that is set back by a day keeps a dead token alive in the eyes of the client.
  @Test func `A clock that is set back hides the end of a token, a continuous one does not`() throws
  {
    let moments: [Usage.Moment] = [
      .init(.clock(.seconds(-86_400)), at: .seconds(60)),
      .init(.call(), at: .seconds(400), times: 3, every: .seconds(10)),
    ]
    var client = try strategy("single-flight")
    client.decisions.expiryBasis = .receivedAt
    client.decisions.afterUnauthorized = .giveBack
    expect(try tally(client, world(moments)), [.unauthorized: 3, .failedCalls: 3, .refreshes: 0])
    client.decisions.clock = .continuous
    expect(try tally(client, world(moments)), [.unauthorized: 0, .refreshes: 1])
  }

  /// The app sleeps from 10 s to 400 s, so a clock that sleeps with it has 290 s left at 400 s.
  @Test func `A clock that stops in sleep trusts a dead token`() throws {
    let moments: [Usage.Moment] = [
      .init(.leave, at: .seconds(9)), .init(.suspend, at: .seconds(10)),
      .init(.return, at: .seconds(400)), .init(.call(), at: .seconds(401)),
    ]
    var client = try strategy("single-flight")
    client.decisions.expiryBasis = .receivedAt
    for (clock, unauthorized) in [(.continuous, 0), (.suspending, 1)]
      as [(Decisions.ClockChoice, Int)]
    {
      client.decisions.clock = clock
      #expect(try tally(client, world(moments))[.unauthorized] == unauthorized)
    }
  }

  /// At the horizon nothing begins; what runs is drained, for an hour at most.
  @Test func `The horizon ends use and schedules`() throws {
    var client = try strategy("single-flight")
    client.decisions.schedule = .tick(
      every: .seconds(10), first: .seconds(10), threshold: .seconds(100_000))
    let scenario = world([.init(.call(), at: .zero, times: 100, every: .seconds(10))]) {
      $0.usage.horizon = .seconds(100)
    }
    let tally = try tally(client, scenario)
    // Calls at 0, 10, …, 90 s and ticks at 10, …, 90 s.
    #expect(tally[.calls] == 10)
    #expect(tally[.refreshes] == 9)
    #expect(tally[.stuckCalls] == 0)
  }

  @Test func `A call that hangs past the drain is stuck`() throws {
    let scenario = world([.init(.call(), at: .seconds(1))]) {
      $0.usage.horizon = .seconds(10)
      $0.network.downlink = .constant(.seconds(5000))
      $0.client.timeout = .seconds(10_000)
    }
    expect(try tally(try strategy("naive"), scenario), [.stuckCalls: 1])
  }
}
