import Testing

@testable import SimCore

struct QuantileTableTests {
  private static let laws: [@Sendable (Double) -> Double] = [
    { -ElementaryFunctions.log(1 - $0) },
    { ElementaryFunctions.exp(0.5 * ElementaryFunctions.normalQuantile($0)) },
    { ElementaryFunctions.exp(2 * ElementaryFunctions.normalQuantile($0)) },
    { ElementaryFunctions.exp(20 * ElementaryFunctions.normalQuantile($0)) },
    { ElementaryFunctions.exp(4 * $0) },
    { ElementaryFunctions.exp(Weibull.height($0) / 0.64) },
    { ElementaryFunctions.exp(Weibull.height($0) / 50) },
    { max(0, 1 + ElementaryFunctions.normalQuantile($0)) },
    { max(0, 8.5 + ElementaryFunctions.normalQuantile($0)) },
    { max(0, ElementaryFunctions.normalQuantile($0) - 1) },
  ]

  @Test(arguments: 0..<10)
  func `The table stays within a millionth of the quantile function`(law: Int) {
    let quantile = Self.laws[law]
    let table = QuantileTable(quantile)
    for step in 0..<20_000 {
      let bits = UInt64(step) &* 0x0003_46dc_5d63_8865
      let probability = (Double(bits >> 12) + 0.5) * 0x1p-52
      let exact = quantile(probability)
      #expect((table.value(at: bits) - exact).magnitude <= 1e-6 * exact + 1e-15)
    }
  }

  @Test func `The tails are the quantile function itself`() {
    let table = QuantileTable(Self.laws[1])
    #expect(table.value(at: 0) == Self.laws[1](0x1p-53))
    #expect(table.value(at: .max) == Self.laws[1](1 - 0x1p-53))
  }

  /// A kink anywhere in a cell, also very close to its ends.
  @Test(arguments: [0.0, 1e-12, 1e-9, 1e-6, 0.01, 0.3, 1.0 / 3, 0.5, 0.99, 1 - 1e-6, 1 - 1e-9])
  func `A quantile function that is zero up to a kink stays at least zero`(place: Double) {
    let kink = (200 + place) / 512
    let quantile: @Sendable (Double) -> Double = { max(0, ElementaryFunctions.exp($0 - kink) - 1) }
    let table = QuantileTable(quantile)
    for step in 0..<4000 {
      let probability = (199.5 + Double(step) / 2000) / 512
      let value = table.value(at: UInt64(probability * 0x1p64))
      #expect(value >= 0)
      #expect((value - quantile(probability)).magnitude <= 1e-6 * value + 1e-9)
    }
  }
}
