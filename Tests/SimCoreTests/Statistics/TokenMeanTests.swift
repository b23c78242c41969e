import SimTestSupport
import Testing

@testable import SimCore

struct TokenMeanTests {
  /// Three runs with 2 s of one token, 4 s of one, and 12 s of two have 18 s of four, 4.5 s each.
  ///
  /// The residuals of the runs
  /// are -2.5, -0.5, and 3 s, whose squares sum to 15.5; times 3/2, the root, over four tokens: 1.20545 s.
  @Test func `The mean per token has the error of a ratio of sums over runs`() throws {
    var sums = TokenMean(grain: 10_000_000)
    sums.add(2_000_000_000, of: 1)
    sums.add(4_000_000_000, of: 1)
    sums.add(12_000_000_000, of: 2)
    let mean = try #require(sums.mean(per: 1e9, runs: 3, .usual))
    #expect(isClose(mean.estimate, 4.5, relative: 1e-12))
    #expect(isClose(mean.standardError, 1.2054559, relative: 1e-6))
    #expect(isClose(mean.high, 4.5 + 1.959964 * 1.2054559, relative: 1e-6))
  }

  @Test func `Parts add up to the whole, and no tokens have no mean`() throws {
    var whole = TokenMean(grain: 1)
    var parts = [TokenMean(grain: 1), TokenMean(grain: 1)]
    for run in 0..<10 {
      whole.add(Int64(run * run), of: run)
      parts[run % 2].add(Int64(run * run), of: run)
    }
    var merged = parts[0]
    merged.merge(parts[1])
    #expect(merged.mean(per: 1, runs: 10, .usual) == whole.mean(per: 1, runs: 10, .usual))
    #expect(TokenMean(grain: 1).mean(per: 1, runs: 10, .usual) == nil)
  }
}
