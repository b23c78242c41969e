import SimCore
import SimTestSupport
import Strategies
import Testing

/// Weighed runs against closed forms, and against plain runs of the same worlds where sign-outs can be counted.
struct WeighedReplicationsTests {
  /// A call that has to refresh at once, in an app that the person leaves.
  private static func world(
    leaves: Distribution,
    suspendAfter: Distribution = .uniform(from: .milliseconds(500), to: .seconds(5)),
    _ change: (inout Scenario) -> Void = { _ in }
  ) -> Scenario {
    .with {
      $0.usage.opens = .expired
      $0.usage.callers = 1
      $0.usage.spread = .zero
      $0.clock = ClockError()
      $0.lifecycle.leaves = .after(leaves)
      $0.lifecycle.suspendAfter = suspendAfter
      change(&$0)
    }
  }

  /// Each tells as much as many plain ones.
  private static let runs = max(8000, agreementRuns / 20)

  private func weighed(
    _ strategy: Strategy, _ scenario: Scenario, seed: UInt64 = 1, runs: Int, threads: Int = 2
  ) async throws -> RareEventTotals {
    let replications = WeighedReplications(
      cells: [.init(scenario) { strategy.client(in: scenario, process: $0) }], seed: seed,
      runs: runs)
    return try await replications.carryOut(threads: threads).totals[0]
  }

  private static let ninety = Distribution.logNormal(.median(.seconds(90), sigma: 1.5))
  private static let thirty = Distribution.exponential(mean: .seconds(30))
  private static let fewSeconds = Distribution.uniform(from: .milliseconds(500), to: .seconds(5))

  /// E[F(r - a)] by quadrature, of the default network and 200 ms at the server.
  @Test(arguments: [
    (ninety, fewSeconds, 1.418e-3), (ninety, .constant(.seconds(5)), 8.11e-5),
    (thirty, fewSeconds, 1.676e-2), (thirty, .constant(.seconds(5)), 9.51e-4),
  ])
  func `The rate is that of a refresh in flight at the suspension`(
    leaves: Distribution, suspendAfter: Distribution, expected: Double
  ) async throws {
    let totals = try await weighed(
      try strategy("single-flight"), Self.world(leaves: leaves, suspendAfter: suspendAfter),
      runs: Self.runs)
    // The expected value has three digits.
    let error = 3.3 * totals.standardError + 0.002 * expected
    #expect((totals.mean - expected).magnitude <= error, "\(totals.mean) for \(expected)")
    #expect(isClose(totals.mean, totals.danger, relative: 1e-9))
    #expect(totals.share(of: .suspension) == 1)
  }

  /// By the same quadrature p(1 - p)/Var w is 89, known here to a few percent.
  @Test func `Weighing is worth 89 plain runs where visits are log-normal`() async throws {
    let totals = try await weighed(
      try strategy("single-flight"), Self.world(leaves: Self.ninety), runs: Self.runs)
    let gain = try #require(totals.gain)
    #expect(isClose(gain, 89, relative: 0.15), "\(gain)")
    let perEvent = try #require(totals.gainPerEvent)
    #expect(perEvent > gain / 3 && perEvent < gain)
  }

  private static let slow = Distribution.logNormal(.median(.seconds(2), sigma: 0.7))

  /// Worlds in which plain runs see enough, among them leaving times with atoms and with several parts.
  private static let countable: [(String, Scenario)] = [
    ("single-flight", world(leaves: thirty)),
    (
      "naive",
      world(leaves: thirty) {
        $0.usage.callers = 3
        $0.usage.opens = .duringLifetime
        $0.network.uplink = slow
      }
    ),
    (
      "background-task",
      world(leaves: thirty) {
        $0.network.uplink = slow
        $0.network.downlink = slow
        $0.lifecycle.backgroundBudget = .seconds(4)
      }
    ),
    (
      "background-transfer",
      world(leaves: thirty) { $0.network.lostAnswers = 0.02 }
    ),
    ("single-flight", world(leaves: .sum([.exponential(mean: .seconds(2)), fewSeconds]))),
    (
      "single-flight",
      world(
        leaves: .mixture([
          .init(weight: 1, .constant(.zero)), .init(weight: 3, thirty),
          .init(weight: 1, .cap(thirty, at: .milliseconds(200))),
        ]))
    ),
  ]

  @Test(arguments: countable.indices)
  func `Weighing changes no expectation`(index: Int) async throws {
    let (name, scenario) = Self.countable[index]
    let client = try strategy(name)
    let plain = try await totals(client, scenario, seed: 2, runs: 2 * Self.runs)
    let counted = try #require(plain.rate(.signOuts, per: .run))
    let totals = try await weighed(client, scenario, runs: Self.runs)
    let (a, b) = (counted.standardError, totals.standardError)
    let difference = (counted.estimate - totals.mean).magnitude
    #expect(counted.estimate > 0)
    #expect(
      difference <= 3.3 * (a * a + b * b).squareRoot(),
      "\(totals.mean) ± \(b), counted \(counted.estimate) ± \(a)")
  }

  /// Half leave at once and are suspended 0.5 s later, in a refresh that takes more than 2 s; who stays 10 s is safe.
  @Test func `Where only the moment of leaving is random, each run gives the answer`() async throws
  {
    let scenario = Self.world(
      leaves: .mixture([
        .init(weight: 1, .constant(.zero)), .init(weight: 1, .constant(.seconds(10))),
      ]), suspendAfter: .constant(.milliseconds(500))
    ) {
      $0.network.uplink = .constant(.seconds(1))
      $0.network.downlink = .constant(.seconds(1))
    }
    let totals = try await weighed(try strategy("single-flight"), scenario, runs: 40)
    #expect(totals.mean == 0.5)
    #expect(totals.standardError == 0)
    #expect(totals.shareOutside == 0)
  }

  @Test func `Who always leaves at the same time makes a plain run`() async throws {
    let scenario = Self.world(leaves: .constant(.seconds(1)))
    let client = try strategy("single-flight")
    let plain = try await totals(client, scenario, runs: 2000)
    let totals = try await weighed(client, scenario, runs: 2000)
    #expect(plain[.signOuts] > 0)
    #expect(totals.mean == Double(plain[.signOuts]) / 2000)
  }

  @Test func `Any number of threads gives the same`() async throws {
    let client = try strategy("single-flight")
    let scenario = Self.world(leaves: Self.ninety)
    let one = try await weighed(client, scenario, runs: 1000, threads: 1)
    for threads in 2...3 {
      let other = try await weighed(client, scenario, runs: 1000, threads: threads)
      #expect(other.fingerprint == one.fingerprint)
      #expect(other.mean == one.mean)
      #expect(other.standardError == one.standardError)
      #expect(other.gainPerEvent == one.gainPerEvent)
    }
  }

  @Test func `Few runs tell no interval`() async throws {
    let scenario = Self.world(leaves: Self.ninety, suspendAfter: .constant(.seconds(5)))
    let totals = try await weighed(try strategy("single-flight"), scenario, runs: 500)
    #expect(totals.mean > 0)
    #expect(totals.effectiveSignOuts < 30)
    #expect(totals.rate == nil)
  }

  /// The task's budget of 30 s is longer than any refresh here takes.
  @Test func `A background task leaves no moment of danger`() async throws {
    let totals = try await weighed(
      try strategy("background-task"), Self.world(leaves: Self.ninety), runs: 1000)
    #expect(totals.danger < 1e-8)
    #expect(totals.mean < 1e-8)
  }
}
