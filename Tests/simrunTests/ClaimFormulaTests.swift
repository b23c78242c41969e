import SimCore
import Strategies
import Testing

@testable import simrun

/// The published claims for any number: each file of `experiments/claims` shows one, and a formula gives the others.
struct ClaimFormulaTests {
  /// A variant of a claim's file, to be changed.
  private struct Claim {
    var scenario: Scenario
    var strategy: Strategy

    init(_ name: String, _ variant: String, strategy: String? = nil) throws {
      let path = try #require(
        ExperimentTests.files("claims").first { $0.hasSuffix("/\(name).json5") })
      let chosen = try #require(
        try Experiment(file: path).variants.first { $0.name == variant })
      scenario = chosen.scenario
      self.strategy = try #require(
        chosen.strategies.first { strategy == nil || $0.name == strategy })
    }

    /// The counts of the first run.
    func tally() throws -> RunTally {
      var simulation = Simulation(scenario, client: strategy.client(in: scenario), seed: 1)
      try simulation.run(0)
      return simulation.tally
    }

    /// The facts of the first run.
    func facts() throws -> [Trace.Entry] {
      var simulation = Simulation(scenario, client: strategy.client(in: scenario), seed: 1)
      return try simulation.trace(0).entries
    }
  }

  private static func milliseconds(_ entry: Trace.Entry) -> Double {
    entry.instant.since(.zero) / .milliseconds(1)
  }

  // MARK: A

  @Test(arguments: [1, 2, 3, 7, 20, 100])
  func `A1, N naive calls refresh N times, and beyond one none succeeds`(callers: Int) throws {
    var claim = try Claim("A01", "naive")
    claim.scenario.usage.callers = callers
    let tally = try claim.tally()
    let isAlone = callers == 1
    #expect(tally[.refreshes] == callers)
    #expect(tally[.rejected] == callers - 1)
    #expect(tally[.rotations] == 1)
    #expect(tally[.unauthorized] == callers + (isAlone ? 0 : 1))
    #expect(tally[.attempts] == callers + 1)
    #expect(tally[.failedCalls] == (isAlone ? 0 : callers))
    #expect(tally[.signOutNotices] == callers - 1)
    #expect(tally[.revocations] == (isAlone ? 0 : 1))
  }

  @Test(arguments: [1, 2, 5, 20, 100])
  func `A2 and B1, N calls that share meet N 401s and refresh once`(callers: Int) throws {
    for (name, variant) in [("A02", "shared"), ("B01", "shared")] {
      var claim = try Claim(name, variant)
      claim.scenario.usage.callers = callers
      let tally = try claim.tally()
      #expect(tally[.unauthorized] == callers)
      #expect(tally[.attempts] == 2 * callers)
      #expect(tally[.refreshes] == 1)
      #expect(tally[.rotations] == 1)
      #expect(tally[.failedCalls] == 0)
      #expect(tally[.revocations] == 0)
    }
  }

  /// The refresh of call 1 ends 400 ms after the opening; a 401 that comes at that instant was sent before its answer.
  @Test(
    arguments: [
      ("A03", "comparing", false), ("A03", "notComparing", true), ("B02", "store", true),
      ("B02", "comparing", false),
    ])
  func `A3 and B2, only without a comparison a 401 after the refresh begins another`(
    name: String, variant: String, refreshesAgain: Bool
  ) throws {
    var claim = try Claim(name, variant)
    for read in stride(from: 51, through: 1000, by: 7) + [399, 400, 401] {
      claim.scenario.usage.pins[0].downlink = .milliseconds(read - 50)
      let tally = try claim.tally()
      #expect(tally[.refreshes] == (refreshesAgain && read > 400 ? 2 : 1), "read at \(read) ms")
      #expect(tally[.unauthorized] == 2)
      #expect(tally[.failedCalls] == 0)
      #expect(tally[.rejected] == 0)
    }
  }

  /// The refresh runs from 400.1 s to 400.4 s, and the server receives it at 400.15 s.
  @Test(arguments: [0, 1, 4, 50])
  func `A4, the cancelled owner costs the others nothing, unless the refresh dies with it`(
    others: Int
  ) throws {
    let kept = try Claim("A04", "coordinatorOwns")
    let lost = try Claim("A04", "callerOwns")
    for instant in stride(from: 101, to: 400, by: 13) {
      let start = Duration.seconds(400)
      let waiting = Usage.Moment(.call(), at: start + .milliseconds(101), times: max(1, others))
      let timeline =
        [Usage.Moment(.call(), at: start)] + (others > 0 ? [waiting] : [])
        + [Usage.Moment(.cancel(1), at: start + .milliseconds(instant))]
      for claim in [kept, lost] {
        var claim = claim
        claim.scenario.usage.timeline = timeline
        let tally = try claim.tally()
        let dies = claim.strategy.decisions.owner == .startingCall
        #expect(tally[.cancelledCalls] == 1)
        #expect(tally[.unauthorized] == 1)
        #expect(tally[.refreshes] == (dies && others > 0 ? 2 : 1))
        #expect(tally[.failedCalls] == (dies ? others : 0))
        #expect(tally[.revocations] == (dies && others > 0 ? 1 : 0))
        #expect(tally[.lostRotations] == (dies ? 1 : 0))
      }
    }
  }

  @Test func `A4, a waiter that stays ends with the refresh, and one that leaves at once`() throws {
    for (strategy, end) in [("waiters stay", 400_400.0), ("waiters leave", 400_250)] {
      let facts = try Claim("A04", "coordinatorOwns", strategy: strategy).facts()
      let ended = facts.first {
        if case .callEnded(1, .cancelled) = $0.fact { true } else { false }
      }
      #expect(ended.map(Self.milliseconds) == end)
    }
  }

  @Test(arguments: [1, 2, 10, 100])
  func `A5, N calls against a revoked session fail by one refresh`(callers: Int) throws {
    for (variant, isTrusted) in [("shared", false), ("trusted", true)] {
      var claim = try Claim("A05", variant)
      let moments = claim.scenario.usage.timeline
      claim.scenario.usage.timeline[1] = Usage.Moment(
        .call(), at: moments[1].at, times: callers)
      let tally = try claim.tally()
      #expect(tally[.failedCalls] == callers + 3)
      #expect(tally[.attempts] == (isTrusted ? callers : 0))
      #expect(tally[.refreshes] == 1)
      #expect(tally[.signOuts] == 1)
      #expect(tally[.signOutNotices] == 1)
    }
  }

  @Test(arguments: [0, 1, 2, 5, 100])
  func `A6 and B4, a call that is never accepted refreshes once per resend`(resends: Int) throws {
    for (name, variant) in [("A06", "threeResends"), ("B04", "unbounded")] {
      var claim = try Claim(name, variant)
      claim.strategy.decisions.resends = resends
      let tally = try claim.tally()
      #expect(tally[.refreshes] == resends)
      #expect(tally[.attempts] == resends + 1)
      #expect(tally[.unauthorized] == resends + 1)
      #expect(tally[.failedCalls] == 1)
    }
  }

  /// A second call at x finds neither the refresh nor the new pair iff r < x <= r + w.
  ///
  /// The answer is read r = 300 ms after the first call and written in w. A moment of the timeline comes before what
  /// else happens at its instant.
  @Test(arguments: [0, 1, 40, 100])
  func
    `A7, a duplicate occurs if and only if the slot is cleared first and a call falls into the write`(
      write: Int
    ) throws
  {
    for variant in ["duringTheWrite", "duringTheWriteInOrder"] {
      var claim = try Claim("A07", variant)
      claim.scenario.store.write = .constant(.milliseconds(write))
      let isEarly = claim.strategy.decisions.slotCleared == .beforeStore
      var found = 0
      for moment in 0...450 {
        claim.scenario.usage.timeline[1] = Usage.Moment(
          .call(), at: .seconds(400) + .milliseconds(moment))
        let tally = try claim.tally()
        let isHit = isEarly && moment > 300 && moment <= 300 + write
        #expect(tally[.duplicates] == (isHit ? 1 : 0), "second call at \(moment) ms")
        #expect(tally[.revocations] == (isHit ? 1 : 0))
        #expect(tally[.signOuts] == (isHit ? 1 : 0))
        found += tally[.duplicates]
      }
      #expect(found == (isEarly ? write : 0))
    }
  }

  @Test func `A8 and A9, what a margin leaves by numerical integration`() throws {
    let claim = try Claim("A09", "none")
    func left(_ margin: Duration) throws -> Double {
      try RacePrediction(
        claim.scenario, claim.strategy.named("margin", margin: margin).decisions.profile
      ).perCall
    }
    #expect((try left(.zero) - 0.009973406).magnitude < 1e-8)
    #expect(try left(.milliseconds(5500)) > 0.0001)
    #expect(try left(.milliseconds(5600)) < 0.0001)
    #expect((try left(.milliseconds(6648)) - 3.762e-5).magnitude < 1e-8)
    #expect(try left(.seconds(30)) < 1e-10)
  }

  /// Grid points up to the first pair's T − m, and from then on up to each minting plus T − m.
  @Test(arguments: [1, 2, 10], [0, 200])
  func `A10, the refreshes follow from lifetime, margin, and spacing`(
    lifetime: Int, processing: Int
  ) throws {
    var claim = try Claim("A10", "half")
    claim.scenario.server.lifetime = .fixed(.seconds(lifetime))
    claim.scenario.server.processing = .constant(.milliseconds(processing))
    for margin in stride(from: 100, to: 1000 * lifetime, by: 100 * lifetime) {
      for spacing in [250, 300, 1000] {
        claim.strategy.decisions.check = .margin(.milliseconds(margin))
        claim.scenario.usage.timeline = [
          Usage.Moment(.call(), at: .zero, times: 40, every: .milliseconds(spacing))
        ]
        let tally = try claim.tally()
        let use = 1000 * lifetime - margin
        func onGrid(_ time: Int) -> Int { (time + spacing - 1) / spacing * spacing }
        let (first, period) = (onGrid(use), onGrid(1 + processing + use))
        let span = 39 * spacing - first
        let expected = span < 0 ? 0 : 1 + span / period
        #expect(tally[.refreshes] == expected, "margin \(margin) ms, spacing \(spacing) ms")
        #expect(tally[.unauthorized] == 0)
        #expect(tally[.failedCalls] == 0)
      }
    }
  }

  /// The old token ends at 300 s, call 2 holds the new one 300 ms after its start, and the retry comes at 301 s: inside
  /// authentication it fails whenever it arrives late, outside only if nobody has refreshed.
  @Test func `A12, whenever another call refreshes during the pause, only the outer retry profits`()
    throws
  {
    for (variant, isInside) in [("outside", false), ("inside", true)] {
      var claim = try Claim("A12", variant, strategy: "gives the 401 back")
      for moment in stride(from: 300_001, to: 301_000, by: 37) {
        claim.scenario.usage.timeline[1] = Usage.Moment(.call(), at: .milliseconds(moment))
        let tally = try claim.tally()
        #expect(tally[.refreshes] == 1)
        #expect(tally[.attempts] == 3)
        #expect(tally[.failedCalls] == (isInside ? 1 : 0), "call 2 at \(moment) ms")
      }
    }
  }

  /// Attempts with the old token after the refresh was sent, at 100 ms; at 400 ms its pair is stored.
  @Test(arguments: [1, 3, 10])
  func `A13, no call that starts during the refresh sends the old token`(callers: Int) throws {
    for (variant, goesOn) in [("waiting", false), ("goingOn", true)] {
      var claim = try Claim("A13", variant)
      for moment in stride(from: 101, through: 450, by: 1) {
        claim.scenario.usage.timeline[1] = Usage.Moment(
          .call(), at: .seconds(400) + .milliseconds(moment), times: callers)
        let facts = try claim.facts()
        let sent = facts.firstIndex {
          if case .refreshSent = $0.fact { true } else { false }
        }
        let old = facts[(try #require(sent))...].count {
          if case .attemptSent(_, _, let token) = $0.fact { token?.number == 1 } else { false }
        }
        #expect(old == (goesOn && moment <= 400 ? callers : 0), "calls at \(moment) ms")
      }
    }
  }

  // MARK: B

  @Test(arguments: 0...5)
  func `B3, attempts are 1 plus the failures, and at most 1 plus the retries`(retries: Int) throws {
    for strategy in ["outside", "inside"] {
      for failures in 0...7 {
        var claim = try Claim("B03", "serverErrors", strategy: strategy)
        claim.strategy.decisions.callRetries = (0..<retries).map { .milliseconds(200 << $0) }
        claim.scenario.usage.pins = (0..<failures).map { failure in
          var pin = Usage.Pin(.call(1, attempt: failure + 1))
          pin.answer = .serverError
          return pin
        }
        let tally = try claim.tally()
        #expect(tally[.attempts] == 1 + min(failures, retries))
        #expect(tally[.failedCalls] == (failures > retries ? 1 : 0))
      }
    }
  }

  @Test(arguments: ["outside", "inside"])
  func `B3, the pauses lie between an answer and the next attempt`(strategy: String) throws {
    func sent(_ variant: String) throws -> [Double] {
      try Claim("B03", variant, strategy: strategy).facts().compactMap { entry in
        if case .attemptSent = entry.fact { Self.milliseconds(entry) - 100_000 } else { nil }
      }
    }
    #expect(try sent("serverErrors") == [0, 300, 800])
    #expect(try sent("noNetwork") == [0, 200, 600])
    #expect(try sent("notFound") == [0])
  }

  @Test func `B3, of all that a server can answer only a 5xx is tried again`() throws {
    let retried: Set<Usage.Pin.Answer> = [.serverError, .serverErrorAfterCommit]
    for answer in Usage.Pin.Answer.allCases {
      var claim = try Claim("B03", "notFound")
      claim.scenario.usage.pins[0].answer = answer
      let tally = try claim.tally()
      // A 401 is resent once, after a refresh.
      let attempts = retried.contains(answer) || answer == .unauthorized ? 2 : 1
      #expect(tally[.attempts] == attempts, "\(answer)")
      #expect(tally[.refreshes] == (answer == .unauthorized ? 1 : 0))
    }
  }

  /// A flight lasts from the first 401, 100 ms after its call, for 300 ms; the calls whose 401 comes in that time join it.
  @Test(arguments: [1, 2, 5, 30])
  func `B4, refreshes are bounded by calls, and follow from their spacing`(calls: Int) throws {
    var claim = try Claim("B04", "overlapping")
    for spacing in [1, 7, 70, 140, 160, 290, 310, 1000] {
      claim.scenario.usage.timeline = [
        Usage.Moment(
          .call(.init(isAlwaysRejected: true)), at: .seconds(10), times: calls,
          every: .milliseconds(spacing))
      ]
      let tally = try claim.tally()
      let perFlight = 300 / spacing + 1
      #expect(
        tally[.refreshes] == (calls + perFlight - 1) / perFlight, "every \(spacing) ms")
      #expect(tally[.refreshes] <= calls)
      #expect(tally[.attempts] == 2 * calls)
      #expect(tally[.failedCalls] == calls)
    }
  }

  @Test(arguments: [1, 2, 3, 10, 200])
  func `B5, k equal calls in flight cause one request, one refresh, and one set of retries`(
    calls: Int
  ) throws {
    let requests = [
      ("sharing", 1), ("sharedRefresh", 2), ("sharedRetries", 3), ("notSharing", calls),
      ("refreshWithoutSharing", 2 * calls),
    ]
    for (variant, attempts) in requests {
      var claim = try Claim("B05", variant)
      let moment = claim.scenario.usage.timeline[0]
      claim.scenario.usage.timeline = [Usage.Moment(moment.kind, at: moment.at, times: calls)]
      let tally = try claim.tally()
      #expect(tally[.attempts] == attempts, "\(variant)")
      #expect(tally[.refreshes] == (variant.contains("efresh") ? 1 : 0))
      #expect(tally[.failedCalls] == 0)
      #expect(tally[.stuckCalls] == 0)
    }
  }

  /// The first is answered 100 ms after its start; a call at that instant comes before the answer.
  @Test func `B5, calls share for as long as one of them is in flight`() throws {
    for spacing in [1, 30, 50, 99, 100, 101, 150] {
      var claim = try Claim("B05", "oneAfterTheOther")
      let moment = claim.scenario.usage.timeline[0]
      claim.scenario.usage.timeline = [
        Usage.Moment(moment.kind, at: moment.at, times: 12, every: .milliseconds(spacing))
      ]
      let perRequest = 100 / spacing + 1
      #expect(
        try claim.tally()[.attempts] == (12 + perRequest - 1) / perRequest,
        "every \(spacing) ms")
    }
  }

  @Test func `B7, the chain is cut at three requests and reported once`() throws {
    for (variant, cuts, refreshes) in [("through", 1, 3), ("past", 0, 1), ("separate", 3, 9)] {
      let claim = try Claim("B07", variant)
      let found = try claim.facts().count {
        if case .refreshChainCut = $0.fact { true } else { false }
      }
      #expect(found == cuts)
      #expect(try claim.tally()[.refreshesSent] == refreshes)
    }
  }

  @Test(arguments: [1, 10, 50])
  func `B8, calls without a token never refresh, whatever their answer`(calls: Int) throws {
    for strategy in ["naive", "in-flight-only", "single-flight"] {
      for answer in Usage.Pin.Answer.allCases {
        var claim = try Claim("B08", "publicPage", strategy: strategy)
        claim.scenario.usage.timeline[0] = Usage.Moment(
          claim.scenario.usage.timeline[0].kind, at: .seconds(400), times: calls)
        claim.scenario.usage.pins = (1...calls).map { call in
          var pin = Usage.Pin(.call(call, attempt: 1))
          pin.answer = answer
          return pin
        }
        let tally = try claim.tally()
        #expect(tally[.refreshes] == 0)
        #expect(tally[.attempts] == calls)
        #expect(tally[.failedCalls] == calls)
        #expect(tally[.signOuts] == 0)
      }
    }
  }
}
