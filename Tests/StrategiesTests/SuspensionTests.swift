import SimCore
import SimTestSupport
import Strategies
import Testing

/// Sign-outs of people who leave while a refresh is under way, against the probability of that.
///
/// The share of openings that lose the answer, where each needs a refresh at once, is E[F(r - a)]: F the law of the
/// visit, r the time of the refresh, a that from leaving to the suspension. By quadrature it is 1.676 % for the
/// default network and 200 ms at the server, visits that are exponential with a mean of 30 s, and a uniform
/// between 0.5 and 5 s.
struct SuspensionTests {
  private static let loss = 0.01676
  /// How far three digits and the ends of a run may move it.
  private static let tolerance = 0.005

  private func world(_ change: (inout Scenario) -> Void = { _ in }) -> Scenario {
    .with {
      $0.usage = Usage(kind: .sessions, callers: 1, spread: .zero, horizon: .seconds(30 * 86_400))
      $0.usage.visit = .exponential(mean: .seconds(30))
      $0.usage.gap = .constant(.seconds(1800))
      $0.server.lifetime = .fixed(.seconds(60))
      $0.clock = ClockError()
      change(&$0)
    }
  }

  /// Sign-outs per opening, expected and measured.
  private func check(_ name: String, _ scenario: Scenario, expected: Double) async throws {
    let runs = agreementRuns / 1000
    let totals = try await totals(try strategy(name), scenario, runs: runs)
    let rate = try #require(totals.rate(.signOuts, per: .opening))
    let error = 3.3 * rate.standardError + Self.tolerance * expected
    #expect(
      (rate.estimate - expected).magnitude <= error, "\(rate.estimate) for \(expected)")
  }

  /// From the fresh pair of a login on: an opening that needs none, 1/p with a refresh up to the one that loses it, and
  /// one that is rejected, or p/(1 - p) more if that answer is lost in its turn.
  private func perOpening(_ p: Double) -> Double { 1 / (2 + 1 / p + p / (1 - p)) }

  @Test func `Without protection the lost answer signs out at the next opening`() async throws {
    try await check("single-flight", world(), expected: perOpening(Self.loss))
  }

  /// With a task of 30 s the same probability is below 1e-8.
  @Test func `A background task loses none`() async throws {
    let runs = agreementRuns / 1000
    let totals = try await totals(try strategy("background-task"), world(), runs: runs)
    #expect(totals[.openings] > 10_000)
    #expect(totals[.signOuts] == 0)
    #expect(totals[.lostRotations] == 0)
  }

  /// Of absences that are log-normal with a median of 39 min and sigma 1.5, 38.7 % are longer than an hour, and
  /// 99.27 % longer than the token's minute; those over night are.
  @Test func `A grace of an hour saves those who come back within it`() async throws {
    let scenario = world {
      $0.usage.gap = .logNormal(.median(.seconds(39 * 60), sigma: 1.5))
      $0.usage.night = .zero
      $0.server.parentGrace.window = .lasting(.seconds(3600))
    }
    // Who comes back within the grace has a refresh that can be lost in its turn, and one who comes within the minute
    // has none.
    let p = Self.loss * 0.3874
    try await check("single-flight", scenario, expected: 1 / (2 + 1 / (p * 0.9927)))
  }

  @Test func `A rule for parents without a limit saves everyone`() async throws {
    let scenario = world { $0.server.parentGrace.window = .unlimited }
    let totals = try await totals(
      try strategy("single-flight"), scenario, runs: agreementRuns / 1000)
    #expect(totals[.graced] > 0)
    #expect(totals[.signOuts] == 0)
  }
}
