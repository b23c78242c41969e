/// Sums over runs of what each refresh token has some of, for its mean per token and the error of that.
///
/// Everything is a sum of integers; squares are of coarser units, so that they stay in range.
struct TokenMean: Codable, Sendable {
  /// How many units make one of those that squares are counted in.
  private let grain: Int64
  private(set) var sum: Int128 = 0
  private(set) var tokens = 0
  private var squared: Int128 = 0
  private var timesTokens: Int128 = 0
  private var tokensSquared = 0

  init(grain: Int64) {
    self.grain = grain
  }

  /// Adds what the tokens of a run have together.
  mutating func add(_ value: Int64, of tokens: Int) {
    guard tokens > 0 else { return }
    let coarse = Int128(value / grain)
    sum += Int128(value)
    self.tokens += tokens
    squared += coarse * coarse
    timesTokens += coarse * Int128(tokens)
    tokensSquared += tokens * tokens
  }

  mutating func merge(_ other: TokenMean) {
    sum += other.sum
    tokens += other.tokens
    squared += other.squared
    timesTokens += other.timesTokens
    tokensSquared += other.tokensSquared
  }

  /// The mean per token, in a unit of so many of those that were added; nil without tokens.
  ///
  /// - Parameters:
  ///   - unit: how many units make one of the mean's.
  ///   - runs: how many runs there were.
  ///   - confidence: that of the interval.
  /// - Returns: the mean, with the interval that follows from its linearisation over runs.
  func mean(per unit: Double, runs: Int, _ confidence: Confidence) -> RateEstimate? {
    guard tokens > 0 else { return nil }
    let mean = Double(sum) / Double(tokens)
    let coarse = mean / Double(grain)
    let squares =
      Double(squared) - 2 * coarse * Double(timesTokens) + coarse * coarse * Double(tokensSquared)
    let smallSample = runs > 1 ? Double(runs) / Double(runs - 1) : 1
    let error = (max(0, squares) * smallSample).squareRoot() / Double(tokens) * Double(grain)
    let half = confidence.z * error
    return RateEstimate(
      estimate: mean / unit, low: max(0, mean - half) / unit, high: (mean + half) / unit,
      standardError: error / unit)
  }
}
