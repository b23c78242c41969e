import SimCore
import SimTestSupport
import Strategies
import Synchronization
import Testing

struct DeterminismTests {
  private func replications(runs: Int, seed: UInt64 = 1) throws -> Replications {
    let names = ["naive", "single-flight+margin", "background-task"]
    let scenario = Scenario.with {
      $0.server.lifetime = .fixed(.seconds(10))
      $0.lifecycle.leaves = .after(.exponential(mean: .seconds(3)))
    }
    return Replications(
      cells: try names.map { name in
        let strategy = try strategy(name)
        return Replications.Cell(scenario) { strategy.client(in: scenario, process: $0) }
      }, seed: seed, runs: runs)
  }

  /// Everything that a report shows, as text.
  private func digest(_ outcome: Replications.Outcome) -> String {
    let totals = outcome.totals.map { totals in
      let rates = Metric.allCases.flatMap { metric in
        MetricUnit.allCases.map { "\(String(describing: totals.rate(metric, per: $0)))" }
      }
      let causes = SignOutCause.allCases.map(totals.signOuts(by:))
      return "\(totals.fingerprint) \(totals.firstBadRun ?? 0) \(totals.meanWait ?? .zero) "
        + "\(totals.waits.count) \(totals.waits.maximum) \(rates) \(causes)"
    }
    let pairs = outcome.pairs.enumerated().map { index, pair in
      Metric.allCases.map {
        "\(String(describing: pair.difference($0, outcome.totals[0], outcome.totals[index + 1])))"
      }
    }
    return "\(totals) \(pairs)"
  }

  @Test(arguments: [2, 3, 7])
  func `The number of threads changes nothing`(threads: Int) async throws {
    // A prime number of runs, so that no batch and no number of threads divides it.
    let one = try await replications(runs: 4999).carryOut(threads: 1)
    let many = try await replications(runs: 4999).carryOut(threads: threads)
    #expect(digest(one) == digest(many))
    #expect(one.runs == 4999)
  }

  @Test(arguments: [1, 3])
  func `Stopped early, the runs done are the first ones without a gap`(threads: Int) async throws {
    let stopped = try await replications(runs: 1_000_000).carryOut(threads: threads) { $0 >= 700 }
    #expect(stopped.runs >= 700)
    #expect(stopped.runs < 1_000_000)
    let whole = try await replications(runs: stopped.runs).carryOut(threads: 1)
    #expect(digest(stopped) == digest(whole))
  }

  @Test func `Another seed is another world`() async throws {
    let one = try await replications(runs: 100, seed: 1).carryOut(threads: 1)
    let two = try await replications(runs: 100, seed: 2).carryOut(threads: 1)
    #expect(one.totals.map(\.fingerprint) != two.totals.map(\.fingerprint))
  }

  @Test func `A run by itself is the run among others`() throws {
    let scenario = Scenario.expiredBurst()
    let naive = try strategy("naive")
    var busy = Simulation(scenario, client: naive.client(in: scenario), seed: 1)
    for run in 0..<20 as Range<UInt64> { try busy.run(run) }
    var fresh = Simulation(scenario, client: naive.client(in: scenario), seed: 1)
    try fresh.run(19)
    #expect(busy.fingerprint == fresh.fingerprint)
    let traced = try fresh.trace(19)
    #expect(fresh.fingerprint == busy.fingerprint)
    #expect(traced.entries.count > 50)
    // Five callers refresh at once with one token, and whoever comes second ends the session.
    #expect(traced.signOuts.map(\.cause) == [.concurrentDuplicate])
    let damage = traced.signOuts[0].damage
    let commit = traced.entries.first {
      if case .refreshJudged(_, _, .rotated) = $0.fact { true } else { false }
    }
    #expect(damage.instant == commit?.instant)
  }

  /// Pinned, so that debug and release, Linux and macOS, x86 and ARM are seen to agree.
  @Test func `A seed means the same everywhere`() async throws {
    let outcome = try await replications(runs: 1000).carryOut(threads: 2)
    #expect(
      outcome.totals.map(\.fingerprint)
        == [7_280_907_779_438_116_251, 600_841_623_491_591_574, 8_197_130_078_467_544_328])
  }

  @Test func `A delay beyond all instants ends the work with the name of its field`() async throws {
    let scenario = Scenario.with {
      $0.network.uplink = .logNormal(.median(.seconds(1_000_000_000), sigma: 10))
    }
    let strategy = try strategy("naive")
    let replications = Replications(
      cells: [.init(scenario) { strategy.client(in: scenario, process: $0) }], seed: 1, runs: 1000)
    await #expect(throws: TimeOutOfRange(field: .uplink)) {
      _ = try await replications.carryOut(threads: 2)
    }
  }
}
