import Foundation
import SimCore
import Strategies
import Testing

@testable import simrun

/// The cases of stores, fleets, and sign-outs with other numbers than their cards have, each against a closed form.
struct CaseFormulaStoreTests {
  // MARK: Stores

  /// Fetches every so many minutes on a locked phone, before the process is killed.
  @Test(arguments: [(0, 30), (1, 30), (2, 30), (5, 16), (20, 60)])
  func `B33: N fetches leave N pairs unsaved, and the launch replays the first token`(
    fetches: Int, minutes: Int
  ) throws {
    func change(_ variant: inout Case.Variant) {
      let end = Duration.seconds(60 * minutes * (fetches + 1))
      variant.scenario.usage.timeline =
        [.init(.leave, at: .zero), .init(.lock, at: .zero)]
        + (0..<fetches).flatMap { fetch in
          let at = Duration.seconds(60 * minutes * (fetch + 1))
          return [
            Usage.Moment(.wake(.seconds(30)), at: at), Usage.Moment(.refresh, at: at),
          ]
        }
        + [
          .init(.kill, at: end), .init(.return, at: end + .seconds(3600)),
          .init(.call(), at: end + .seconds(3600)),
        ]
    }
    let isLost = fetches > 0
    let buggy = try Case.tally("B33", "buggy", change)
    expect(
      buggy,
      [
        .refreshes: fetches + 1, .rotations: max(1, fetches), .rejected: isLost ? 1 : 0,
        .unsaved: fetches, .signOuts: isLost ? 1 : 0, .falseSignOuts: 0,
      ])
    #expect(buggy[SignOutCause.lostWrite] == (isLost ? 1 : 0))
    expect(
      try Case.tally("B33", "fixed", change),
      [
        .refreshes: fetches + 1, .rotations: fetches + 1, .unsaved: 0, .rejected: 0, .signOuts: 0,
      ])
  }

  /// Writes of the first pair that fail, against so many more tries.
  @Test(arguments: [(0, 0), (1, 0), (1, 1), (2, 1), (3, 3), (4, 3), (1, 5)])
  func `B35: A pair is lost if and only if more writes fail than are tried again`(
    failures: Int, retries: Int
  ) throws {
    let tally = try Case.tally("B35", "fixed") {
      $0.scenario.usage.pins = (0..<failures).map { write in
        var pin = Usage.Pin(.write(write + 1))
        pin.fails = true
        return pin
      }
      $0.strategies[0].decisions.storeRetries = (0..<retries).map { .milliseconds(100 << $0) }
    }
    let isLost = failures > retries
    expect(
      tally,
      [
        .refreshes: 2, .rotations: isLost ? 1 : 2, .rejected: isLost ? 1 : 0,
        .revocations: isLost ? 1 : 0, .signOuts: isLost ? 1 : 0, .failedCalls: isLost ? 1 : 0,
        .unsaved: isLost ? 1 : 0,
      ])
    #expect(tally[SignOutCause.lostWrite] == (isLost ? 1 : 0))
  }

  /// Calls of a wake of 30 s at 60 s, and when the device is unlocked, in seconds.
  @Test(arguments: [(1, 80), (5, 61), (20, 89), (3, 91), (3, 3000)])
  func `B37: Calls wait for an unlocking that comes while the process runs`(
    calls: Int, unlocked: Int
  ) throws {
    func change(_ variant: inout Case.Variant) {
      variant.scenario.usage.timeline[2] = .init(.call(), at: .seconds(60), times: calls)
      variant.scenario.usage.timeline[3] = .init(.unlock, at: .seconds(unlocked))
    }
    expect(
      try Case.tally("B37", "buggy", change),
      [.refreshes: 0, .signOuts: 1, .falseSignOuts: 1, .failedCalls: calls, .attempts: 0])
    let isInTime = unlocked < 90
    expect(
      try Case.tally("B37", "fixed", change),
      [
        .refreshes: 0, .signOuts: 0, .failedCalls: 0, .attempts: isInTime ? calls : 0,
        .stuckCalls: isInTime ? 0 : calls,
      ])
  }

  // MARK: Sign-outs

  /// The answer is read at `read`, A signs out at `out`, and B in at `in`, in milliseconds.
  @Test(
    arguments: [
      (100, 500, 1000), (499, 500, 1000), (501, 500, 1000), (999, 500, 1000), (1001, 500, 1000),
      (2000, 500, 1000), (2000, 60, 70), (5000, 4000, 4999),
    ])
  func `B71: An answer after the sign-out resurrects A, and one after the sign-in crosses into B`(
    read: Int, out: Int, in signIn: Int
  ) throws {
    func change(_ variant: inout Case.Variant) {
      variant.scenario.usage.pins[0].downlink = .milliseconds(read - 50)
      variant.scenario.usage.timeline[1] = .init(.signOut, at: .milliseconds(out))
      variant.scenario.usage.timeline[2] = .init(
        .signIn(user: 2), at: .milliseconds(signIn))
    }
    expect(
      try Case.tally("B71", "buggy", change),
      [
        .rotations: 1, .resurrections: read > out && read < signIn ? 1 : 0,
        .crossings: read > signIn ? 1 : 0, .signOuts: 0,
      ])
    expect(
      try Case.tally("B71", "fixed", change),
      [.rotations: 1, .resurrections: 0, .crossings: 0, .signOuts: 0])
  }

  // MARK: Fleets

  /// Mean and standard deviation of the largest of independent Poisson counts with these means.
  private func largest(_ means: [Double]) -> (mean: Double, deviation: Double) {
    // For each mean, P(count = x) and P(count <= x), x going up.
    var probability = means.map { exp(-$0) }
    var below = probability
    var (mean, square, last, x) = (0.0, 0.0, 0.0, 0.0)
    while last < 1 - 1e-12 {
      let all = below.reduce(1, *)
      mean += x * (all - last)
      square += x * x * (all - last)
      last = all
      x += 1
      for cell in means.indices {
        probability[cell] *= means[cell] / x
        below[cell] += probability[cell]
      }
      if x > 10_000 { break }
    }
    return (mean, (square - mean * mean).squareRoot())
  }

  /// Expects a mean peak over fleets, for counts that are nearly those of Poisson.
  private func checkPeak(
    _ card: String, _ name: String, _ means: [Double], refreshes: Int, fleets: Int = 40,
    _ change: (inout Case.Variant) -> Void
  ) async throws {
    var variant = try Case.variant(card, name)
    change(&variant)
    let totals = try await Trial(
      cells: [(variant.strategies[0], variant.scenario)], runs: fleets, seed: 1
    ).carryOut(threads: 2).totals[0]
    let expected = largest(means)
    let measured = Double(totals[.refreshPeak]) / Double(fleets)
    let error = 3.3 * expected.deviation / Double(fleets).squareRoot() + 0.01 * expected.mean
    #expect((measured - expected.mean).magnitude < error, "\(measured) for \(expected.mean)")
    #expect(totals[.refreshes] == fleets * refreshes)
    #expect(totals[.failedCalls] == 0)
  }

  /// Clients that poll every `poll` seconds from the common end of their tokens on.
  @Test(arguments: [(100, 60), (2000, 60), (2000, 10), (500, 200)])
  func `B59: Clients whose tokens die at one instant refresh within one poll`(
    clients: Int, poll: Int
  ) async throws {
    let means = [Double](repeating: Double(clients) / Double(poll), count: poll)
    try await checkPeak("B59", "buggy", means, refreshes: clients) {
      $0.scenario.usage.clients = clients
      $0.scenario.usage.whileOpen = .constant(.seconds(poll))
      $0.scenario.usage.horizon = .seconds(14 * 86_400 + poll)
    }
  }

  /// Clients that sign in within `over` seconds, for an hour.
  @Test(arguments: [(1000, 60), (200, 60), (1000, 5), (1000, 300)])
  func `B61: Clients that sign in together refresh together`(clients: Int, over: Int) async throws {
    let means = [Double](repeating: Double(clients) / Double(over), count: over)
    try await checkPeak("B61", "buggy", means, refreshes: clients) {
      $0.scenario.usage.clients = clients
      $0.scenario.usage.provisionedOver = .seconds(over)
      $0.scenario.usage.horizon = .seconds(3600 + over)
    }
  }

  /// A start spread over `over` seconds less a jitter of `jitter` seconds: a trapezoid of the two.
  @Test(arguments: [(1000, 60, 360), (2000, 60, 60), (500, 10, 100)])
  func `B61: A jitter spreads them over its own width`(
    clients: Int, over: Int, jitter: Int
  ) async throws {
    // The share of clients whose sum of two uniform times falls below t.
    func share(below t: Double) -> Double {
      func half(_ x: Double) -> Double { x > 0 ? x * x / 2 : 0 }
      let (v, w) = (Double(over), Double(jitter))
      return (half(t) - half(t - v) - half(t - w) + half(t - v - w)) / (v * w)
    }
    let means = (0..<(over + jitter)).map {
      Double(clients) * (share(below: Double($0 + 1)) - share(below: Double($0)))
    }
    try await checkPeak("B61", "fixed", means, refreshes: clients) {
      $0.scenario.usage.clients = clients
      $0.scenario.usage.provisionedOver = .seconds(over)
      $0.scenario.usage.horizon = .seconds(3600 + over)
      $0.strategies[0].decisions.schedule = .oneShot(
        margin: .zero, floor: .zero, jitter: .seconds(jitter))
    }
  }
}
