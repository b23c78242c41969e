import SimCore
import SimTestSupport
import Testing

struct SharedPathTests {
  private static let spacing: Int64 = 400_000_000
  private static let address = DrawAddress(.call, number: 0)

  private func uplink(_ run: Int) -> RandomStream {
    RandomStream(RandomRun(seed: 11, run: UInt64(run)), cause: .uplink)
  }

  private func path(_ run: Int, share: Double = 1) -> MessagePath {
    MessagePath(SharedPath(uplink(run), spacing: Self.spacing), share: share, start: 0)
  }

  private func instant(_ spacings: Double) -> Instant {
    Instant(nanoseconds: Int64(spacings * Double(Self.spacing)))
  }

  private struct Moments {
    var count = 0.0
    var sum = 0.0
    var squares = 0.0
    var products = 0.0

    mutating func add(_ first: Double, _ second: Double) {
      count += 1
      sum += first
      squares += first * first
      products += first * second
    }
  }

  /// Weights 1 - f and f on two independent normals, scaled to unit variance.
  @Test(arguments: [
    (0.25, 0.25, 1.0), (0.0, 0.5, 0.70710678118654752), (0.25, 0.75, 0.6),
    (0.5, 1.0, 0.70710678118654752), (0.75, 1.25, 0.9), (0.5, 1.5, 0.5), (0.0, 1.0, 0.0),
    (0.5, 2.5, 0.0), (-0.75, -0.25, 0.6), (-0.5, 0.5, 0.5),
  ])
  func `The path is standard normal, and its correlation is in closed form`(
    first: Double, second: Double, correlation: Double
  ) {
    var moments = Moments()
    for run in 0..<20_000 {
      let path = SharedPath(uplink(run), spacing: Self.spacing)
      moments.add(path.normal(at: instant(first)), path.normal(at: instant(second)))
    }
    // Four standard errors of a mean, a variance, and a product: each fails 1 time in 16,000.
    let n = moments.count
    #expect((moments.sum / n).magnitude < 4 / n.squareRoot())
    #expect((moments.squares / n - 1).magnitude < 4 * (2 / n).squareRoot())
    #expect(
      (moments.products / n - correlation).magnitude
        < 4 * ((1 + correlation * correlation) / n).squareRoot())
  }

  /// The logarithms of log-normal delays of sigma 1 are the normal numbers themselves.
  @Test(arguments: [(0.0, 0.6, 0.6), (0.5, 0.6, 0.36), (0.5, 1, 0.6), (1.75, 0.6, 0)])
  func `Delays of two messages share what the path gives them`(
    apart: Double, share: Double, correlation: Double
  ) {
    // Offsets 0.25 and 0.75 of the grid have a correlation of 0.6 along the path.
    let sampler = Sampler(.logNormal(.median(.seconds(1), sigma: 1)))
    var moments = Moments()
    for run in 0..<20_000 {
      let numbers = [(0, 0.25), (1, 0.25 + apart)].map { number, spacings in
        ElementaryFunctions.log(
          Double(
            sampler.sample(
              uplink(run), at: DrawAddress(.call, number: number), moment: instant(spacings),
              along: path(run, share: share))) * 1e-9)
      }
      moments.add(numbers[0], numbers[1])
    }
    let n = moments.count
    #expect((moments.sum / n).magnitude < 4 / n.squareRoot())
    #expect((moments.squares / n - 1).magnitude < 4 * (2 / n).squareRoot())
    #expect(
      (moments.products / n - correlation).magnitude
        < 4 * ((1 + correlation * correlation) / n).squareRoot())
  }

  @Test func `Without a share the draws are those without a path`() {
    let distributions: [Distribution] = [
      .constant(.seconds(1)), .uniform(from: .zero, to: .seconds(1)),
      .exponential(mean: .seconds(1)),
      .sum([.exponential(mean: .seconds(1)), .normal(mean: .seconds(1), deviation: .seconds(1))]),
      .mixture([
        .init(weight: 1, .constant(.zero)), .init(weight: 1, .exponential(mean: .seconds(1))),
      ]),
    ]
    for distribution in distributions {
      let sampler = Sampler(distribution)
      for number in 0..<100 {
        let address = DrawAddress(.call, number: number)
        let plain = sampler.sample(uplink(0), at: address)
        for path in [MessagePath(start: 7), path(0, share: 0)] {
          #expect(
            sampler.sample(uplink(0), at: address, moment: instant(0.3), along: path) == plain)
        }
      }
    }
  }

  /// With a share of 1 the body is the path's quantile; the other parts are the draws behind it.
  @Test func `In a sum the path drives the first random part that is no mixture`() {
    let second = Distribution.uniform(from: .zero, to: .seconds(1))
    let spike = Distribution.mixture([
      .init(weight: 1, .constant(.zero)), .init(weight: 1, .uniform(from: .zero, to: .seconds(1))),
    ])
    for run in 0..<200 {
      let normal = SharedPath(uplink(run), spacing: Self.spacing).normal(at: instant(0.4))
      let body = ElementaryFunctions.normalDistribution(normal) * 1e9
      func draw(_ parts: [Distribution]) -> Double {
        Double(
          Sampler(.sum(parts)).sample(
            uplink(run), at: Self.address, moment: instant(0.4), along: path(run)))
      }
      var draws = uplink(run).draws(at: Self.address)
      let (first, other) = (draws.unit(), draws.unit())
      #expect(
        (draw([.constant(.seconds(1)), second, second]) - 1e9 - body - other * 1e9)
          .magnitude < 3)
      // A mixture takes two draws whatever it chooses, and is never the body.
      let plain = Double(Sampler(spike).sample(uplink(run), at: Self.address))
      #expect((draw([spike, .cap(second, at: .seconds(9))]) - plain - body).magnitude < 3)
      #expect((draw([spike]) - plain).magnitude < 3)
      #expect((first < 0.5) == (plain == 0))
    }
  }

  @Test func `A mixture alone chooses freely, and the path drives what it chose`() {
    let mixture = Distribution.mixture([
      .init(weight: 1, .constant(.seconds(2))),
      .init(weight: 1, .uniform(from: .zero, to: .seconds(1))),
    ])
    for run in 0..<200 {
      let normal = SharedPath(uplink(run), spacing: Self.spacing).normal(at: instant(0.4))
      var draws = uplink(run).draws(at: Self.address)
      let choosesFirst = draws.unit() < 0.5
      let value = Double(
        Sampler(.cap(mixture, at: .seconds(3))).sample(
          uplink(run), at: Self.address, moment: instant(0.4), along: path(run)))
      let expected =
        choosesFirst ? 2e9 : ElementaryFunctions.normalDistribution(normal) * 1e9
      #expect((value - expected).magnitude < 3)
    }
  }

  // MARK: Sequences

  private static let rows = Empirical(
    nanoseconds: [10, 20, 30, 40, 50],
    source: Empirical.Source(file: "five.csv", column: "a_ns", scale: 1),
    every: .milliseconds(55))

  /// By hand: 70 % of the way through five rows is the fourth.
  @Test(arguments: [
    (0, 40), (1, 40), (54_999_999, 40), (55_000_000, 50), (109_999_999, 50), (110_000_000, 10),
    (165_000_000, 20), (220_000_000, 30), (275_000_000, 40), (55_000_000_000, 40), (-1, 30),
    (-55_000_000, 30), (-55_000_001, 20),
  ])
  func `A sequence follows its rows from its start`(nanoseconds: Int64, expected: Int64) {
    let path = MessagePath(start: UInt64(0.7 * 0x1p64))
    for number in 0..<3 {
      let value = Sampler(.empirical(Self.rows)).sample(
        uplink(0), at: DrawAddress(.call, number: number),
        moment: Instant(nanoseconds: nanoseconds), along: path)
      #expect(value == expected)
    }
  }

  @Test func `Both directions of a run start at one row, and runs start at any`() {
    var counts: [Int64: Int] = [:]
    for run in 0..<10_000 as Range<UInt64> {
      let streams = RandomRun(seed: 3, run: run)
      let start = MessagePath.sequenceStart(RandomStream(streams, cause: .connectivity))
      let values = [RandomCause.uplink, .downlink].map { cause in
        Sampler(.empirical(Self.rows)).sample(
          RandomStream(streams, cause: cause), at: Self.address, moment: .zero,
          along: MessagePath(start: start))
      }
      #expect(values[0] == values[1])
      counts[values[0], default: 0] += 1
    }
    // Four standard errors: each of the five fails 1 time in 16,000.
    #expect(counts.count == 5)
    #expect(counts.values.allSatisfy { ($0 - 2000).magnitude < 4 * 40 })
  }

  @Test func `A sequence in a sum takes one draw, whether it is followed or not`() {
    let exponential = Distribution.exponential(mean: .seconds(1))
    let sampler = Sampler(.sum([.empirical(Self.rows), exponential]))
    var draws = uplink(0).draws(at: Self.address)
    _ = draws.next()
    let tail = -1e9 * ElementaryFunctions.log(1 - draws.unit())
    let followed = sampler.sample(
      uplink(0), at: Self.address, moment: .zero, along: MessagePath(start: 0))
    #expect((Double(followed) - 10 - tail).magnitude < 1e-6 * tail + 1)
    let plain = sampler.sample(uplink(0), at: Self.address)
    #expect((Double(plain) - 30 - tail).magnitude < 1e-6 * tail + 21)
  }
}
