import SimCore
import Testing

@testable import simrun

struct DistributionTextTests {
  private static let seconds = Duration.seconds(2)
  private static let exponential = Distribution.exponential(mean: seconds)

  @Test(arguments: [
    ("2s", Distribution.constant(seconds)), ("constant(2s)", .constant(seconds)),
    ("uniform(from=1s, to=2s)", .uniform(from: .seconds(1), to: seconds)),
    ("exponential(mean=2s)", .exponential(mean: seconds)),
    ("logNormal(mean=2s, sigma=0.5)", .logNormal(.mean(seconds, sigma: 0.5))),
    ("logNormal(median=2s,sigma=0.5)", .logNormal(.median(seconds, sigma: 0.5))),
    (
      "logNormal(p99=2s, p50=100ms)",
      .logNormal(
        .quantiles(
          .init(probability: 0.5, value: .milliseconds(100)),
          .init(probability: 0.99, value: seconds)))
    ),
    (
      "logUniform(from=10s, to=10min)", .logUniform(from: .seconds(10), to: .seconds(600))
    ),
    ("normal(mean=2s, sd=500ms)", .normal(mean: seconds, deviation: .milliseconds(500))),
    ("weibull(shape=0.64, scale=569s)", .weibull(.shape(0.64, scale: .seconds(569)))),
    (
      "weibull(p50=100ms, p99.9=2s)",
      .weibull(
        .quantiles(
          .init(probability: 0.5, value: .milliseconds(100)),
          .init(probability: 99.9 / 100, value: seconds)))
    ),
    (
      "cap(logNormal(median=19.2ms, sigma=2.35), at=700ms)",
      .cap(
        .logNormal(.median(.microseconds(19_200), sigma: 2.35)), at: .milliseconds(700))
    ),
    (
      "mixture(0.9: 2s, 0.1: exponential(mean=2s))",
      .mixture([.init(weight: 0.9, .constant(seconds)), .init(weight: 0.1, exponential)])
    ),
    (
      "5ms + mixture(99%:0s, 1%: cap(exponential(mean=2s) + 1ms, at = 3s))+ exponential(mean=2s)",
      .sum([
        .constant(.milliseconds(5)),
        .mixture([
          .init(weight: 0.99, .constant(.zero)),
          .init(
            weight: 0.01,
            .cap(.sum([exponential, .constant(.milliseconds(1))]), at: .seconds(3))),
        ]), exponential,
      ])
    ),
    (
      "10ms + exponential(mean=2s) + 1e+3ms",
      .sum([.constant(.milliseconds(10)), .exponential(mean: seconds), .constant(.seconds(1))])
    ),
  ])
  func `The short form, the object, and the text agree`(text: String, expected: Distribution) throws
  {
    let read = try DistributionText.decode(.string(text))
    #expect(read == expected)
    #expect(try DistributionText.decode(DistributionText.encode(read)) == expected)
  }

  @Test(arguments: [
    (
      "logNormel(mean=2s)",
      "has the unknown kind \"logNormel\"; use constant, uniform, logUniform, exponential, normal, "
        + "logNormal, weibull, empirical, sum, mixture, or cap. Did you mean \"logNormal\"?"
    ),
    ("normal(mean=2s)", "needs sd, a duration"),
    ("normal(mean=-2s, sd=1s)", "has the mean \"-2s\", which is negative"),
    ("logUniform(from=0s, to=1s)", "needs a from above zero"),
    ("weibull(shape=1)", "needs scale, a duration"),
    ("weibull(scale=1s)", "needs shape and scale, or two quantiles like p50 and p99"),
    ("weibull(shape=0, scale=1s)", "needs a shape from 0.05 to 50"),
    ("weibull(shape=1, scale=0s)", "needs a scale above zero"),
    ("weibull(p50=1s, p99=1s)", "needs quantiles that give a shape from 0.05 to 50"),
    ("logNormal(p50=1s, p50.0001=2s)", "needs quantiles that give a sigma from 0 to 20"),
    ("cap(2s)", "needs at, a duration"), ("cap(at=2s)", "needs of, a distribution"),
    ("cap(2s, 3s, at=1s)", "cuts one distribution; join several by + or choose with mixture"),
    (
      "cap(uniform(from=2s, to=1s), at=1s)",
      "has the part \"uniform(from=2s, to=1s)\", which ends before it begins"
    ),
    ("mixture()", "is a mixture of nothing"),
    ("mixture(2s)", "has the part \"2s\" without a weight, such as 0.1: 2s"),
    ("mixture(0: 2s)", "needs weights above 0 and up to 1,000,000,000"),
    ("mixture(x: 2s)", "has the weight \"x\", which is not a number"),
    ("mixture(1: 2)", "has the part \"2\", which has no unit; add ns, us, ms, s, min, h, or d"),
    ("mixture(1: cap(2s, at=1s)", "has a bracket that is not closed"),
    (
      "empirical(file=a.csv, column=a_ms, every=fast)",
      "has the every \"fast\", which is not a duration such as 250ms, 5min, or 1h"
    ),
    (
      "exponential(mean=2)",
      "has the mean \"2\", which has no unit; add ns, us, ms, s, min, h, or d"
    ),
    ("exponential()", "needs mean, a duration"),
    (
      "exponential(mean=2s, sigma=1)",
      "has the unknown parameter \"sigma\"; beside mean it takes none."
    ),
    ("exponential(2s)", "has the parameter \"2s\" without a name, such as mean=2s"),
    (
      "logNormal(sigma=1)",
      "needs mean and sigma, median and sigma, or two quantiles like p50 and p99"
    ),
    ("logNormal(mean=0s, sigma=1)", "needs a mean or median above zero"),
    ("logNormal(mean=1s, sigma=nan)", "has the sigma \"nan\", which is not a number"),
    ("logNormal(p50=2s, p99=1s)", "needs quantiles above zero that do not fall"),
    ("uniform(from=2s, to=1s)", "ends before it begins"),
    ("uniform(from=2s, to=1s", "has a bracket that is not closed"),
    ("2s)", "has a bracket that was never opened"), ("-2s", "is negative"),
    ("2s + ", "is not a duration such as 250ms, 5min, or 1h"),
  ])
  func `What is wrong is said in a clause`(text: String, clause: String) {
    #expect(throws: FieldProblem(clause)) { try DistributionText.decode(.string(text)) }
  }

  @Test func `A mixture and a cap are objects of their parts`() throws {
    let text = "cap(mixture(0.9: 2s, 0.1: 3s), at=700ms)"
    let object = DistributionText.encode(try DistributionText.decode(.string(text)))
    #expect(object["kind"] == "cap")
    #expect(object["at"] == "700ms")
    #expect(object["of"]?["kind"] == "mixture")
    #expect(
      object["of"]?["parts"]
        == .array([
          .object(["weight": .number(0.9), "of": "2s"]),
          .object(["weight": .number(0.1), "of": "3s"]),
        ]))
  }

  @Test func `Sixteen levels are read, and a thousand are refused`() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "cap(", count: levels - 1) + "1s"
        + String(repeating: ", at=2s)", count: levels - 1)
    }
    _ = try DistributionText.decode(.string(nested(16)))
    for levels in [17, 1000] {
      let problem = #expect(throws: FieldProblem.self) {
        try DistributionText.decode(.string(nested(levels)))
      }
      #expect(
        problem?.clause.hasSuffix("lies more than 16 levels deep within others") == true)
    }
    var object = JSONValue.string("1s")
    for _ in 0..<1000 { object = .object(["kind": "sum", "parts": .array([object])]) }
    #expect(throws: FieldProblem("lies more than 16 levels deep within others")) {
      try DistributionText.decode(object)
    }
  }

  @Test func `A changed member replaces what it contradicts`() throws {
    let current = DistributionText.encode(.logNormal(.mean(.seconds(2), sigma: 0.5)))
    func merged(_ changes: [JSONValue.Member]) throws -> Distribution {
      try DistributionText.decode(try DistributionText.merging(changes, into: current))
    }
    #expect(try merged([.init("mean", "80ms")]) == .logNormal(.mean(.milliseconds(80), sigma: 0.5)))
    #expect(
      try merged([.init("median", "1s")]) == .logNormal(.median(.seconds(1), sigma: 0.5)))
    #expect(
      try merged([.init("p50", "1s"), .init("p95", "3s")])
        == .logNormal(
          .quantiles(
            .init(probability: 0.5, value: .seconds(1)),
            .init(probability: 0.95, value: .seconds(3)))))
  }

  @Test func `A changed member of a Weibull distribution replaces what it contradicts`() throws {
    let current = DistributionText.encode(.weibull(.shape(0.64, scale: .seconds(569))))
    let quantiles = try DistributionText.merging(
      [.init("p50", "1s"), .init("p95", "3s")], into: current)
    #expect(
      try DistributionText.decode(quantiles)
        == .weibull(
          .quantiles(
            .init(probability: 0.5, value: .seconds(1)),
            .init(probability: 0.95, value: .seconds(3)))))
    let shape = try DistributionText.merging(
      [.init("shape", "2"), .init("scale", "3s")], into: quantiles)
    #expect(try DistributionText.decode(shape) == .weibull(.shape(2, scale: .seconds(3))))
  }
}
