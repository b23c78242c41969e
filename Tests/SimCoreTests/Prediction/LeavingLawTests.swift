import Foundation
import SimTestSupport
import Testing

@testable import SimCore

/// Probabilities and restricted draws of the time of leaving, against closed forms.
struct LeavingLawTests {
  private static let second: Int64 = 1_000_000_000
  private static let oneRange = LengthSet([0..<10 * second])
  private static let twoRanges = LengthSet([5 * second..<10 * second, 20 * second..<30 * second])

  private let exponential = LeavingLaw(.exponential(mean: .seconds(10)))

  @Test func `The probability of a set is that of its ranges together`() {
    #expect(
      isClose(exponential.probability(of: Self.oneRange), 1 - exp(-1), relative: 1e-9))
    let expected = exp(-0.5) - exp(-1) + exp(-2) - exp(-3)
    #expect(isClose(exponential.probability(of: Self.twoRanges), expected, relative: 1e-9))
    let all = exponential.probability(of: Self.twoRanges.complement)
    #expect(isClose(all, 1 - expected, relative: 1e-9))
  }

  /// The share u of the mass lies below -10 s · ln(1 - u(1 - 1/e)).
  @Test(arguments: [1e-6, 0.25, 0.5, 0.999])
  func `A draw from one range is the quantile of the law cut to it`(unit: Double) {
    let length = exponential.length(in: Self.oneRange, at: unit)
    let expected = -10e9 * log(1 - unit * (1 - exp(-1)))
    #expect((Double(length) - expected).magnitude <= 1 + 1e-7 * expected)
  }

  /// The first range has e^-0.5 - e^-1 = 0.2387 of 0.3242 in all, or 0.7361 of the draws.
  @Test(arguments: [(0.7, 5.0..<10.0), (0.77, 20.0..<30.0), (0.9999999, 20.0..<30.0)])
  func `A draw from two ranges lies in one of them, by their shares`(
    unit: Double, range: Range<Double>
  ) {
    let seconds = Double(exponential.length(in: Self.twoRanges, at: unit)) * 1e-9
    #expect(range.contains(seconds))
  }

  @Test func `What is always the same lies in a set or does not`() {
    let law = LeavingLaw(.constant(.seconds(3)))
    #expect(law.probability(of: LengthSet([0..<3 * Self.second])) == 0)
    let single = LengthSet([3 * Self.second..<3 * Self.second + 1])
    #expect(law.probability(of: single) == 1)
    #expect(law.length(in: single, at: 0.5) == 3 * Self.second)
    #expect(law.length(in: LengthSet([]).complement, at: 0.5) == 3 * Self.second)
    #expect(law.length(in: LengthSet([]).complement, at: 1 - 0x1p-53) == 3 * Self.second)
  }

  /// Of exponential times of 10 s, e^-0.5 are cut to 5 s.
  @Test func `A value that many draws have keeps its probability`() {
    let law = LeavingLaw(.cap(.exponential(mean: .seconds(10)), at: .seconds(5)))
    let single = LengthSet([5 * Self.second..<5 * Self.second + 1])
    #expect(isClose(law.probability(of: single), exp(-0.5), relative: 1e-9))
    #expect(law.length(in: LengthSet([]).complement, at: 0.5) == 5 * Self.second)
  }

  /// Two exponential times of 1 s are together longer than t with probability (1 + t) e^-t.
  @Test func `A sum is known by its table`() {
    let law = LeavingLaw(
      .sum([.exponential(mean: .seconds(1)), .exponential(mean: .seconds(1))]))
    let below = law.probability(of: LengthSet([0..<2 * Self.second]))
    #expect(isClose(below, 1 - 3 * exp(-2), relative: 1e-5))
    let seconds = Double(law.length(in: LengthSet([]).complement, at: below)) * 1e-9
    #expect(isClose(seconds, 2, relative: 1e-5))
  }

  @Test func `Ranges that meet are one, and the rest is what lies between`() {
    let set = LengthSet([20..<30, -5..<3, 25..<40, 3..<4, 50..<50])
    #expect(set.ranges == [0..<4, 20..<40])
    #expect(set.complement.ranges == [4..<20, 40..<LengthSet.end])
    #expect(set.complement.complement == set)
    #expect(LengthSet([]).complement.ranges == [0..<LengthSet.end])
    #expect(LengthSet([0..<LengthSet.end]).complement.ranges == [])
  }
}
