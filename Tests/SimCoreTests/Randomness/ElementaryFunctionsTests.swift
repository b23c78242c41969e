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

  /// By 30-digit arithmetic (mpmath), at the decimals written.
  @Test(arguments: [
    (0.02, 49.442210163195662), (0.1, 9.5135076986687313), (0.5, 1.772453850905516), (1, 1),
    (1.5625, 0.88984438186506951), (2.5625, 1.3903818466641711), (5, 24), (10, 362_880),
    (15.5, 334_838_609_873.55646), (21, 2.43290200817664e+18), (50, 6.0828186403426756e+62),
    (100, 9.3326215443944153e+155),
  ])
  func `The gamma function is within 1e-13`(x: Double, expected: Double) {
    #expect((ElementaryFunctions.gamma(x) / expected - 1).magnitude < 1e-13)
  }

  /// By 30-digit arithmetic (mpmath), at the decimals written, on both sides of where the method changes.
  @Test(arguments: [
    (0.02, 0.001, 0.11922776745355221), (0.02, 1, 0.0044770476089147074),
    (0.02, 30, 6.5455611610676307e-17), (0.5, 0.1, 0.65472084601857702),
    (0.5, 2, 0.045500263896358414), (1.5625, 1, 0.59547878896898124),
    (1.5625, 3, 0.12122546728635033), (1.5625, 600, 1.0892148105826775e-259),
    (5, 4, 0.62883693517987352), (5, 7, 0.17299160788207135), (20, 1, 1),
    (20, 20.5, 0.42647529857943558), (20, 22, 0.30602702056217473),
    (20, 100, 3.764893576001475e-23),
  ])
  func `The upper incomplete gamma function is within 2e-12`(
    shape: Double, x: Double, expected: Double
  ) {
    let value = ElementaryFunctions.upperGammaShare(shape, x)
    #expect((value / expected - 1).magnitude < 2e-12)
    #expect(ElementaryFunctions.upperGammaShare(shape, 0) == 1)
    #expect(ElementaryFunctions.upperGammaShare(shape, .infinity) == 0)
  }
}
