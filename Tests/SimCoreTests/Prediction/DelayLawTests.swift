import SimCore
import SimTestSupport
import Testing

/// Reference values by 30-digit quadrature of the survival functions in Python (mpmath), which shares no closed form
/// with the code.
struct DelayLawTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let distribution: Distribution
    let mean: Double
    /// A number, the stop-loss transform there, and the probability to exceed it.
    let values: [(k: Double, stopLoss: Double, survival: Double)]
    /// How far the code may be off, as a share.
    var tolerance = 1e-11
  }

  private static func seconds(_ seconds: Double) -> Duration {
    .nanoseconds(Int64((seconds * 1e9).rounded()))
  }

  private static let spike = Distribution.cap(
    .logNormal(.median(seconds(0.0192), sigma: 2.35)), at: seconds(0.7))

  /// The uplinks of two proposed networks: a floor, a body, and a rare spike.
  private static let near = Distribution.sum([
    .constant(seconds(0.00543)), .logNormal(.median(seconds(0.00304), sigma: 0.572)),
    .mixture([.init(weight: 0.997, .constant(.zero)), .init(weight: 0.003, spike)]),
  ])
  private static let train = Distribution.sum([
    .constant(seconds(0.0115)), .logNormal(.median(seconds(0.0031), sigma: 1.64)),
    .mixture([
      .init(weight: 0.741, .constant(.zero)),
      .init(weight: 0.259, .logNormal(.median(seconds(0.0402), sigma: 0.898))),
    ]),
  ])

  static let cases: [Case] = [
    Case(
      testDescription: "log-uniform",
      distribution: .logUniform(from: .seconds(10), to: .seconds(600)), mean: 144.10120863882365,
      values: [
        (5, 139.10120863882365, 1), (60, 98.146330459854173, 0.56238185575284767),
        (599, 0.00020364594865276196, 0.00040740515981188568), (600, 0, 0),
      ], tolerance: 1e-9),
    Case(
      testDescription: "normal, often cut",
      distribution: .normal(mean: .seconds(2), deviation: seconds(1.5)), mean: 2.0635926725622547,
      values: [
        (0, 2.0635926725622547, 0.90878878027413213), (1, 1.2266794707366054, 0.74750746245307709),
        (4, 0.06359267256225469, 0.09121121972586787),
        (9, 4.546816502275428e-7, 1.5306267365310666e-6),
      ]),
    Case(
      testDescription: "normal, never cut",
      distribution: .normal(mean: .seconds(1), deviation: seconds(0.1)), mean: 1,
      values: [
        (0.9, 0.10833154705876861, 0.84134474606854289),
        (1.25, 0.00020041371791281994, 0.0062096653257761352),
      ]),
    Case(
      testDescription: "Weibull of working time",
      distribution: .weibull(.shape(0.64, scale: .seconds(569))), mean: 791.12727075191336,
      values: [
        (10, 781.57415573806427, 0.92747595054520758),
        (569, 471.0995091076847, 0.36787944117144232),
        (5000, 39.438017714976243, 0.017979086164083964),
      ]),
    Case(
      testDescription: "Weibull with a peak",
      distribution: .weibull(.shape(3, scale: .seconds(2))), mean: 1.7859590231384984,
      values: [
        (0.5, 1.2879034605243283, 0.98449643700540841),
        (2, 0.17093665885915552, 0.36787944117144232),
        (4, 5.1994550745799673e-5, 0.00033546262790251184),
      ]),
    Case(
      testDescription: "cap", distribution: spike, mean: 0.10670836875544743,
      values: [
        (0.001, 0.10576570326766225, 0.89569714696401433),
        (0.1, 0.067485900433667036, 0.24126529508420718),
        (0.69, 0.00063352081881027449, 0.063734091115319072), (0.7, 0, 0),
      ]),
    Case(
      testDescription: "mixture",
      distribution: .mixture([
        .init(weight: 9, .logNormal(.median(seconds(0.1), sigma: 0.5))),
        .init(weight: 1, .exponential(mean: .seconds(5))),
      ]), mean: 0.60198336077601437,
      values: [
        (0.05, 0.55271403375136975, 0.92445931627338815),
        (0.2, 0.4846308677526206, 0.17062461101676094),
        (3, 0.27440581804806722, 0.054881163614032882),
      ]),
    Case(
      testDescription: "floor, body, and a rare capped spike", distribution: near,
      mean: 0.009330435559446389,
      values: [
        (0.006, 0.00333057453998294, 0.998291269789393),
        (0.01, 0.000818259418072461, 0.239948626918598),
        (0.05, 0.000254816007269361, 0.00112257849922705),
        (0.3, 0.00010610043600949, 0.000371069400300278),
      ], tolerance: 1e-9),
    Case(
      testDescription: "floor, wide body, and a frequent spike", distribution: train,
      mean: 0.03897839425876358,
      values: [
        (0.012, 0.0270015898280769, 0.901480226642987),
        (0.03, 0.0183922705780939, 0.331468600255926),
        (0.1, 0.00661675356322215, 0.0791279472844731),
        (1, 0.000162128471697044, 0.0002799556281611),
      ], tolerance: 1e-9),
  ]

  @Test(arguments: cases)
  func `Mean, stop-loss transform, and probabilities are right`(_ example: Case) {
    let law = DelayLaw(example.distribution)
    #expect(isClose(law.mean, example.mean, relative: max(1e-12, example.tolerance)))
    for value in example.values {
      let message = "at \(value.k): \(law.stopLoss(value.k)), \(law.survival(value.k))"
      #expect(
        isClose(law.stopLoss(value.k), value.stopLoss, relative: example.tolerance), "\(message)")
      #expect(
        isClose(law.survival(value.k), value.survival, relative: example.tolerance), "\(message)")
    }
  }

  /// E min(X, k) is the mean less the stop-loss transform, and the mean of X is its expectation.
  @Test(arguments: cases)
  func `Expectations and points agree with the stop-loss transform`(_ example: Case) {
    let law = DelayLaw(example.distribution)
    let k = example.values[1].k
    let expected = law.mean - law.stopLoss(k)
    // A sum is averaged over points, and a kink just beyond a node of the quadrature goes unnoticed.
    let isSum = if case .sum = example.distribution { true } else { false }
    let precise = law.expectation(tolerance: 1e-12) { min($0, k) }
    #expect(isClose(precise, expected, relative: isSum ? 1e-3 : 1e-7))
    #expect(isClose(law.mean(of: { $0 }, overPoints: 256), law.mean, relative: 1e-3))
    #expect(isClose(law.mean(of: { min($0, k) }, overPoints: 256), expected, relative: 2e-3))
    // A smooth function leaves the rule its precision.
    let smooth = law.expectation(tolerance: 1e-13) { 1 / (1 + $0) }
    #expect(isClose(law.mean(of: { 1 / (1 + $0) }, overPoints: 256), smooth, relative: 1e-4))
  }

  @Test(arguments: cases)
  func `The ends of a law are where they are said to be`(_ example: Case) {
    let law = DelayLaw(example.distribution)
    #expect(law.least <= law.nearlyLeast && law.nearlyLeast <= law.mean)
    #expect(law.mean <= law.nearlyGreatest && law.nearlyGreatest <= law.greatest)
    #expect(1 - law.survival(law.nearlyLeast * (1 - 1e-9) - 1e-12) < 1.1e-6)
    #expect(law.survival(law.nearlyGreatest) < 1.1e-6)
    #expect(law.survival(law.greatest) < 1e-15)
    #expect(law.survival(law.least - 1e-9) == 1)
    #expect(isClose(law.stopLoss(-1), law.mean + 1, relative: 1e-15))
  }

  /// Kolmogorov's test: a right sampler exceeds 1.95 one time in a thousand, so the seed is fixed.
  @Test(arguments: SamplerTests.cases.map(\.distribution) + cases.map(\.distribution))
  func `Draws follow the law`(_ distribution: Distribution) {
    let law = DelayLaw(distribution)
    let sampler = Sampler(distribution)
    let stream = RandomStream(RandomRun(seed: 9, run: 0), cause: .uplink)
    let count = 200_000
    let draws = (0..<count).map {
      sampler.sample(stream, at: DrawAddress(.call, number: $0))
    }.sorted()
    var distance = 0.0
    // Every hundredth draw misses no more than a twentieth of a percent.
    for index in stride(from: 99, to: count, by: 100)
    where index + 1 == count || draws[index] != draws[index + 1] {
      let share = Double(index + 1) / Double(count)
      // Half a nanosecond further on, where what was rounded to this draw lies behind.
      let expected = 1 - law.survival((Double(draws[index]) + 0.5) * 1e-9)
      distance = max(distance, (share - expected).magnitude)
    }
    #expect(distance * Double(count).squareRoot() < 1.95)
  }

  @Test func `A sequence has the law of its values`() {
    let source = Empirical.Source(file: "a.csv", column: "a_s", scale: 1)
    let values: [Int64] = [3_000_000_000, 1_000_000_000, 2_000_000_000]
    let law = DelayLaw(
      .empirical(Empirical(nanoseconds: values, source: source, every: .seconds(1))))
    #expect(isClose(law.mean, 2, relative: 1e-15))
    #expect(isClose(law.stopLoss(1.5), 2.0 / 3, relative: 1e-15))
    #expect(isClose(law.survival(2.5), 1.0 / 3, relative: 1e-15))
  }

  @Test(arguments: [
    Distribution.uniform(from: .seconds(1), to: .seconds(1)),
    .logUniform(from: .seconds(1), to: .seconds(1)),
    .normal(mean: .seconds(1), deviation: .zero), .logNormal(.median(.seconds(1), sigma: 0)),
    .cap(.constant(.seconds(2)), at: .seconds(1)),
    .mixture([.init(weight: 3, .constant(.seconds(1)))]),
    .sum([.exponential(mean: .zero), .constant(.seconds(1))]),
    .cap(.sum([.exponential(mean: .seconds(1)), .constant(.seconds(2))]), at: .seconds(1)),
  ])
  func `What is always the same has the law of a constant`(_ distribution: Distribution) {
    let law = DelayLaw(distribution)
    #expect(isClose(law.mean, 1, relative: 1e-15))
    #expect(isClose(law.least, 1, relative: 1e-15) && isClose(law.greatest, 1, relative: 1e-15))
    #expect(law.survival(1) == 0 && law.survival(0.99) == 1)
    #expect(law.stopLoss(1) == 0 && isClose(law.stopLoss(0.75), 0.25, relative: 1e-14))
  }

  /// The prediction works with the table, whose cells must resolve a body far below the end of its tail.
  @Test(arguments: cases.suffix(2))
  func `The tabulated law of a sum is as good`(_ example: Case) throws {
    var scenario = Scenario.with {
      $0.usage.spread = .zero
      $0.network.uplink = example.distribution
      $0.network.downlink = .constant(.zero)
      $0.clock.offset = .zero
    }
    for value in example.values {
      // With a margin of k and a right clock the call is late with the probability C(k) / T.
      scenario.clock.offset = .nanoseconds(Int64(value.k * 1e9))
      let prediction = try RacePrediction(
        scenario, RacePredictionTests.profile())
      let expected = value.stopLoss / (300 - value.k)
      #expect(isClose(prediction.perCall, expected, relative: 1e-6))
    }
  }

  /// The row of the table of the theory: two log-normal parts with means of 0.1 s and 5 s, 0.9 and 0.1.
  @Test func `A mixture of delays gives the rate of the theory`() throws {
    let scenario = Scenario.with {
      $0.usage.spread = .zero
      $0.network.uplink = .mixture([
        .init(weight: 0.9, .logNormal(.mean(.milliseconds(100), sigma: 0.5))),
        .init(weight: 0.1, .logNormal(.mean(.seconds(5), sigma: 0.5))),
      ])
    }
    let prediction = try RacePrediction(scenario, RacePredictionTests.profile())
    #expect(isClose(prediction.perCall, 0.005285905, relative: 1e-7))
  }
}
