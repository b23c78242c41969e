import Testing

@testable import SimCore

struct QuantileTableTests {
  private static let laws: [@Sendable (Double) -> Double] = [
    { -ElementaryFunctions.log(1 - $0) },
    { ElementaryFunctions.exp(0.5 * ElementaryFunctions.normalQuantile($0)) },
    { ElementaryFunctions.exp(2 * ElementaryFunctions.normalQuantile($0)) },
    { ElementaryFunctions.exp(20 * ElementaryFunctions.normalQuantile($0)) },
  ]

  @Test(arguments: 0..<4)
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
}
