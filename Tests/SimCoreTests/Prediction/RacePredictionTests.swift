import SimCore
import SimTestSupport
import Testing

/// Values by an independent quadrature and by closed forms, derived in the documentation of the model.
struct RacePredictionTests {
  static func profile(
    margin: Duration? = .zero, basis: ExpiryBasis = .absolute,
    concurrency: ClientProfile.Concurrency = .merged
  ) -> ClientProfile {
    ClientProfile(
      check: margin.map { .margin($0) } ?? .none, expiryBasis: basis, timeout: .seconds(60),
      concurrency: concurrency)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let scenario: Scenario
    var margin = Duration.zero
    var basis = ExpiryBasis.absolute
    let perCall: Double
  }

  static let singleCalls: [Case] = [
    Case(
      testDescription: "constant delay, 3/301",
      scenario: .with {
        $0.network.uplink = .constant(.seconds(2))
        $0.network.downlink = .constant(.zero)
      }, perCall: 3.0 / 301),
    Case(testDescription: "default", scenario: Scenario(), perCall: 0.009973406),
    Case(
      testDescription: "exponential delay",
      scenario: .with { $0.network.uplink = .exponential(mean: .seconds(2)) },
      perCall: 0.009973406),
    Case(
      testDescription: "clock ahead by 1 s",
      scenario: .with { $0.clock.offset = .seconds(1) }, perCall: 0.003434200),
    Case(
      testDescription: "right clock", scenario: .with { $0.clock.offset = .zero },
      perCall: 0.006671115),
    Case(
      testDescription: "clock an hour late",
      scenario: .with { $0.clock.offset = .seconds(-3600) }, perCall: 0.9236371),
    Case(
      testDescription: "receivedAt", scenario: Scenario(), basis: .receivedAt,
      perCall: 2.2 / 300),
    Case(
      testDescription: "receivedAt, T 300.7 s",
      scenario: .with { $0.server.lifetime = .fixed(.milliseconds(300_700)) }, basis: .receivedAt,
      perCall: 0.005002287),
    Case(testDescription: "sentAt", scenario: Scenario(), basis: .sentAt, perCall: 0.001540596),
    Case(
      testDescription: "leeway 2 s", scenario: .with { $0.server.leeway = .seconds(2) },
      perCall: 0.003411366),
    Case(
      testDescription: "leeway 5 s", scenario: .with { $0.server.leeway = .seconds(5) },
      perCall: 0.000173795),
    Case(
      testDescription: "margin 1 s", scenario: Scenario(), margin: .seconds(1),
      perCall: 0.006648937),
    Case(
      testDescription: "margin 2 s", scenario: Scenario(), margin: .seconds(2),
      perCall: 0.003411366),
    Case(
      testDescription: "margin 3 s", scenario: Scenario(), margin: .seconds(3),
      perCall: 0.001312584),
    Case(
      testDescription: "margin 5 s", scenario: Scenario(), margin: .seconds(5),
      perCall: 0.000173795),
    Case(
      testDescription: "margin 10 s", scenario: Scenario(), margin: .seconds(10),
      perCall: 2.548543e-6),
    Case(
      testDescription: "margin 30 s", scenario: Scenario(), margin: .seconds(30),
      perCall: 9.5893e-11),
    Case(
      testDescription: "negative margin", scenario: Scenario(), margin: .seconds(-5),
      perCall: 0.009973406),
    Case(
      testDescription: "T 2 s", scenario: .with { $0.server.lifetime = .fixed(.seconds(2)) },
      perCall: 0.8985027),
    Case(
      testDescription: "T 5 s, margin 1 s",
      scenario: .with { $0.server.lifetime = .fixed(.seconds(5)) }, margin: .seconds(1),
      perCall: 0.3407049 + 0.0039398),
    Case(
      testDescription: "T 3 s, margin 2 s, where the cap counts",
      scenario: .with { $0.server.lifetime = .fixed(.seconds(3)) }, margin: .seconds(2),
      perCall: 0.2239985 + 0.0943684),
  ]

  // With a lifetime of a few seconds the second part counts: who finds too little left refreshes, and m E(1/W) of the
  // openings times the mean of P(d > T - y) send a new token that is dead on arrival; by the trapezoid rule in y.

  @Test(arguments: singleCalls)
  func `One call meets a 401 as often as the closed form says`(_ example: Case) throws {
    var scenario = example.scenario
    scenario.usage.spread = .zero
    let prediction = try RacePrediction(
      scenario, Self.profile(margin: example.margin, basis: example.basis))
    // Reference values have six to ten digits.
    #expect(isClose(prediction.perCall, example.perCall, relative: 3e-6))
  }

  struct Opening: Sendable {
    let callers: Int
    let check: Double
    let noCheck: Double
    let simultaneous: Double
    let callsNoCheck: Double
  }

  static let openings = [
    Opening(
      callers: 1, check: 0.009973406, noCheck: 0.010056517, simultaneous: 0.009973406,
      callsNoCheck: 0.010056517),
    Opening(
      callers: 2, check: 0.011838622, noCheck: 0.011894030, simultaneous: 0.011810682,
      callsNoCheck: 0.020113034),
    Opening(
      callers: 5, check: 0.014501671, noCheck: 0.014529374, simultaneous: 0.014445927,
      callsNoCheck: 0.050282586),
    Opening(
      callers: 20, check: 0.018875615, noCheck: 0.018883530, simultaneous: 0.018800061,
      callsNoCheck: 0.201130344),
  ]

  @Test(arguments: openings)
  func `An opening meets a 401 as often as the union of its calls`(_ opening: Opening) throws {
    var scenario = Scenario()
    scenario.usage.callers = opening.callers
    let checking = try RacePrediction(scenario, Self.profile())
    let naive = try RacePrediction(scenario, Self.profile(margin: nil))
    scenario.usage.spread = .zero
    let simultaneous = try RacePrediction(scenario, Self.profile(margin: nil))
    #expect(isClose(checking.perOpening, opening.check, relative: 1e-7))
    #expect(isClose(naive.perOpening, opening.noCheck, relative: 1e-7))
    #expect(isClose(simultaneous.perOpening, opening.simultaneous, relative: 1e-7))
    #expect(
      isClose(
        Double(opening.callers) * naive.perCall, opening.callsNoCheck, relative: 1e-7))
  }

  @Test(arguments: [(2, 0.008219005), (5, 0.011224925), (20, 0.015512835)])
  func `Two late calls end the session of a client that presents what it captured`(
    callers: Int, expected: Double
  ) throws {
    let scenario = Scenario.with { $0.usage.callers = callers }
    let prediction = try RacePrediction(
      scenario, Self.profile(margin: nil, concurrency: .separateWithCapturedToken))
    guard case .exactly(let probability) = prediction.sessionLoss else {
      Issue.record("no exact value")
      return
    }
    #expect(isClose(probability, expected, relative: 1e-7))
  }

  @Test(arguments: [(2, 0.099789463), (5, 0.099844871), (20, 0.099884448)])
  func `A margin makes callers that do not merge refresh at once`(
    callers: Int, expected: Double
  ) throws {
    let scenario = Scenario.with { $0.usage.callers = callers }
    let prediction = try RacePrediction(
      scenario, Self.profile(margin: .seconds(30), concurrency: .separateWithHeldToken))
    guard case .atMost(let probability) = prediction.sessionLoss else {
      Issue.record("no upper limit")
      return
    }
    #expect(isClose(probability, expected, relative: 1e-7))
  }

  @Test(arguments: [
    (Scenario.with { $0.usage.opens = .expired }, RacePrediction.Inapplicability.otherUse),
    (.with { $0.lifecycle.leaves = .after(.constant(.seconds(1))) }, .personLeaves),
    (.with { $0.clock.offset = .seconds(300) }, .neverTrusted),
    (.with { $0.server.lifetime = .fixed(.seconds(20)) }, .marginTooLarge),
    (
      .with { $0.server.lifetime = .uniform(from: .seconds(200), to: .seconds(300)) },
      .randomLifetime
    ), (.with { $0.server.tick = .seconds(7) }, .accessEndsEarly),
    (.with { $0.server.maxLiveAccess = 1 }, .accessEndsEarly),
    (.with { $0.server.oldAccessOverlap = .lasting(.zero) }, .accessEndsEarly),
  ])
  func `Where the formula does not apply it says why`(
    scenario: Scenario, reason: RacePrediction.Inapplicability
  ) {
    #expect(throws: reason) {
      try RacePrediction(scenario, Self.profile(margin: .seconds(30)))
    }
  }

  @Test func `A refresh that ends older access tokens only matters where one comes before a 401`()
    throws
  {
    var scenario = Scenario.with { $0.server.oldAccessOverlap = .lasting(.zero) }
    let reactive = Self.profile(margin: nil)
    #expect(
      try RacePrediction(scenario, reactive).perCall
        == RacePrediction(Scenario(), reactive).perCall)
    scenario.usage.callers = 1
    _ = try RacePrediction(scenario, Self.profile(margin: .seconds(30)))
    scenario = .with { $0.server.tick = .seconds(5) }
    _ = try RacePrediction(scenario, Self.profile(margin: .seconds(30)))
  }

  /// The first 401 is read after 100 ms at the earliest, its refresh is over another 300 ms later.
  @Test(arguments: [
    (ClientProfile.Concurrency.merged, 100), (.separateWithHeldToken, 400),
    (.separateWithCapturedToken, 400),
  ])
  func `The spread may reach up to the first refresh, and to its end where nobody waits`(
    concurrency: ClientProfile.Concurrency, limit: Int
  ) throws {
    var scenario = Scenario.with {
      $0.network.uplink = .constant(.milliseconds(50))
      $0.network.downlink = .constant(.milliseconds(50))
      $0.usage.spread = .milliseconds(limit)
    }
    _ = try RacePrediction(scenario, Self.profile(concurrency: concurrency))
    scenario.usage.spread = .milliseconds(limit + 1)
    #expect(throws: RacePrediction.Inapplicability.spreadTooLong(limit: .milliseconds(limit))) {
      try RacePrediction(scenario, Self.profile(concurrency: concurrency))
    }
    // One caller has nobody to wait for.
    scenario.usage.callers = 1
    _ = try RacePrediction(scenario, Self.profile(concurrency: concurrency))
  }

  @Test func `The rule of thumb is (d + s - m) over T, and never negative`() {
    let rules = [0, 1, 2, 3, 5].map {
      RacePrediction.rule(Scenario(), Self.profile(margin: .seconds($0)))
    }
    for (rule, expected) in zip(rules, [0.01, 2.0 / 300, 1.0 / 300, 0, 0]) {
      #expect((rule - expected).magnitude < 1e-15)
    }
  }

  @Test func `A negative margin leaves the rule as it is without one`() {
    #expect(RacePrediction.rule(Scenario(), Self.profile(margin: .seconds(-5))) == 3.0 / 300)
  }

  @Test(arguments: [
    Scenario.with { $0.server.rotation = .never },
    .with { $0.server.parentGrace.window = .lasting(.seconds(60)) },
    .with { $0.server.reuse = .rejectOnly }, .with { $0.server.race = .fork },
    .with { $0.server.ancestorGrace.window = .unlimited },
    .with { $0.server.reuseMemory = .lasting(.zero) },
    .with { $0.server.refreshAbsolute = .seconds(60) }, .with { $0.server.errors.after = 0.5 },
    .with { $0.server.outages = [.init(from: .zero, to: .seconds(1))] },
  ])
  func `A server that forgives a second use loses no session by it`(scenario: Scenario) throws {
    let profile = Self.profile(margin: nil, concurrency: .separateWithCapturedToken)
    #expect(try RacePrediction(scenario, profile).sessionLoss == .none)
  }

  @Test func `Where refreshes time out the value is only a limit`() throws {
    let scenario = Scenario()
    var profile = Self.profile(margin: nil, concurrency: .separateWithCapturedToken)
    profile.timeout = .seconds(5)
    guard case .atMost = try RacePrediction(scenario, profile).sessionLoss else {
      Issue.record("not a limit")
      return
    }
  }

  /// Design effect 4.2557 of five calls in the default world with spread 0, by independent quadrature.
  @Test func `The error of a rate per call knows that calls share their moment`() throws {
    let scenario = Scenario.with { $0.usage.spread = .zero }
    let prediction = try RacePrediction(scenario, Self.profile())
    let p = 0.009973406
    let expected = (4.2557 * p * (1 - p) / (5 * 10_000)).squareRoot()
    #expect(isClose(prediction.standardError(runs: 10_000), expected, relative: 1e-4))
  }

  /// E d + s and the mean of 1/W in closed form: 2 s in three parts, a token that is read at once.
  @Test func `A sum of several random parts is averaged over its points`() throws {
    let scenario = Scenario.with {
      $0.usage.spread = .zero
      $0.network.downlink = .constant(.zero)
      $0.network.uplink = .sum([
        .logNormal(.mean(.seconds(1), sigma: 0.5)), .exponential(mean: .milliseconds(600)),
        .uniform(from: .milliseconds(300), to: .milliseconds(500)),
      ])
    }
    let prediction = try RacePrediction(scenario, Self.profile())
    #expect(isClose(prediction.perCall, 3.0 / 301, relative: 1e-9))
    // With a margin of 3 s the tail decides: 0.00102036 by 2e8 draws of an independent program, se 1.4e-7.
    let tail = try RacePrediction(scenario, Self.profile(margin: .seconds(3)))
    #expect(isClose(tail.perCall, 0.00102036, relative: 6e-4))
  }

  /// Two exponential parts of 1 s: E(d - k)⁺ = (k + 2) e⁻ᵏ in closed form, here at k = m - s.
  @Test(arguments: [(3, 4 * 0.1353352832366127), (6, 7 * 0.006737946999085467)])
  func `The sum of two exponential delays has its closed form`(
    margin: Int, numerator: Double
  ) throws {
    let scenario = Scenario.with {
      $0.usage.spread = .zero
      $0.network.downlink = .constant(.zero)
      $0.network.uplink = .sum([.exponential(mean: .seconds(1)), .exponential(mean: .seconds(1))])
    }
    let prediction = try RacePrediction(scenario, Self.profile(margin: .seconds(margin)))
    #expect(isClose(prediction.perCall, numerator / 301, relative: 1e-4))
  }

  /// The answer takes longer than the 21 s that are trusted in 0.6 % of runs: Φ(-ln 42 / 1.5).
  @Test func `Where the pair is often not trusted at all there is no prediction`() {
    let scenario = Scenario.with {
      $0.server.lifetime = .fixed(.seconds(20))
      $0.network.downlink = .logNormal(.median(.milliseconds(500), sigma: 1.5))
    }
    #expect(throws: RacePrediction.Inapplicability.oftenUntrusted) {
      try RacePrediction(scenario, Self.profile())
    }
  }

  @Test func `Callers that refresh at once blur the count of late tokens`() throws {
    let scenario = Scenario()
    func isBlurred(_ margin: Duration, _ concurrency: ClientProfile.Concurrency) throws -> Bool {
      try RacePrediction(scenario, Self.profile(margin: margin, concurrency: concurrency))
        .isBlurredByRevocations
    }
    #expect(try isBlurred(.seconds(30), .separateWithHeldToken))
    #expect(try !isBlurred(.zero, .separateWithHeldToken))
    #expect(try !isBlurred(.seconds(30), .merged))
  }
}
