/// A law whose values are looked up, for integrals inside integrals.
///
/// Errors of the looked-up values are below 1e-8 of the mean for laws without jumps; integrals over a jump keep
/// their value.
struct TabulatedLaw {
  let least: Double
  let greatest: Double
  let mean: Double
  private let table: StopLossTable

  init(_ law: DelayLaw) {
    least = law.least
    greatest = law.greatest
    mean = law.mean
    table = StopLossTable(
      from: law.least, to: law.greatest, scale: max(1e-12, 0.125 * (law.mean - law.least))
    ) {
      (law.stopLoss($0), law.survival($0))
    }
  }

  /// The mean of how much a draw exceeds `k`.
  func stopLoss(_ k: Double) -> Double { k > least ? table.stopLoss(k) : mean - k }

  /// The mean of how much `k` exceeds a draw.
  func shortfall(_ k: Double) -> Double { k > least ? k - mean + table.stopLoss(k) : 0 }

  /// The probability that a draw exceeds `k`.
  func survival(_ k: Double) -> Double { k >= least ? table.survival(k) : 1 }
}
