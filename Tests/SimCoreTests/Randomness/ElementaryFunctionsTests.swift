import SimCore
import Testing

/// Reference values by 60-digit arithmetic; arguments are the doubles nearest to what is written.
struct ElementaryFunctionsTests {
  @Test(arguments: [
    (0x1p-1074, -744.44007192138126), (2.2250738585072014e-308, -708.39641853226411),
    (1e-10, -23.025850929940457), (0.1, -2.3025850929940456), (0.5, -0.69314718055994531),
    (1 - 0x1p-53, -1.1102230246251566e-16), (1 + 0x1p-52, 2.2204460492503128e-16),
    (1.5, 0.40546510810816438), (2.718281828459045, 0.99999999999999995),
    (10, 2.3025850929940457), (1e22, 50.656872045869005),
    (1.7976931348623157e308, 709.78271289338400),
  ])
  func `The logarithm is within one unit in the last place`(x: Double, expected: Double) {
    #expect((ElementaryFunctions.log(x) - expected).magnitude <= expected.ulp)
  }

  @Test(arguments: [
    (-745.13, 0x1p-1074), (-708, 3.3075530036384080e-308),
    (-20.25, 1.6052280551856116e-9), (-1, 0.36787944117144232), (-0.1, 0.90483741803595957),
    (-1e-10, 0.99999999990000000), (1e-10, 1.0000000001000000), (0.1, 1.1051709180756476),
    (0.5, 1.6487212707001281), (1, 2.7182818284590452), (10, 22026.465794806717),
    (709.78, 1.7928227943945156e308),
  ])
  func `The exponential is within one unit in the last place`(x: Double, expected: Double) {
    #expect((ElementaryFunctions.exp(x) - expected).magnitude <= expected.ulp)
  }

  @Test(arguments: [
    (1e-300, -37.047096299361199), (1e-20, -9.2623400897984076),
    (0x1p-53, -8.2095361516013869), (1e-9, -5.9978070150076869), (1e-5, -4.2648907939228246),
    (0.001, -3.0902323061678135), (0.02425, -1.9729610513118848),
    (0.025, -1.9599639845400542), (0.25, -0.67448975019608174), (0.5, 0),
    (0.975, 1.9599639845400539), (1 - 0x1p-53, 8.2095361516013869),
  ])
  func `The normal quantile is within 1e-15`(p: Double, expected: Double) {
    let error = (ElementaryFunctions.normalQuantile(p) - expected).magnitude
    #expect(error <= 1e-15 * max(1, expected.magnitude) + 2 * expected.ulp)
  }

  @Test(arguments: [-8.0, -3, -2.5, -1.5, -0.25, 0, 0.75, 2.4, 2.6, 5])
  func `The normal distribution inverts its quantile`(z: Double) {
    let p = ElementaryFunctions.normalDistribution(z)
    // Near 1 a probability knows its quantile only as far as its own last place allows.
    let slope = ElementaryFunctions.normalDensity(z)
    let back = ElementaryFunctions.normalQuantile(p)
    #expect((back - z).magnitude <= 1e-13 + 4 * p.ulp / slope)
  }

  /// Mills' ratio by 30-digit arithmetic.
  @Test(arguments: [
    (-1.0, 0.15865525393145705142), (-3, 0.0013498980316300945267),
    (-10, 7.6198530241605260660e-24), (-37, 5.7255712225245768e-300),
  ])
  func `The lower tail of the normal distribution keeps its relative precision`(
    z: Double, expected: Double
  ) {
    let value = ElementaryFunctions.normalDistribution(z)
    #expect((value / expected - 1).magnitude < 1e-13)
  }

  @Test func `Beyond their ranges the functions go to their limits`() {
    #expect(ElementaryFunctions.log(0) == -.infinity)
    #expect(ElementaryFunctions.log(-1).isNaN)
    #expect(ElementaryFunctions.exp(-800) == 0)
    #expect(ElementaryFunctions.exp(800) == .infinity)
    #expect(ElementaryFunctions.normalQuantile(0) == -.infinity)
    #expect(ElementaryFunctions.normalQuantile(1) == .infinity)
    #expect(ElementaryFunctions.normalQuantile(1.5).isNaN)
  }
}
