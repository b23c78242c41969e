import SimCore
import SimTestSupport
import Testing

struct SamplerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let distribution: Distribution
    let mean: Double
    let deviation: Double
    /// The share of draws up to one second.
    let upToOne: Double
  }

  private static let measured = Empirical(
    nanoseconds: [3_000_000_000, 1_000_000_000, 2_000_000_000, 1_000_000_000],
    source: Empirical.Source(file: "a.csv", column: "latency_s", scale: 1))

  /// Means, deviations, and shares in closed form.
  static let cases: [Case] = [
    Case(
      testDescription: "uniform", distribution: .uniform(from: .milliseconds(500), to: .seconds(5)),
      mean: 2.75, deviation: 4.5 / 12.0.squareRoot(), upToOne: 0.5 / 4.5),
    Case(
      testDescription: "exponential", distribution: .exponential(mean: .seconds(2)), mean: 2,
      deviation: 2, upToOne: 0.39346934028736658),
    Case(
      testDescription: "log-normal by mean",
      distribution: .logNormal(.mean(.seconds(2), sigma: 0.5)), mean: 2,
      deviation: 2 * 0.53294033, upToOne: 0.12791669),
    Case(
      testDescription: "log-normal by median",
      distribution: .logNormal(.median(.seconds(1), sigma: 0.5)), mean: 1.1331484530668263,
      deviation: 1.1331484530668263 * 0.53294033, upToOne: 0.5),
    Case(
      testDescription: "log-normal by quantiles",
      distribution: .logNormal(
        .quantiles(
          .init(probability: 0.5, value: .milliseconds(100)),
          .init(probability: 0.99, value: .seconds(1)))), mean: 0.1632051055520351,
      deviation: 0.21050236, upToOne: 0.99),
    Case(
      testDescription: "empirical", distribution: .empirical(measured), mean: 1.75,
      deviation: 0.6875.squareRoot(), upToOne: 0.5),
    Case(
      testDescription: "sum",
      distribution: .sum([
        .constant(.milliseconds(250)), .uniform(from: .zero, to: .seconds(1)),
        .exponential(mean: .milliseconds(500)),
      ]), mean: 1.25, deviation: (1.0 / 12 + 0.25).squareRoot(), upToOne: 0.36156508),
    Case(
      testDescription: "log-uniform",
      distribution: .logUniform(from: .milliseconds(100), to: .seconds(10)),
      mean: 2.1497576854211, deviation: 2.49696179493189, upToOne: 0.5),
    Case(
      testDescription: "normal, cut at zero",
      distribution: .normal(mean: .seconds(1), deviation: .seconds(2)),
      mean: 1.39559311480261, deviation: 1.48787190907491, upToOne: 0.5),
    Case(
      testDescription: "Weibull by shape", distribution: .weibull(.shape(2, scale: .seconds(1))),
      mean: 0.88622692545275801, deviation: (1 - Double.pi / 4).squareRoot(),
      upToOne: 0.63212055882855768),
    Case(
      testDescription: "Weibull by quantiles",
      distribution: .weibull(
        .quantiles(
          .init(probability: 0.5, value: .seconds(1)),
          .init(probability: 0.99, value: .seconds(10)))), mean: 1.7355745859566,
      deviation: 2.12368500716791, upToOne: 0.5),
    Case(
      testDescription: "mixture",
      distribution: .mixture([
        .init(weight: 3, .constant(.milliseconds(500))),
        .init(weight: 1, .exponential(mean: .seconds(2))),
      ]), mean: 0.875, deviation: (2.1875 - 0.765625).squareRoot(),
      upToOne: 0.75 + 0.25 * 0.39346934028736658),
    Case(
      testDescription: "cap",
      distribution: .cap(.exponential(mean: .seconds(2)), at: .seconds(1)),
      mean: 0.786938680574733, deviation: 0.319936863246011, upToOne: 1),
  ]

  /// Four standard errors: each of the two checks of a right sampler fails 1 time in 16,000.
  @Test(arguments: cases)
  func `Draws have the mean and the distribution that they should`(_ example: Case) {
    let sampler = Sampler(example.distribution)
    let stream = RandomStream(RandomRun(seed: 5, run: 0), cause: .uplink)
    let count = 200_000
    var sum = 0.0
    var upToOne = 0
    for number in 0..<count {
      let draw = sampler.sample(stream, at: DrawAddress(.call, number: number))
      sum += Double(draw) * 1e-9
      if draw <= 1_000_000_000 { upToOne += 1 }
    }
    let n = Double(count)
    #expect((sum / n - example.mean).magnitude < 4 * example.deviation / n.squareRoot())
    let share = example.upToOne
    #expect(
      (Double(upToOne) / n - share).magnitude < 4 * (share * (1 - share) / n).squareRoot() + 1e-4)
  }

  /// High-precision values of both parameters.
  @Test(arguments: [
    (0.5, 100, 0.99, 1000, -2.302585092994046, 0.9897853707470157),
    (0.05, 20_000, 0.95, 200_000, 4.147024820051014, 0.6999361691719629),
    (0.9, 166, 0.99, 281, -2.441411330368917, 0.5037985650378056),
  ])
  func `Two quantiles give the parameters of a log-normal`(
    p1: Double, ms1: Int, p2: Double, ms2: Int, mu: Double, sigma: Double
  ) {
    let law = LogNormal.quantiles(
      .init(probability: p1, value: .milliseconds(ms1)),
      .init(probability: p2, value: .milliseconds(ms2)))
    #expect(isClose(law.logarithm.mu, mu, relative: 1e-14))
    #expect(isClose(law.logarithm.sigma, sigma, relative: 1e-14))
  }

  /// High-precision values of both parameters.
  @Test(arguments: [
    (0.5, 100, 0.99, 1000, 0.822420223318306, 0.1561507403708254),
    (0.05, 20_000, 0.95, 200_000, 1.766442405009364, 107.4674823803962),
    (0.9, 166, 0.99, 281, 1.316851811179902, 0.0881142690911674),
  ])
  func `Two quantiles give the parameters of a Weibull distribution`(
    p1: Double, ms1: Int, p2: Double, ms2: Int, shape: Double, scale: Double
  ) {
    let law = Weibull.quantiles(
      .init(probability: p1, value: .milliseconds(ms1)),
      .init(probability: p2, value: .milliseconds(ms2)))
    #expect(isClose(law.parameters.shape, shape, relative: 2e-14))
    #expect(isClose(law.parameters.scale, scale, relative: 2e-14))
  }

  @Test func `A mean gives the location of a log-normal`() {
    let law = LogNormal.mean(.seconds(2), sigma: 0.5)
    #expect(isClose(law.logarithm.mu, 0.56814718055994531, relative: 1e-15))
  }

  @Test(arguments: [
    (Distribution.constant(.seconds(-1)), "is negative"),
    (.uniform(from: .seconds(2), to: .seconds(1)), "ends before it begins"),
    (.exponential(mean: .seconds(-1)), "has a negative mean"),
    (.logNormal(.mean(.zero, sigma: 1)), "needs a mean or median above zero"),
    (.logNormal(.mean(.seconds(1), sigma: .nan)), "needs a sigma from 0 to 20"),
    (.logNormal(.median(.seconds(1), sigma: -1)), "needs a sigma from 0 to 20"),
    (.sum([]), "is a sum of nothing"),
    (.logUniform(from: .zero, to: .seconds(1)), "needs a from above zero"),
    (.logUniform(from: .seconds(2), to: .seconds(1)), "ends before it begins"),
    (.normal(mean: .seconds(-1), deviation: .seconds(1)), "has a negative mean"),
    (.normal(mean: .seconds(1), deviation: .seconds(-1)), "has a negative sd"),
    (.weibull(.shape(0.04, scale: .seconds(1))), "needs a shape from 0.05 to 50"),
    (.weibull(.shape(.nan, scale: .seconds(1))), "needs a shape from 0.05 to 50"),
    (.weibull(.shape(1, scale: .zero)), "needs a scale above zero"),
    (
      .weibull(
        .quantiles(
          .init(probability: 0.5, value: .seconds(1)),
          .init(probability: 0.9, value: .seconds(1)))),
      "needs quantiles that give a shape from 0.05 to 50"
    ),
    (
      .logNormal(
        .quantiles(
          .init(probability: 0.5, value: .seconds(1)),
          .init(probability: 0.5 + 0x1p-53, value: .seconds(2)))),
      "needs quantiles that give a sigma from 0 to 20"
    ),
    (.mixture([]), "is a mixture of nothing"),
    (
      .mixture([.init(weight: 0, .constant(.zero))]),
      "needs weights above 0 and up to 1,000,000,000"
    ),
    (
      .mixture([.init(weight: .infinity, .constant(.zero))]),
      "needs weights above 0 and up to 1,000,000,000"
    ),
    (.mixture([.init(weight: 1, .constant(.seconds(-1)))]), "is negative"),
    (
      .cap(.constant(.zero), at: .seconds(-1)),
      "needs an at, its greatest value, of at least zero"
    ),
    (.cap(.sum([]), at: .zero), "is a sum of nothing"),
    (
      .empirical(
        Empirical(nanoseconds: [1], source: .init(file: "", column: "", scale: 1), every: .zero)),
      "needs an every, the time from row to row, above zero"
    ),
  ])
  func `Parameters that make no sense are named`(distribution: Distribution, problem: String) {
    #expect(distribution.problem == problem)
  }

  @Test func `A draw beyond all instants is cut to one that still fits`() {
    let sampler = Sampler(.logNormal(.median(.seconds(1_000_000_000), sigma: 20)))
    let stream = RandomStream(RandomRun(seed: 5, run: 0), cause: .uplink)
    for number in 0..<1000 {
      #expect(sampler.sample(stream, at: DrawAddress(.call, number: number)) >= 0)
    }
  }

  /// What the mixture takes must not depend on what it chose, so the sum differs by the chosen constant alone.
  @Test func `The choice of a mixture moves no draw of another part`() {
    let stream = RandomStream(RandomRun(seed: 5, run: 0), cause: .uplink)
    let exponential = Distribution.exponential(mean: .seconds(2))
    func sampler(_ other: Distribution) -> Sampler {
      Sampler(
        .sum([
          .mixture([.init(weight: 1, .constant(.zero)), .init(weight: 1, other)]), exponential,
        ]))
    }
    let (first, second) = (
      sampler(.constant(.seconds(10))), sampler(.sum([.constant(.seconds(10))]))
    )
    let withDraws = sampler(.sum([exponential, exponential]))
    var zeros = 0
    for number in 0..<1000 {
      let address = DrawAddress(.call, number: number)
      var draws = stream.draws(at: address)
      _ = (draws.next(), draws.next())
      let tail = -2e9 * ElementaryFunctions.log(1 - draws.unit())
      let value = first.sample(stream, at: address)
      #expect(value == second.sample(stream, at: address))
      let rest = Double(value % 10_000_000_000)
      #expect(value >= 10_000_000_000 || (rest - tail).magnitude < 1e-6 * tail + 1)
      // Where the first part of the mixture was chosen, the other one has no say.
      if value < 10_000_000_000, Double(value) < tail + 1e4 {
        zeros += 1
        #expect(withDraws.sample(stream, at: address) == value)
      }
    }
    #expect((400...600).contains(zeros))
  }

  @Test func `A sequence without a path gives independent draws of its values`() {
    let sequence = Empirical(
      nanoseconds: [5, 1, 3], source: .init(file: "", column: "", scale: 1), every: .seconds(1))
    let sampler = Sampler(.empirical(sequence))
    #expect(sampler.needsPath)
    #expect(Sampler(.cap(.sum([.empirical(sequence)]), at: .seconds(1))).needsPath)
    #expect(!Sampler(.empirical(Self.measured)).needsPath)
    let stream = RandomStream(RandomRun(seed: 5, run: 0), cause: .uplink)
    var counts: [Int64: Int] = [:]
    for number in 0..<30_000 {
      counts[sampler.sample(stream, at: DrawAddress(.call, number: number)), default: 0] += 1
    }
    // Four standard errors: each of the three fails 1 time in 16,000.
    #expect(counts.keys.sorted() == [1, 3, 5])
    #expect(counts.values.allSatisfy { ($0 - 10_000).magnitude < 4 * 82 })
  }
}
