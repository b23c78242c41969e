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
  ]

  /// Four standard errors: each of the two checks of a right sampler fails 1 time in 16,000.
  @Test(arguments: cases)
  func `Draws have the mean and the distribution that they should`(_ example: Case) {
    let sampler = Sampler(example.distribution)
    let stream = RandomStream(RandomRun(seed: 5, run: 0), cause: .uplink)
    let count = 100_000
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
}
