import SimCore
import SimTestSupport
import Strategies
import Testing

/// Networks that lose, delay, and fail messages, with counts and instants worked out by hand.
struct TroubledNetworkTests {
  /// One-way 50 ms, the token endpoint takes no time, tokens live an hour.
  private func world(
    _ moments: [Usage.Moment], _ change: (inout Scenario) -> Void = { _ in }
  ) -> Scenario {
    .timeline(moments) {
      $0.server.lifetime = .fixed(.seconds(3600))
      $0.server.processing = .constant(.zero)
      $0.server.reuseKillsAccess = false
      change(&$0)
    }
  }

  private func instants(_ entries: [Trace.Entry], _ isWanted: (Fact) -> Bool) -> [Duration] {
    entries.filter { isWanted($0.fact) }.map { $0.instant.since(.zero) }
  }

  private func pin(_ subject: Usage.Pin.Subject, _ change: (inout Usage.Pin) -> Void) -> Usage.Pin {
    var pin = Usage.Pin(subject)
    change(&pin)
    return pin
  }

  /// Two round trips of 100 ms and 300 ms to wake the radio: the first message leaves 500 ms late, a second one in
  /// the meantime at the same moment, one 9 s after the last answer at once, and one after 11 s of silence late again.
  @Test func `A connection opens after silence and is shared meanwhile`() throws {
    let moments: [Usage.Moment] = [
      .init(.call(), at: .seconds(20)), .init(.call(), at: .milliseconds(20_200)),
      .init(.call(), at: .seconds(29)), .init(.call(), at: .seconds(41)),
    ]
    let scenario = world(moments) {
      $0.network.handshakes = 2
      $0.network.wake = .constant(.milliseconds(300))
    }
    let entries = try facts(try strategy("single-flight"), scenario)
    let sent = instants(entries) { if case .attemptSent = $0 { true } else { false } }
    #expect(
      sent == [.milliseconds(20_500), .milliseconds(20_500), .seconds(29), .milliseconds(41_500)])
    let opened = instants(entries) { if case .connectionOpens = $0 { true } else { false } }
    #expect(opened == [.seconds(20), .seconds(41)])
  }

  /// The call that owns the refresh is cancelled 30 ms after it began, and the request leaves after 100 ms.
  @Test(arguments: [(30, 0, 0), (120, 1, 1)] as [(Int, Int, Int)])
  func `A cancellation before the connection is open leaves nothing sent`(
    at milliseconds: Int, sent: Int, arrived: Int
  ) throws {
    var owning = try strategy("single-flight")
    owning.decisions.owner = .startingCall
    let scenario = world([
      .init(.call(), at: .seconds(3600)),
      .init(.cancel(1), at: .seconds(3600) + .milliseconds(milliseconds)),
    ]) {
      $0.usage.pins = [pin(.refresh(1)) { $0.connecting = .milliseconds(100) }]
    }
    let tally = try tally(owning, scenario)
    #expect(tally[.refreshesSent] == sent)
    #expect(tally[.refreshes] == arrived)
    #expect(tally[.cancelledCalls] == 1)
    #expect(tally[.signOuts] == 0)
    #expect(tally[.lostRotations] == arrived)
  }

  /// Without a network a message fails at once or after the timeout, and what arrives then is lost.
  @Test func `A message without a network fails at once, or after the timeout`() throws {
    let moments: [Usage.Moment] = [
      .init(.call(), at: .seconds(10)), .init(.call(), at: .seconds(30)),
    ]
    for (failure, end) in [(.atOnce, Duration.seconds(10)), (.afterTimeout, .seconds(70))]
      as [(NetworkPolicy.OfflineFailure, Duration)]
    {
      let scenario = world(moments) {
        $0.network.offline = .periods([.init(from: .seconds(5), to: .seconds(20))])
        $0.network.offlineFailure = failure
      }
      let entries = try facts(try strategy("single-flight"), scenario)
      let ends = entries.compactMap { entry -> (Int32, Duration)? in
        if case .callEnded(let call, _) = entry.fact {
          (call, entry.instant.since(.zero))
        } else {
          nil
        }
      }
      #expect(ends.first { $0.0 == 1 }?.1 == end)
      #expect(ends.first { $0.0 == 2 }?.1 == .milliseconds(30_100))
      #expect(entries.contains { if case .attemptSent(1, _, _) = $0.fact { true } else { false } })
    }
  }

  /// The answer would arrive at 10.1 s; the network is lost at 10.07 s.
  @Test func `An answer that meets no network is lost`() throws {
    let moments: [Usage.Moment] = [
      .init(.call(), at: .seconds(10)), .init(.offline, at: .milliseconds(10_070)),
      .init(.online, at: .seconds(20)),
    ]
    let entries = try facts(try strategy("naive"), world(moments))
    let ends = entries.compactMap { entry -> (CallOutcome, Duration)? in
      if case .callEnded(_, let outcome) = entry.fact {
        (outcome, entry.instant.since(.zero))
      } else {
        nil
      }
    }
    #expect(ends.map(\.0) == [.transport])
    #expect(ends.map(\.1) == [.milliseconds(10_100)])
  }

  /// The refresh is sent at 3,610 s and committed at 3,610.05 s, and its answer meets no network at 3,610.1 s; the client
  /// gives up after 10 s, and who sends R1 again at 3,700 s is signed out at 3,700.1 s for the lost answer.
  @Test func `An answer waited for in vain without a network is lost, not too late`() throws {
    let moments: [Usage.Moment] = [
      .init(.call(), at: .seconds(3610)), .init(.offline, at: .milliseconds(3_610_070)),
      .init(.online, at: .seconds(3650)), .init(.call(), at: .seconds(3700)),
    ]
    let scenario = world(moments) {
      $0.network.offlineFailure = .afterTimeout
      $0.client.timeout = .seconds(10)
    }
    var simulation = Simulation(
      scenario, client: try strategy("single-flight").client(in: scenario), seed: 1)
    let signOuts = try simulation.trace(0).signOuts
    #expect(signOuts.map(\.cause) == [.lostAnswer])
    #expect(signOuts.map { $0.damage.instant.since(.zero) } == [.milliseconds(3_610_050)])
    #expect(signOuts.map { $0.symptom.since(.zero) } == [.milliseconds(3_700_100)])
  }

  /// What is lost is lost with its probability, on each leg, and independently: the call fails with p + (1 - p) q.
  @Test func `Losses have their probabilities`() async throws {
    let scenario = Scenario.constantDelays {
      $0.network.lostRequests = 0.1
      $0.network.lostAnswers = 0.2
      $0.usage.opens = .at(.zero)
      $0.usage.callers = 1
    }
    let totals = try await totals(try strategy("single-flight"), scenario, runs: 20_000)
    let failed = try #require(totals.rate(.failedCalls, per: .call))
    #expect(failed.isWithin3Errors(of: 0.1 + 0.9 * 0.2))
    let judged = Double(totals[.attempts])
    #expect(judged == 20_000)
  }

  /// A message meets n losses in a row with p^n (1 - p) and then is (2^n - 1) seconds later; the mean is
  /// p / (1 - 2p) seconds for p below a half.
  @Test func `Lost packets cost their retransmissions, and each doubles the wait`() throws {
    let scenario = world([.init(.call(), at: .seconds(10), times: 10_000, every: .seconds(1))]) {
      $0.network.packetLoss = 0.2
      $0.client.timeout = .seconds(1_000_000)
      $0.server.lifetime = .fixed(.seconds(10_000_000))
    }
    let entries = try facts(try strategy("naive"), scenario)
    var sent: [Int32: Int64] = [:]
    var lateness: [Int] = []
    for entry in entries {
      switch entry.fact {
      case .attemptSent(let call, _, _): sent[call] = entry.instant.nanoseconds
      case .attemptJudged(let call, _, _, _):
        let late = entry.instant.nanoseconds - (sent[call] ?? 0) - 50_000_000
        lateness.append(Int(late / 1_000_000_000))
      default: break
      }
    }
    let counts = Dictionary(grouping: lateness, by: \.self).mapValues(\.count)
    #expect(lateness.count == 10_000)
    #expect(counts.keys.allSatisfy { ($0 + 1).nonzeroBitCount == 1 })
    for (seconds, share) in [(0, 0.8), (1, 0.16), (3, 0.032), (7, 0.0064)] as [(Int, Double)] {
      let expected = 10_000 * share
      let error = (expected * (1 - share)).squareRoot()
      #expect((Double(counts[seconds] ?? 0) - expected).magnitude < 4 * error)
    }
  }

  /// With a correlation of one, calls at one instant have one delay; with none, different ones.
  @Test func `Correlated delays are shared by what is sent at one moment`() throws {
    for (correlation, distinct) in [(1.0, 1), (0.0, 5)] {
      let scenario = Scenario.with {
        $0.usage.opens = .at(.seconds(10))
        $0.usage.spread = .zero
        $0.network.correlation = correlation
      }
      let entries = try facts(try strategy("naive"), scenario)
      let arrivals = instants(entries) {
        if case .attemptJudged(_, attempt: 1, _, _) = $0 { true } else { false }
      }
      #expect(arrivals.count == 5)
      #expect(Set(arrivals).count == distinct)
    }
  }

  /// The belief is too late by the age of the answer and the part of the second that the Date drops.
  ///
  /// With f that part, calls meet a dead token with the mean of (2.2 + f) / (300 + f) over f in (0, 1), which is
  /// 1 - 297.8 ln(301/300), whatever the offset.
  @Test func `A clock corrected by the Date is late by the answer and the cut second`() async throws
  {
    let scenario = Scenario.with {
      $0.usage.callers = 1
      $0.usage.spread = .zero
      $0.clock.offset = .seconds(-600)
      $0.client.expiryBasis = .absoluteCorrected
    }
    let totals = try await totals(try strategy("single-flight"), scenario, runs: agreementRuns)
    let measured = try #require(totals.rate(.firstUnauthorized, per: .call))
    #expect(measured.isWithin3Errors(of: 0.0089841104))
    let profile = try strategy("single-flight").client(in: scenario).profile
    #expect(isClose(try RacePrediction(scenario, profile).perCall, 0.0089841104, relative: 1e-6))
  }
}
