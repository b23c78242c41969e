import SimCore
import Testing

struct RandomStreamTests {
  private func stream(
    seed: UInt64 = 1, run: UInt64 = 0, cause: RandomCause = .uplink
  ) -> RandomStream {
    RandomStream(RandomRun(seed: seed, run: run), cause: cause)
  }

  /// Worked out in Python with integers modulo 2⁶⁴ from the definition of SplitMix64's finaliser.
  @Test func `The first numbers are those of the definition`() {
    var draws = stream().draws(at: DrawAddress(.call, number: 3, part: 1))
    let first = [draws.next(), draws.next(), draws.next()]
    #expect(first == [0x1881_36a0_c620_5760, 0xd680_4849_204b_bb7f, 0x1034_f8b7_d40b_2d])
  }

  @Test func `A draw depends on seed, run, cause, and address alone`() {
    func first(_ stream: RandomStream, number: Int) -> UInt64 {
      var draws = stream.draws(at: DrawAddress(.call, number: number))
      return draws.next()
    }
    var all: Set<UInt64> = []
    for seed in 0..<4 as Range<UInt64> {
      for run in 0..<4 as Range<UInt64> {
        for cause in RandomCause.allCases {
          for number in 0..<8 {
            let value = first(stream(seed: seed, run: run, cause: cause), number: number)
            #expect(value == first(stream(seed: seed, run: run, cause: cause), number: number))
            all.insert(value)
          }
        }
      }
    }
    #expect(all.count == 4 * 4 * RandomCause.allCases.count * 8)
  }

  @Test func `Another draw at one address moves none at another`() {
    let stream = stream()
    var before = stream.draws(at: DrawAddress(.refresh, number: 2))
    var other = stream.draws(at: DrawAddress(.refresh, number: 1))
    for _ in 0..<10 { _ = other.next() }
    var after = stream.draws(at: DrawAddress(.refresh, number: 2))
    let (first, second) = (before.next(), after.next())
    #expect(first == second)
  }

  /// Pearson's test with 99 degrees of freedom: a right generator fails one time in a thousand, 148.2.
  @Test(arguments: RandomCause.allCases)
  func `First draws of neighbouring addresses are uniform`(cause: RandomCause) {
    let stream = stream(seed: 42, run: 7, cause: cause)
    var counts = [Int](repeating: 0, count: 100)
    let count = 100_000
    for number in 0..<count {
      var draws = stream.draws(at: DrawAddress(.call, number: number))
      counts[Int(draws.unit() * 100)] += 1
    }
    let expected = Double(count) / 100
    let statistic = counts.reduce(0.0) {
      $0 + (Double($1) - expected) * (Double($1) - expected) / expected
    }
    #expect(statistic < 148.2)
  }

  @Test func `First draws of neighbouring runs are not correlated`() {
    // With 20,000 pairs the correlation has a standard error of 0.0071; four of them are 1 in 16,000.
    var values: [Double] = []
    for run in 0..<20_000 as Range<UInt64> {
      var draws = stream(run: run).draws(at: DrawAddress(.opening, number: 0))
      values.append(draws.unit() - 0.5)
    }
    let products = zip(values, values.dropFirst()).map { $0 * $1 * 12 }
    let correlation = products.reduce(0, +) / Double(products.count)
    #expect(correlation.magnitude < 4 * 0.0071)
  }
}
