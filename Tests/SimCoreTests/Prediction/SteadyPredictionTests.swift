import SimCore
import SimTestSupport
import Testing

/// Values by an independent quadrature, derived in the documentation of the model, which an independent event
/// simulation confirms.
struct SteadyPredictionTests {
  static func profile(
    margin: Duration? = .zero, basis: ExpiryBasis = .absolute
  ) -> ClientProfile {
    RacePredictionTests.profile(margin: margin, basis: basis)
  }

  /// Steady use of the default world with this many calls per second.
  static func scenario(
    rate: Double, _ change: (inout Scenario) -> Void = { _ in }
  ) -> Scenario {
    .with {
      $0.usage = Usage(kind: .steady, interval: .exponential(mean: .seconds(1 / rate)))
      change(&$0)
    }
  }

  /// Whether a value rounds to what is written, the last digit included.
  static func rounds(_ value: Double, to written: Double, digits: Int) -> Bool {
    let unit = (0..<digits).reduce(1.0) { unit, _ in unit / 10 }
    return (value - written).magnitude <= 0.5001 * unit
  }

  struct Row: Sendable {
    let rate: Double
    let perCycle: Double
    let cycle: Double
    let perCall: Double
    let perTrustedCall: Double
    let perHour: Double
  }

  static let rows = [
    Row(
      rate: 0.001, perCycle: 0.003000, cycle: 1300.207, perCall: 0.0023071,
      perTrustedCall: 0.0099723, perHour: 2.76879),
    Row(
      rate: 0.01, perCycle: 0.029968, cycle: 400.270, perCall: 0.0074868,
      perTrustedCall: 0.0099627, perHour: 8.99392),
    Row(
      rate: 0.1, perCycle: 0.296827, cycle: 310.789, perCall: 0.0095508,
      perTrustedCall: 0.0098690, perHour: 11.58340),
    Row(
      rate: 1, perCycle: 2.745420, cycle: 303.177, perCall: 0.0090555,
      perTrustedCall: 0.0091348, perHour: 11.87427),
    Row(
      rate: 10, perCycle: 22.671852, cycle: 302.467, perCall: 0.0074956,
      perTrustedCall: 0.0075556, perHour: 11.90212),
  ]

  @Test(arguments: rows)
  func `Calls meet a 401 as often as renewal and reward say`(_ row: Row) throws {
    let prediction = try SteadyPrediction(Self.scenario(rate: row.rate), Self.profile())
    #expect(Self.rounds(prediction.unauthorizedPerCycle, to: row.perCycle, digits: 6))
    #expect(Self.rounds(prediction.cycle, to: row.cycle, digits: 3))
    #expect(Self.rounds(prediction.perCall, to: row.perCall, digits: 7))
    let perTrustedCall = try #require(prediction.perTrustedCall)
    #expect(Self.rounds(perTrustedCall, to: row.perTrustedCall, digits: 7))
    #expect(Self.rounds(prediction.refreshesPerHour, to: row.perHour, digits: 5))
    #expect(prediction.rule == 0.01)
  }

  struct Variant: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rate: Double
    var offset = Duration.seconds(-1)
    var margin: Duration? = .zero
    var basis = ExpiryBasis.absolute
    let perCall: Double
    let digits: Int
  }

  static let variants: [Variant] = {
    let late: [Variant] = [(0.01, 0.069784), (0.1, 0.037435), (1, 0.010530)].map {
      Variant(
        testDescription: "clock 30 s late, \($0)", rate: $0, offset: .seconds(-30), perCall: $1,
        digits: 6)
    }
    let margin = [(0.01, 0.0009875), (0.1, 0.0012740), (1, 0.0013109), (10, 0.0013148)].map {
      Variant(
        testDescription: "margin 3 s, \($0)", rate: $0, margin: .seconds(3), perCall: $1, digits: 7)
    }
    let receivedAt = [(0.1, 0.0070800), (1, 0.0072456), (10, 0.0071665)].map {
      Variant(
        testDescription: "receivedAt, \($0)", rate: $0, basis: .receivedAt, perCall: $1, digits: 7)
    }
    let noCheck: [Variant] = [(0.01, 0.253976), (0.1, 0.039051), (1, 0.010530)].map {
      Variant(testDescription: "no check, \($0)", rate: $0, margin: nil, perCall: $1, digits: 6)
    }
    return late + margin + receivedAt + noCheck + [
      Variant(
        testDescription: "clock 30 s late, 10", rate: 10, offset: .seconds(-30),
        perCall: 0.0074958, digits: 7),
      Variant(
        testDescription: "no check, 10", rate: 10, margin: nil, perCall: 0.0074958, digits: 7),
    ]
  }()

  @Test(arguments: variants)
  func `Other clocks, margins, and expiry bases have their own share`(_ variant: Variant) throws {
    let scenario = Self.scenario(rate: variant.rate) { $0.clock.offset = variant.offset }
    let prediction = try SteadyPrediction(
      scenario, Self.profile(margin: variant.margin, basis: variant.basis))
    #expect(Self.rounds(prediction.perCall, to: variant.perCall, digits: variant.digits))
  }

  struct Cost: Sendable {
    let lifetime: Int
    let rate: Double
    /// Refreshes per hour with margins of 0, 30, 60, 150, and 270 s.
    let perHour: [Double]
    let digits: Int
    /// With a margin of the whole lifetime and a second.
    let loop: Double
    let loopPerCall: Double
  }

  static let costs = [
    Cost(
      lifetime: 300, rate: 0.001, perHour: [2.7688, 2.8275, 2.8958, 3.1217, 3.4843], digits: 4,
      loop: 3.5914, loopPerCall: 0.9976),
    Cost(
      lifetime: 300, rate: 0.01, perHour: [8.9939, 9.6463, 10.4895, 14.2180, 27.0270], digits: 4,
      loop: 35.1563, loopPerCall: 0.9766),
    Cost(
      lifetime: 300, rate: 0.1, perHour: [11.5834, 12.7119, 14.2180, 22.0588, 83.3333], digits: 4,
      loop: 290.3226, loopPerCall: 0.8065),
    Cost(
      lifetime: 300, rate: 1, perHour: [11.8743, 13.1291, 14.7420, 23.3463, 105.2632], digits: 4,
      loop: 1058.8235, loopPerCall: 0.2941),
    Cost(
      lifetime: 3600, rate: 0.1, perHour: [0.99701, 1.00469, 1.01317, 1.03950, 1.07681], digits: 5,
      loop: 290.3226, loopPerCall: 0.8065),
  ]

  @Test(arguments: costs)
  func `A margin costs refreshes, up to one for each round trip`(_ cost: Cost) throws {
    let scenario = Self.scenario(rate: cost.rate) {
      $0.server.lifetime = .fixed(.seconds(cost.lifetime))
    }
    for (margin, expected) in zip([0, 30, 60, 150, 270], cost.perHour) {
      let prediction = try SteadyPrediction(scenario, Self.profile(margin: .seconds(margin)))
      #expect(Self.rounds(prediction.refreshesPerHour, to: expected, digits: cost.digits))
    }
    let loop = try SteadyPrediction(scenario, Self.profile(margin: .seconds(cost.lifetime + 1)))
    #expect(Self.rounds(loop.refreshesPerHour, to: cost.loop, digits: 4))
    #expect(Self.rounds(loop.refreshesPerCall, to: cost.loopPerCall, digits: 4))
    #expect(loop.ruleRange == .loop)
    #expect(loop.perTrustedCall == nil)
    #expect(loop.perCall < 1e-20)
  }

  @Test(arguments: [(30, 0.1, 0.058299), (30, 1, 0.086000), (60, 0.01, 0.044897)])
  func `A margin throws life away, and no token before half its life`(
    margin: Int, rate: Double, lifeUnused: Double
  ) throws {
    let prediction = try SteadyPrediction(
      Self.scenario(rate: rate), Self.profile(margin: .seconds(margin)))
    #expect(Self.rounds(prediction.lifeUnused, to: lifeUnused, digits: 6))
    #expect(prediction.needlessShare == 0)
  }

  @Test(arguments: [(0.1, 0.958667, 0.9999996, 7), (0.01, 0.675666, 0.771437, 6)])
  func `In the loop most refreshes are needless`(
    rate: Double, lifeUnused: Double, needless: Double, digits: Int
  ) throws {
    let prediction = try SteadyPrediction(
      Self.scenario(rate: rate), Self.profile(margin: .seconds(301)))
    #expect(Self.rounds(prediction.lifeUnused, to: lifeUnused, digits: 6))
    #expect(Self.rounds(prediction.needlessShare, to: needless, digits: digits))
  }

  /// With δ ≤ 0 no 401 comes early: E C(-δ) over the mean of A, both in closed form.
  @Test(arguments: [0.01, 1, 100])
  func `Where the client stops before the token does, the share per trusted call is constant`(
    rate: Double
  ) throws {
    let sentAt = try SteadyPrediction(Self.scenario(rate: rate), Self.profile(basis: .sentAt))
    #expect(isClose(try #require(sentAt.perTrustedCall), 0.001543788, relative: 3e-7))
    #expect(sentAt.ruleRange == (rate < 0.1 ? .tooFew : .holds))
    let leeway = try SteadyPrediction(
      Self.scenario(rate: rate) { $0.server.leeway = .seconds(1) }, Self.profile())
    #expect(isClose(try #require(leeway.perTrustedCall), 2 / 300.8, relative: 1e-9))
    // A clock that runs one part in 300 fast makes up for being a second late.
    let drift = try SteadyPrediction(
      Self.scenario(rate: rate) { $0.clock.drift = 1e6 / 300 }, Self.profile())
    #expect(isClose(try #require(drift.perTrustedCall), 2 / 299.8, relative: 1e-9))
  }

  /// In closed form: I = b + (1 - exp(-λ(δ - b)))/λ and H(x) = min(x + δ - b, d + δ), both for δ > b.
  @Test func `Constant delays have their closed form`() throws {
    let scenario = Self.scenario(rate: 0.1) {
      $0.network.uplink = .constant(.seconds(2))
      $0.network.downlink = .constant(.milliseconds(200))
    }
    let late = try SteadyPrediction(scenario, Self.profile())
    #expect(isClose(late.cycle, 310.757021009, relative: 1e-11))
    #expect(isClose(late.perCall, 0.009553562222, relative: 1e-9))
    // δ = -0.5 s: H is 0 up to 0.7 s, then grows with x up to 1.5 s.
    let early = try SteadyPrediction(scenario, Self.profile(margin: .milliseconds(1500)))
    #expect(isClose(early.cycle, 310.491702554, relative: 1e-11))
    #expect(isClose(early.perCall, 0.004831046973762, relative: 1e-9))
  }

  /// Another event simulation, 2e8 calls: 0.0100270, standard error 66e-7.
  @Test func `A negative margin uses tokens beyond their believed end`() throws {
    let prediction = try SteadyPrediction(
      Self.scenario(rate: 1), Self.profile(margin: .seconds(-5), basis: .sentAt))
    #expect((prediction.perCall - 0.0100270).magnitude < 3 * 66e-7)
    #expect(isClose(prediction.cycle, 303.313, relative: 1e-4))
  }

  /// The relative error by an independent quadrature of E[((1 s - b)⁺)²].
  @Test func `It says at which rates the rule holds`() throws {
    func range(_ rate: Double, _ profile: ClientProfile) throws -> SteadyPrediction.RuleRange {
      try SteadyPrediction(Self.scenario(rate: rate), profile).ruleRange
    }
    #expect(try range(0.066, Self.profile()) == .tooFew)
    #expect(try range(0.067, Self.profile()) == .holds)
    #expect(try range(0.46, Self.profile()) == .holds)
    guard case .saturated(let error) = try range(1, Self.profile()) else {
      Issue.record("not saturated")
      return
    }
    #expect(isClose(error, 0.10855823497, relative: 1e-8))
    #expect(try range(1000, Self.profile(margin: .seconds(1))) == .holds)
    #expect(try range(1, Self.profile(margin: nil)) == .noCheck)
  }

  @Test(arguments: [
    (Scenario(), SteadyPrediction.Inapplicability.otherUse),
    (scenario(rate: 1) { $0.lifecycle.leaves = .after(.constant(.seconds(1))) }, .personLeaves),
    (scenario(rate: 1) { $0.usage.interval = .constant(.seconds(60)) }, .notPoisson),
    (scenario(rate: 1) { $0.usage.interval = .exponential(mean: .zero) }, .notPoisson),
    (scenario(rate: 1) { $0.clock.offset = .seconds(300) }, .neverTrusted),
    (scenario(rate: 1) { $0.server.lifetime = .fixed(.seconds(5)) }, .lifetimeTooShort),
  ])
  func `Where the formulas do not apply it says why`(
    scenario: Scenario, reason: SteadyPrediction.Inapplicability
  ) {
    #expect(throws: reason) { try SteadyPrediction(scenario, Self.profile()) }
  }

  @Test func `Callers that do not merge have no such cycle`() {
    let profile = RacePredictionTests.profile(concurrency: .separateWithHeldToken)
    #expect(throws: SteadyPrediction.Inapplicability.notMerged) {
      try SteadyPrediction(Self.scenario(rate: 1), profile)
    }
  }

  /// The mean of the file is that of d; with δ ≤ 0 nothing else of it counts.
  @Test func `Measured delays are taken as they are`() throws {
    let scenario = Self.scenario(rate: 1) {
      $0.network.uplink = .empirical(Self.measured(milliseconds: [10, 20, 30, 1000, 3000]))
      $0.network.downlink = .empirical(Self.measured(milliseconds: [5, 10, 60]))
      $0.clock.offset = .zero
    }
    let prediction = try SteadyPrediction(scenario, Self.profile())
    #expect(isClose(try #require(prediction.perTrustedCall), 0.812 / 299.975, relative: 1e-12))
  }

  private static func measured(milliseconds: [Int64]) -> Empirical {
    Empirical(
      nanoseconds: milliseconds.map { $0 * 1_000_000 },
      source: Empirical.Source(file: "by hand", column: "latency_ms", scale: 1))
  }
}
