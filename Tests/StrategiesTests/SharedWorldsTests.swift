import SimCore
import SimTestSupport
import Strategies
import Testing

/// Strategies live through the same days, and what must not matter does not.
struct SharedWorldsTests {
  @Test func `A background task that is never needed leaves no trace`() async throws {
    for leaves in [LifecyclePolicy.Departure.never, .after(.constant(.seconds(120)))] {
      let scenario = Scenario.with {
        $0.lifecycle.leaves = leaves
        $0.client.margin = .seconds(45)
      }
      let plain = try await totals(try strategy("single-flight+margin"), scenario, runs: 2000)
      let guarded = try await totals(try strategy("background-task"), scenario, runs: 2000)
      #expect(plain.fingerprint == guarded.fingerprint)
    }
  }

  @Test func `A background task that held off a suspension does`() async throws {
    let scenario = Scenario.with {
      $0.usage.opens = .expired
      $0.lifecycle.leaves = .after(.constant(.milliseconds(100)))
    }
    let plain = try await totals(try strategy("single-flight+margin"), scenario, runs: 200)
    let guarded = try await totals(try strategy("background-task"), scenario, runs: 200)
    #expect(plain.fingerprint != guarded.fingerprint)
    #expect(plain[.signOuts] > 0)
    #expect(guarded[.signOuts] == 0)
  }

  private func serverFacts(
    _ basis: ExpiryBasis, offset: Duration, run: UInt64
  ) throws -> [String] {
    let scenario = Scenario.with {
      $0.clock.offset = offset
      $0.client.expiryBasis = basis
    }
    return try facts(try strategy("single-flight+margin"), scenario, run: run)
      .filter { $0.fact.isAtServer }.map { "\($0.instant.nanoseconds) \($0.fact)" }
  }

  @Test func `Ten minutes of clock offset change nothing at the server under receivedAt`() throws {
    for run in 0..<300 as Range<UInt64> {
      let right = try serverFacts(.receivedAt, offset: .zero, run: run)
      for offset in [600, -600] {
        #expect(try serverFacts(.receivedAt, offset: .seconds(offset), run: run) == right)
      }
    }
  }

  @Test func `Under absolute they change everything`() throws {
    for run in 0..<100 as Range<UInt64> {
      let right = try serverFacts(.absolute, offset: .zero, run: run)
      // A clock ten minutes late keeps trusting the token for ten minutes more, so the run opens elsewhere.
      let late = try serverFacts(.absolute, offset: .seconds(-600), run: run)
      #expect(Set(late).intersection(right).count <= 1)
    }
    // Ahead by ten minutes the client never trusts a token of five: every call refreshes first.
    let ahead = Scenario.with { $0.clock.offset = .seconds(600) }
    let tally = try tally(try strategy("single-flight"), ahead)
    #expect(tally[.waitedCalls] == 5)
  }

  @Test func `Call k meets the same delay whatever the strategy did before`() throws {
    func uplink(of call: Int32, _ name: String, run: UInt64) throws -> Int64? {
      let entries = try facts(try strategy(name), Scenario(), run: run)
      var sent: Int64?
      for entry in entries {
        switch entry.fact {
        case .attemptSent(call, attempt: 1, _): sent = entry.instant.nanoseconds
        case .attemptJudged(call, attempt: 1, _, _):
          return sent.map { entry.instant.nanoseconds - $0 }
        default: break
        }
      }
      return nil
    }
    for run in 0..<50 as Range<UInt64> {
      let naive = try uplink(of: 3, "naive", run: run)
      #expect(naive != nil)
      #expect(try uplink(of: 3, "single-flight", run: run) == naive)
      #expect(try uplink(of: 3, "single-flight+margin", run: run) == naive)
    }
  }

  @Test func `The opening of a run comes at the same moment for every strategy`() throws {
    for run in 0..<50 as Range<UInt64> {
      // Another way of working out the end of a token is another time of trust, and so another moment.
      let strategies = StrategyCatalog.all.filter { $0.decisions.expiryBasis == .absolute }
      let moments = try strategies.map { strategy in
        try facts(strategy, Scenario(), run: run).first {
          if case .screenOpened = $0.fact { true } else { false }
        }?.instant
      }
      #expect(Set(moments).count == 1)
    }
  }

  @Test func `Any two strategies differ in some fact`() async throws {
    let worlds = [
      Scenario(), .expiredBurst(),
      .with {
        $0.usage.opens = .expired
        $0.lifecycle.leaves = .after(.constant(.seconds(1)))
      },
    ]
    var fingerprints: Set<[UInt64]> = []
    for strategy in StrategyCatalog.all {
      var all: [UInt64] = []
      for world in worlds {
        all.append(try await totals(strategy, world, runs: 1000).fingerprint)
      }
      fingerprints.insert(all)
    }
    #expect(fingerprints.count == StrategyCatalog.all.count)
  }

  @Test func `The canary, a client that is known to lose sessions loses them`() async throws {
    let totals = try await totals(try strategy("naive"), .expiredBurst(), runs: 100)
    #expect(totals[.signOuts] == 100)
    #expect(totals.firstBadRun == 0)
  }
}
