import SimCore
import Testing

@testable import simrun

struct DistributionTextTests {
  private static let seconds = Duration.seconds(2)

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
      "normal(mean=2s)",
      "has the unknown kind \"normal\"; use constant, uniform, exponential, "
        + "logNormal, empirical, or sum. Did you mean \"logNormal\"?"
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
}
