import SimCore
import Strategies
import Testing

@testable import simrun

/// The later cases with other numbers than their cards have, each against a closed form.
struct CaseFormulaLaterTests {
  /// When the refreshes of the one run were sent.
  private func sendings(
    _ card: String, _ name: String, _ change: (inout Case.Variant) -> Void
  ) throws -> [Instant] {
    var simulation = try Case.simulation(card, name, change)
    return try simulation.trace(0).entries.compactMap { entry in
      if case .refreshSent = entry.fact { entry.instant } else { nil }
    }
  }

  private func calls(at start: Duration, _ times: Int, every: Duration) -> Usage.Moment {
    Usage.Moment(.call(), at: start, times: times, every: every)
  }

  /// The whole quotient, rounded up.
  private func ceiling(_ value: Int, _ divisor: Int) -> Int { (value + divisor - 1) / divisor }

  // MARK: Errors taken for the wrong kind

  /// The request leaves after `connecting` and commits 50 ms later; both in milliseconds.
  @Test(arguments: [(100, 30), (100, 99), (100, 101), (100, 149), (100, 151), (40, 30), (20, 71)])
  func `B39: A cancellation ends the session falsely until the token is spent`(
    connecting: Int, cancelled: Int
  ) throws {
    let tally = try Case.tally("B39", "buggy") {
      $0.scenario.usage.pins[0].connecting = .milliseconds(connecting)
      $0.scenario.usage.timeline[1] = .init(
        .cancel(1), at: .seconds(3600) + .milliseconds(cancelled))
    }
    #expect(tally[.signOuts] == 1)
    #expect(tally[.refreshes] == (cancelled > connecting ? 1 : 0))
    #expect(tally[.falseSignOuts] == (cancelled < connecting + 50 ? 1 : 0))
  }

  /// Attempt k, from 0, is made 0.5 s + 2^k s - 1 s after the waking; it takes the first that is not too early.
  @Test(arguments: [(500, 1), (600, 2), (1500, 2), (3000, 3), (3600, 4), (7500, 4), (100_000, 8)])
  func `B41: Doubling pauses reach the server once the network is up`(
    networkUp: Int, attempts: Int
  ) throws {
    let tally = try Case.tally("B41", "fixed") {
      $0.scenario.network.offline = .periods([
        .init(from: .seconds(600), to: .seconds(7200) + .milliseconds(networkUp))
      ])
      $0.strategies[0].decisions.retries = (0..<12).map { .seconds(1 << $0) }
    }
    #expect(tally[.refreshesSent] == attempts)
    #expect(tally[.refreshes] == 1)
    #expect(tally[.signOuts] == 0)
    #expect(tally[.failedCalls] == 0)
    let lastPause = (1 << (attempts - 1)) - 1
    #expect(tally.longestWait == Int64(lastPause) * 1_000_000_000 + 100_000_000)
  }

  /// A call every `spacing` seconds up to `last`; no network from 3500 s to `networkUp`.
  @Test(arguments: [(3705, 60, 7200), (3705, 60, 3660), (3605, 60, 3720), (3900, 7, 9000)])
  func `B43: After the chain has broken every call is a 401`(
    networkUp: Int, spacing: Int, last: Int
  ) throws {
    let count = last / spacing
    let tally = try Case.tally("B43", "buggy") {
      $0.scenario.network.offline = .periods([.init(from: .seconds(3500), to: .seconds(networkUp))])
      $0.scenario.usage.timeline = [calls(at: .seconds(spacing), count, every: .seconds(spacing))]
      $0.scenario.usage.horizon = .seconds(last + 1)
    }
    let before = (3500 - 1) / spacing
    let offline = min(count, (networkUp - 1) / spacing) - before
    #expect(tally[.calls] == count)
    #expect(tally[.unauthorized] == count - before - offline)
    #expect(tally[.failedCalls] == count - before)
    #expect(tally[.refreshes] == 0)
  }

  /// The first tick, at 20 s + k · 30 s, that finds a network; a call at that very moment is still too early.
  @Test(arguments: [(3705, 60), (3691, 5), (3710, 5), (3711, 5), (3800, 1)])
  func `B43: Ticks leave 401s only between the network and the next tick`(
    networkUp: Int, spacing: Int
  ) throws {
    let tally = try Case.tally("B43", "fixed") {
      $0.scenario.network.offline = .periods([.init(from: .seconds(3500), to: .seconds(networkUp))])
      $0.scenario.usage.timeline = [
        calls(at: .seconds(spacing), 7200 / spacing, every: .seconds(spacing))
      ]
    }
    let tick = 20 + 30 * ceiling(networkUp - 20, 30)
    #expect(tally[.unauthorized] == tick / spacing - ceiling(networkUp, spacing) + 1)
    #expect(tally[.refreshesSent] == (tick - 3530) / 30 + 1)
    #expect(tally[.refreshes] == 1)
  }

  // MARK: Clocks

  /// Read k, from 0, finds C - k (1 - r) tokens.
  @Test(arguments: [(30, 0.5), (30, 0.25), (1, 0.5), (10, 0.8), (100, 0.5)])
  func `B46: The first 429 comes where the bucket runs dry`(
    capacity: Int, refill: Double
  ) throws {
    let tally = try Case.tally("B46", "buggy") {
      $0.scenario.server.rateLimit = .tokenBucket(capacity: capacity, refillPerSecond: refill)
      $0.scenario.usage.timeline = [calls(at: .zero, 500, every: .seconds(1))]
    }
    // In twentieths of a token, so that the quotient is exact.
    let first = (capacity - 1) * 20 / Int(((1 - refill) * 20).rounded()) + 1
    #expect(tally[.rotations] == first)
    #expect(tally[.refreshes] == first + 1)
    #expect(tally[.refused] == 1)
    #expect(tally[.falseSignOuts] == 1)
    #expect(tally[.failedCalls] == 500 - first)
  }

  /// With L seconds of usable life, the first read to refresh is L and then each L + 1 later.
  @Test(arguments: [1, 2, 5, 10, 110, 3510])
  func `B46: Usable life of L seconds refreshes once in L + 1 reads`(life: Int) throws {
    let tally = try Case.tally("B46", "buggy") {
      $0.scenario.clock.offset = .seconds(3600 - 90 - life)
    }
    #expect(tally[.refreshes] == (3599 - life) / (life + 1) + 1)
    #expect(tally[.refused] == 0)
    #expect(tally[.signOuts] == 0)
  }

  /// A poll is late in the d - m seconds that the client trusts a token too long; the waiting for the poll that
  /// replaces it is a mean of (60² + 300) / (2 · 60) = 32.5 s.
  @Test(arguments: [(2.0, 0.5, 0.0), (8.0, 2.0, 0.0), (8.0, 2.0, 4.0), (20.0, 5.0, 0.0)])
  func `B47: A poll meets a 401 with probability (d - m)/60 per token`(
    uplink: Double, downlink: Double, margin: Double
  ) async throws {
    var variant = try Case.variant("B47", "buggy")
    variant.scenario.network.uplink = .constant(.seconds(uplink))
    variant.scenario.network.downlink = .constant(.seconds(downlink))
    variant.strategies[0].decisions.check = .margin(.seconds(margin))
    let runs = 5
    let totals = try await Trial(
      cells: [(variant.strategies[0], variant.scenario)], runs: runs, seed: 1
    ).carryOut(threads: 2).totals[0]
    let perToken = (uplink + downlink - margin) / 60
    let tokens = Double(runs) * 30 * 86_400 / (3600 + uplink + downlink - margin + 32.5)
    // Fewer than one poll in such a stretch, so it is a binomial count.
    let error = (tokens * perToken * (1 - perToken)).squareRoot()
    #expect((Double(totals[.unauthorized]) - tokens * perToken).magnitude <= 3.3 * error)
    // Each token is replaced once; each run begins and ends within one.
    #expect((Double(totals[.refreshes]) - tokens).magnitude <= Double(runs))
  }

  @Test(arguments: [(0.2, 0.2), (2.5, 2.0), (10.0, 7.5), (10.0, 10.0)])
  func `B47: No 401 is left by a margin of d`(margin: Double, uplink: Double) throws {
    let tally = try Case.tally("B47", "fixed") {
      $0.scenario.usage.horizon = .seconds(5 * 86_400)
      $0.scenario.network.uplink = .constant(.seconds(uplink))
      $0.scenario.network.downlink = .constant(.seconds(margin - uplink))
      $0.strategies[0].decisions.check = .margin(.seconds(margin))
    }
    #expect(tally[.unauthorized] == 0)
    #expect(tally[.refreshes] > 100)
  }

  /// Hours that the clock is ahead, and seconds from call to call.
  @Test(arguments: [(24, 600), (24, 60), (1, 600), (48, 900)])
  func `B50: A clock D ahead at login keeps a dead token for D`(ahead: Int, spacing: Int) throws {
    let end = ahead * 3600 + 3600
    func change(_ variant: inout Case.Variant) {
      variant.scenario.clock.offset = .seconds(ahead * 3600)
      variant.scenario.clock.steps = [.init(by: .seconds(-ahead * 3600), at: .seconds(30))]
      variant.scenario.usage.timeline = [
        calls(at: .zero, end / spacing + 1, every: .seconds(spacing))
      ]
    }
    let buggy = try Case.tally("B50", "buggy", change)
    #expect(buggy[.unauthorized] == ahead * 3600 / spacing)
    #expect(buggy[.refreshes] == 1)
    let fixed = try Case.tally("B50", "fixed", change)
    #expect(fixed[.unauthorized] == 1)
    #expect(fixed[.refreshes] == ahead + 1)
    let monotonic = try Case.tally("B50", "monotonic", change)
    #expect(monotonic[.unauthorized] == 0)
    #expect(monotonic[.refreshes] == ahead + 1)
  }

  /// Without delays a cycle is lifetime + allowance, all multiples of the spacing, in seconds.
  @Test(arguments: [(300, 600, 10, 1), (300, 600, 10, 4), (300, 70, 10, 5), (3600, 60, 30, 2)])
  func `B51: Each cycle has a 401 for each call within the allowance`(
    lifetime: Int, allowance: Int, spacing: Int, cycles: Int
  ) throws {
    let count = cycles * (lifetime + allowance) / spacing
    let tally = try Case.tally("B51", "buggy") {
      $0.scenario.network.uplink = .constant(.zero)
      $0.scenario.network.downlink = .constant(.zero)
      $0.scenario.server.lifetime = .fixed(.seconds(lifetime))
      $0.scenario.usage.timeline = [calls(at: .zero, count, every: .seconds(spacing))]
      $0.strategies[0].decisions.check = .margin(.seconds(-allowance))
    }
    #expect(tally[.unauthorized] == cycles * allowance / spacing)
    #expect(tally[.failedCalls] == tally[.unauthorized])
    #expect(tally[.refreshes] == cycles - 1)
  }

  // MARK: Margins

  /// Horizon and round trip in milliseconds.
  @Test(arguments: [(60_000, 100), (60_000, 70), (1000, 300), (59_950, 100), (60_000, 7000)])
  func `B53: Without a floor a refresh follows each answer`(horizon: Int, trip: Int) throws {
    func change(_ variant: inout Case.Variant) {
      variant.scenario.usage.horizon = .milliseconds(horizon)
      variant.scenario.network.uplink = .constant(.milliseconds(trip) / 2)
      variant.scenario.network.downlink = .constant(.milliseconds(trip) / 2)
    }
    let tally = try Case.tally("B53", "buggy", change)
    #expect(tally[.refreshes] == ceiling(horizon, trip))
    #expect(tally[.needless] == tally[.refreshes])
  }

  /// Horizon and floor in milliseconds.
  @Test(arguments: [(60_000, 15_000), (60_000, 1000), (60_400, 15_000), (3_600_000, 15_000)])
  func `B53: With a floor f refreshes are sent at f + k(f + RTT)`(
    horizon: Int, floor: Int
  ) throws {
    let sent = try sendings("B53", "fixed") {
      $0.scenario.usage.horizon = .milliseconds(horizon)
      $0.strategies[0].decisions.schedule = .oneShot(
        margin: .seconds(60), floor: .milliseconds(floor), jitter: .zero)
    }
    #expect(sent.count == ceiling(horizon - floor, floor + 100))
    let expected = (0..<sent.count).map { Int64(floor + $0 * (floor + 100)) * 1_000_000 }
    #expect(sent.map(\.nanoseconds) == expected)
  }

  /// A new pair is minted 50 ms after its refresh is sent, and due a lifetime less the margin later.
  @Test(arguments: [(30, 60), (30, 600), (20, 3600), (59, 600)])
  func `B53: A margin below the lifetime refreshes once per lifetime less margin`(
    margin: Int, horizon: Int
  ) throws {
    let sent = try sendings("B53", "clamped") {
      $0.scenario.usage.horizon = .seconds(horizon)
      $0.strategies[0].decisions.schedule = .oneShot(
        margin: .seconds(margin), floor: .zero, jitter: .zero)
    }
    let first = (60 - margin) * 1000
    #expect(sent.count == ceiling(horizon * 1000 - first, first + 50))
    #expect(sent.last?.nanoseconds == Int64(first * sent.count + 50 * (sent.count - 1)) * 1_000_000)
  }

  @Test(arguments: [1, 4, 100, 1000])
  func `B55: A margin above the lifetime refreshes on every call`(calls count: Int) throws {
    let tally = try Case.tally("B55", "buggy") {
      $0.scenario.usage.timeline = [calls(at: .seconds(1), count, every: .seconds(1))]
    }
    #expect(tally[.refreshes] == count)
    #expect(tally[.needless] == count)
    #expect(tally[.waitedCalls] == count)
  }

  /// The first refresh at T (1 - c) = 600 s (1 - c), each further one a second more than that later.
  @Test(arguments: [(4, 0.5), (299, 0.5), (300, 0.5), (600, 0.5), (601, 0.5), (2000, 0.25)])
  func `B55: A cap of half the lifetime refreshes after half of it`(
    calls count: Int, cap: Double
  ) throws {
    let tally = try Case.tally("B55", "fixed") {
      $0.scenario.usage.timeline = [calls(at: .seconds(1), count, every: .seconds(1))]
      $0.strategies[0].decisions.marginCap = cap
    }
    let first = Int(600 * (1 - cap))
    #expect(tally[.refreshes] == (count < first ? 0 : (count - first) / (first + 1) + 1))
    #expect(tally[.failedCalls] == 0)
  }

  /// Lifetime and last call in seconds; a call every 10 s.
  @Test(arguments: [(300, 600), (300, 290), (120, 3600), (900, 3600)])
  func `B57: Who is never armed again has a 401 for each call after the end`(
    lifetime: Int, last: Int
  ) throws {
    func change(_ variant: inout Case.Variant) {
      variant.scenario.server.lifetime = .fixed(.seconds(lifetime))
      variant.scenario.usage.timeline = [
        calls(at: .seconds(10), last / 10, every: .seconds(10))
      ]
      variant.scenario.usage.horizon = .seconds(last + 1)
    }
    let buggy = try Case.tally("B57", "buggy", change)
    #expect(buggy[.refreshes] == 0)
    #expect(buggy[.unauthorized] == max(0, (last - lifetime) / 10 + 1))
    // At T - 60 s, and then T - 60 s after each minting, which is 50 ms after the sending; in units of 50 ms.
    let first = (lifetime - 60) * 20
    for name in ["fixed", "unquestioned"] {
      let fixed = try Case.tally("B57", name, change)
      #expect(fixed[.refreshes] == ceiling((last + 1) * 20 - first, first + 1))
      #expect(fixed[.unauthorized] == 0)
    }
  }

  // MARK: Servers

  /// Callers every so many microseconds; those overlap whose token is read less than 5 ms after the first one's.
  @Test(arguments: [(1, 200), (2, 200), (6, 200), (18, 50), (25, 200), (26, 200), (30, 200)])
  func `B63: As many siblings as refreshes that overlap the first`(
    callers: Int, gap: Int
  ) throws {
    func change(_ variant: inout Case.Variant) {
      variant.scenario.usage.timeline = [
        calls(at: .seconds(900), callers, every: .microseconds(gap))
      ]
    }
    let overlapping = min(callers, ceiling(5000, gap))
    let buggy = try Case.tally("B63", "buggy", change)
    #expect(buggy[.refreshes] == callers)
    #expect(buggy[.rotations] == overlapping)
    #expect(buggy[.rejected] == callers - overlapping)
    #expect(buggy[.revocations] == (overlapping < callers ? 1 : 0))
    #expect(buggy[.duplicates] == callers - 1)
    let fixed = try Case.tally("B63", "fixed", change)
    #expect(fixed[.rotations] == 1)
    #expect(fixed[.graced] == callers - 1)
    #expect(fixed[.rejected] == 0)
    let atomicOnly = try Case.tally("B63", "atomicOnly", change)
    #expect(atomicOnly[.rotations] == 1)
    #expect(atomicOnly[.rejected] == callers - 1)
    #expect(atomicOnly[.failedCalls] == callers - 1)
    #expect(atomicOnly[.signOuts] == min(1, callers - 1))
  }

  /// R1 comes again after so many generations, 10 s each, under a grace in seconds.
  @Test(arguments: [(1, 1000), (2, 1000), (3, 1000), (5, 1000), (2, 20), (2, 21), (1, 10), (1, 11)])
  func `B65: Any generation is answered for a grace, or only the parent`(
    generations: Int, grace: Int
  ) throws {
    func change(_ variant: inout Case.Variant) {
      variant.scenario.usage.timeline = [
        calls(at: .zero, 1, every: .zero),
        .init(.refresh, at: .zero, times: generations, every: .seconds(10)),
        .init(.refresh, at: .seconds(10 * (generations + 1))),
      ]
      variant.scenario.usage.pins[0].downlink = .seconds(10 * generations) - .milliseconds(50)
      var lost = Usage.Pin(.refresh(generations + 1))
      lost.lost = .answer
      variant.scenario.usage.pins[1] = lost
      variant.scenario.server.parentGrace.window = .lasting(.seconds(grace))
    }
    func expect(_ tally: RunTally, isAnswered: Bool) {
      #expect(tally[.graced] == (isAnswered ? 1 : 0))
      #expect(tally[.rejected] == (isAnswered ? 0 : 2))
      #expect(tally[.rotations] == (isAnswered ? generations + 1 : generations))
      #expect(tally[.revocations] == (isAnswered ? 0 : 1))
      #expect(tally[.signOuts] == (isAnswered ? 0 : 1))
    }
    let isInTime = 10 * generations < grace
    let anyGeneration = try Case.tally("B65", "buggy") {
      change(&$0)
      $0.scenario.server.ancestorGrace.window = .lasting(.seconds(grace))
    }
    expect(anyGeneration, isAnswered: isInTime)
    let parentOnly = try Case.tally("B65", "fixed", change)
    expect(parentOnly, isAnswered: isInTime && generations == 1)
  }

  // MARK: The single flight itself

  /// Calls that joined at 20 ms, and when the owner is cancelled, in milliseconds.
  @Test(arguments: [(1, 60), (3, 30), (3, 99), (10, 60), (3, 101)])
  func `B67: All who joined a refresh that dies with its owner are signed out`(
    joined: Int, cancelled: Int
  ) throws {
    func change(_ variant: inout Case.Variant) {
      let start = Duration.seconds(3600)
      variant.scenario.usage.timeline = [
        calls(at: start, 1, every: .zero),
        calls(at: start + .milliseconds(20), joined, every: .zero),
        .init(.cancel(1), at: start + .milliseconds(cancelled)),
      ]
    }
    // The answer is read after 100 ms; then nothing is lost with the owner.
    let dies = cancelled < 100
    let buggy = try Case.tally("B67", "buggy", change)
    #expect(buggy[.refreshes] == (dies ? 2 : 1))
    #expect(buggy[.rejected] == (dies ? 1 : 0))
    #expect(buggy[.failedCalls] == (dies ? joined : 0))
    #expect(buggy[.cancelledCalls] == 1)
    #expect(buggy[.signOuts] == (dies ? 1 : 0))
    let fixed = try Case.tally("B67", "fixed", change)
    #expect(fixed[.refreshes] == 1)
    #expect(fixed[.failedCalls] == 0)
    #expect(fixed[.cancelledCalls] == 1)
  }

  /// Calls every so many seconds, and the timeout in seconds.
  @Test(arguments: [(60, 60, 35), (1, 60, 35), (100, 10, 35), (100, 1, 5), (300, 5, 60)])
  func `B69: Without a timeout every call is pending for good`(
    count: Int, spacing: Int, timeout: Int
  ) throws {
    func change(_ variant: inout Case.Variant) {
      variant.scenario.usage.timeline = [
        calls(at: .seconds(3600), count, every: .seconds(spacing))
      ]
    }
    let buggy = try Case.tally("B69", "buggy", change)
    #expect(buggy[.stuckCalls] == count)
    #expect(buggy[.refreshes] == 0)
    let fixed = try Case.tally("B69", "fixed") {
      change(&$0)
      $0.strategies[0].decisions.timeout = .seconds(timeout)
    }
    #expect(fixed[.stuckCalls] == 0)
    #expect(fixed[.failedCalls] == 0)
    #expect(fixed[.refreshes] == 1)
    // Those that start before the answer is read, 0.1 s after the timeout.
    #expect(fixed[.waitedCalls] == min(count, timeout / spacing + 1))
    #expect(fixed.longestWait == Int64(timeout) * 1_000_000_000 + 100_000_000)
  }

  // MARK: End of life

  /// The person signs in an hour after each rejection, so each session but the first lasts a day more.
  @Test(arguments: [(60, 59), (60, 60), (60, 120), (60, 121), (60, 182), (7, 100), (1, 10)])
  func `B73: A fixed age of L days rejects at L, and each L + 1 days later`(
    age: Int, days: Int
  ) throws {
    let rejections = (days + 1) / (age + 1)
    let tally = try Case.tally("B73", "buggy") {
      $0.scenario.server.refreshAbsolute = .seconds(age * 86_400)
      $0.scenario.usage.timeline = [calls(at: .seconds(86_400), days, every: .seconds(86_400))]
      for rejection in 0..<rejections {
        let day = age + rejection * (age + 1)
        $0.scenario.usage.timeline.append(.init(.signIn(), at: .seconds(day * 86_400 + 3600)))
      }
    }
    #expect(tally[.refreshes] == days)
    #expect(tally[.rejected] == rejections)
    #expect(tally[.rotations] == days - rejections)
    #expect(tally[.signOuts] == rejections)
    #expect(tally[.falseSignOuts] == 0)
    #expect(tally[.reuses] == 0)
  }

  /// Seconds without use against a sliding lifetime of 60 days.
  @Test(arguments: [(5_183_999, 0), (5_184_000, 1), (6_000_000, 1)])
  func `B73: A sliding lifetime ends with the first absence that is as long`(
    absence: Int, rejections: Int
  ) throws {
    let tally = try Case.tally("B73", "away") {
      $0.scenario.usage.timeline[1] = calls(
        at: .seconds(10 * 86_400 + absence), 1, every: .zero)
    }
    #expect(tally[.rejected] == rejections)
    #expect(tally[.rotations] == 11 - rejections)
    #expect(tally[.signOuts] == rejections)
  }
}
