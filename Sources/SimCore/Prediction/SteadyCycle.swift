/// The integrals of a steady prediction, over the cycle from reading one pair to reading the next.
///
/// Given the exchange that returned the pair, B is the server's life of the token as the client reads it, e what
/// the client believes beyond that, δ = e - m with the margin m, and A = (B + δ)⁺ the time in which calls are sent
/// with the token. d is the delay of a call up to the server, b the way back of a 401, C(k) = E(d - k)⁺, and
/// λ the rate of calls. 401s read by the time x after the server's end of the token are Poisson with mean λ g(x),
/// g(x) = E(x - b)⁺, so a call at that time is sent with the old token with probability exp(-λ g(x)).
///
/// That a call of the first moments of a cycle comes after B counts in the 401s, but not in what follows from
/// them. All times in seconds.
struct SteadyCycle {
  /// Calls per second, λ.
  let callRate: Double
  /// The delay of a call up to the server, d.
  private let delay: DelayLaw
  private let pair: PairAge
  /// Nil without a check before use, where δ is infinite.
  private let margin: Double?
  private let lifetime: Double
  /// The absolute error that integrals may have, in seconds.
  private let tolerance: Double

  private typealias Functions = ElementaryFunctions

  init(_ scenario: Scenario, _ profile: ClientProfile, callRate: Double) {
    self.callRate = callRate
    delay = DelayLaw(scenario.network.uplink).tabulated()
    pair = PairAge(uplink: delay, scenario, profile.expiryBasis)
    margin = if case .margin(let margin) = profile.check { margin.inSeconds } else { nil }
    lifetime = scenario.server.lifetime.longest.inSeconds
    tolerance = 1e-10 * lifetime
  }

  /// The way back of a 401, b, which is distributed like the age of an answer.
  private var wayBack: DelayLaw { pair.downlink }

  /// Whether the client checks before use and never trusts a pair.
  var isNeverTrusted: Bool { margin != nil && pair.longestTrusted <= 0 }

  /// Whether every call finds the token too old.
  var isLoop: Bool { margin.map { $0 >= pair.longestTrusted } ?? false }

  /// The mean length of a cycle, E L.
  ///
  /// The refresh starts at the first call after A or at the first 401 read; its exchange ends the cycle.
  func length() -> Double {
    sending() + waiting() + pair.wayUp.mean + pair.downlink.mean
  }

  /// The mean time in which calls are sent with the token, E min(A, B) + E I.
  ///
  /// I = ∫ exp(-λ g(x)) dx over (0, δ⁺) is what the first 401 leaves of the time after B.
  func sending() -> Double {
    let beforeEnd = pair.mean(tolerance: tolerance) { excess, age in
      age.shortfall(pair.life + early(excess))
    }
    return beforeEnd + afterEnd { Functions.exp(-callRate * read401s($0)) }
  }

  /// The calls that meet a 401 after being sent with a trusted token, per unit of λ.
  ///
  /// E M/λ = E d - C(B) + I for δ > 0, and C(-δ) - C(B) otherwise; nothing where A = 0.
  func late() -> Double {
    let inFlight = pair.mean(tolerance: 1e-6 * tolerance) { excess, age in
      let early = early(excess)
      let probability = age.probability(below: pair.life + early)
      return probability * delay.stopLoss(-early)
    }
    let beforeReading = pair.downlink.mean(
      of: { delay.stopLoss(max(0, pair.life - $0)) }, overPoints: 256)
    return max(0, inFlight - beforeReading)
      + afterEnd { Functions.exp(-callRate * read401s($0)) }
  }

  /// δ where it is negative: how long before the server's end the client stops sending.
  private func early(_ excess: Double) -> Double { margin.map { min(0, excess - $0) } ?? 0 }

  /// The probability that a call that is sent as the pair is read comes after the token's end.
  func lateAtReading() -> Double {
    pair.downlink.mean(of: { delay.survival(pair.life - $0) }, overPoints: 256)
  }

  /// A limit of the share by which the rule exceeds the 401s per trusted call.
  ///
  /// The rule has δ⁺ where the value has I, and δ - I ≤ λ ∫ g = λ E[((δ - b)⁺)²]/2.
  func saturation() -> Double {
    let excess = afterEnd(read401s)
    guard excess > 0, let margin else { return 0 }
    let late = pair.mean(tolerance: tolerance) { excess, _ in delay.stopLoss(margin - excess) }
    return callRate * excess / late
  }

  /// g: the mean number of 401s read by the time x after the server's end of the token, per unit of λ.
  private func read401s(_ x: Double) -> Double {
    x > wayBack.least ? x - wayBack.mean + wayBack.stopLoss(x) : 0
  }

  /// The mean of ∫ f(x) dx over (0, δ⁺), which is ∫ P(δ > x) f(x) dx over all x > 0.
  ///
  /// Without a check δ is infinite, and f must fall off like exp(-λ x).
  private func afterEnd(_ function: (Double) -> Double) -> Double {
    let bends = wayBack.splits + betweenCalls
    guard let margin else {
      let end = wayBack.greatest
      // Beyond the last way back g has slope 1.
      return integral([0, end] + bends, within: 0...end, function) + function(end) / callRate
    }
    let end = pair.greatestExcess - margin
    guard end > 0 else { return 0 }
    let kinks = pair.excessSplits.map { $0 - margin }
    return integral([0, end] + bends + kinks, within: 0...end) {
      pair.probability(excessAbove: $0 + margin) * function($0)
    }
  }

  /// The mean time from A to the start of the refresh, which the first 401 may have brought forward.
  ///
  /// That no refresh has started by the time A + x takes that no call started in (A, A + x) and that no 401 was
  /// read. Calls that started at A - t with 0 < t < A came late if t < δ + d, and their 401s have been read if
  /// t > b - x + d. So the mean number of those 401s is λ H(x) with H(x) = E(δ + min(d, x - b))⁺, and both are
  /// independent: the time is ∫ exp(-λ x - λ H(x)) dx over all x > 0. Where A = 0 no call was sent, and it is 1/λ.
  private func waiting() -> Double {
    guard let margin else { return 0 }
    let refreshes = EarlyRefreshes(delay: delay, wayBack: wayBack)
    return pair.mean(ofCostly: { excess, age in
      let shift = excess - margin
      let probability = age.probability(below: pair.life + shift)
      guard probability > 0 else { return 1 / callRate }
      return probability * waiting(shift, refreshes) + (1 - probability) / callRate
    })
  }

  private func waiting(_ shift: Double, _ refreshes: EarlyRefreshes) -> Double {
    // All 401s of calls that were sent with the token, should none lead to a refresh.
    let all = delay.stopLoss(-shift)
    guard all > tolerance else { return 1 / callRate }
    let tolerance = 1e-8 * (lifetime + 1 / callRate)
    let start = max(0, wayBack.least - shift)
    let end = min(delay.greatest + wayBack.greatest, start + 40 / callRate)
    let bends = (0...8).map { start + (end - start) / Double(1 << $0) }
    let kinks = [
      wayBack.least + delay.least, wayBack.greatest + delay.least, wayBack.least + delay.greatest,
      wayBack.greatest - shift,
    ]
    let between = integral(
      [start] + bends + kinks, within: start...max(start, end), tolerance: tolerance
    ) {
      Functions.exp(-callRate * ($0 + refreshes.read401s($0, shift, 0.1 * tolerance)))
    }
    let before = (1 - Functions.exp(-callRate * start)) / callRate
    return before + between + Functions.exp(-callRate * (max(start, end) + all)) / callRate
  }

  /// The mean share of the lifetime that is left when the next token is minted, and the probability that it is more
  /// than half.
  ///
  /// Something is left only if no 401 came first. Then the refresh starts at A + w with w exponential of rate λ, and
  /// its commit comes v later: what is left is (k - w - v)⁺ with k = B - A and B without the leeway. Where A is 0 in
  /// some cycles only, that is taken to be independent of B.
  func lifeLeft() -> (mean: Double, moreThanHalf: Double) {
    let mean = meanOverAges(meanLeft)
    let moreThanHalf = meanOverAges { probabilityOfMore($0 - 0.5 * lifetime) }
    return (mean / lifetime, min(1, moreThanHalf))
  }

  /// The mean of a function of B - A, B without the leeway.
  private func meanOverAges(_ function: (Double) -> Double) -> Double {
    guard let margin else { return 0 }
    var inLoop: Double?
    return pair.mean(tolerance: 1e-3 * tolerance) { excess, age in
      let shift = excess - margin
      let probability = age.probability(below: pair.life + shift)
      let sending = probability > 0 ? function(lifetime - pair.life - shift) : 0
      guard probability < 1 else { return sending }
      let loop =
        inLoop ?? pair.downlink.expectation(tolerance: tolerance) { function(lifetime - $0) }
      inLoop = loop
      return probability * sending + (1 - probability) * loop
    }
  }

  /// E(k - w - v)⁺ = ∫ (1 - exp(-λ (k - t))) P(v ≤ t) dt over t < k.
  private func meanLeft(_ k: Double) -> Double {
    integralBeforeCommit(k) { 1 - Functions.exp(-callRate * $0) }
      + surelyCommitted(k) { $0 - (1 - Functions.exp(-callRate * $0)) / callRate }
  }

  /// P(w + v < k) = ∫ λ exp(-λ (k - t)) P(v ≤ t) dt over t < k.
  private func probabilityOfMore(_ k: Double) -> Double {
    integralBeforeCommit(k) { callRate * Functions.exp(-callRate * $0) }
      + surelyCommitted(k) { 1 - Functions.exp(-callRate * $0) }
  }

  /// The integral of f(k - t) P(v ≤ t) over the values of v up to k.
  private func integralBeforeCommit(_ k: Double, _ function: (Double) -> Double) -> Double {
    let wayUp = pair.wayUp
    let end = min(k, wayUp.greatest)
    guard end > wayUp.least else { return 0 }
    return integral(
      [wayUp.least, end] + wayUp.splits + betweenCalls.map { k - $0 }, within: wayUp.least...end
    ) { function(k - $0) * (1 - wayUp.survival($0)) }
  }

  /// The integral of the same over what lies between the greatest v and k, from that of f.
  private func surelyCommitted(_ k: Double, _ integral: (Double) -> Double) -> Double {
    k > pair.wayUp.greatest ? integral(k - pair.wayUp.greatest) : 0
  }

  /// Parts and multiples of the mean time between calls.
  private var betweenCalls: [Double] { (0...9).map { Double(1 << $0) / 16 / callRate } }

  private func integral(
    _ splits: [Double], within range: ClosedRange<Double>, tolerance: Double? = nil,
    _ function: (Double) -> Double
  ) -> Double {
    Quadrature.integral(
      splits: splits.filter(range.contains), tolerance: tolerance ?? self.tolerance, function)
  }
}

/// 401s that are read after the calls have stopped, and bring the refresh forward.
///
/// The laws are tabulated: these values sit inside two further integrals.
private struct EarlyRefreshes {
  private let delay: TabulatedLaw
  private let wayBack: TabulatedLaw

  init(delay: DelayLaw, wayBack: DelayLaw) {
    self.delay = TabulatedLaw(delay)
    self.wayBack = TabulatedLaw(wayBack)
  }

  /// H(x) = E(δ + min(d, x - b))⁺: those read by the time x after the last call was sent, per unit of λ.
  ///
  /// Given b it is ∫ P(d > t) dt over -δ < t < x - b, which for δ > 0 is C(-δ) - C(x - b) with C(k) = E d - k for
  /// k ≤ 0. Averaged over b it is ∫ P(d > t) P(b ≤ x - t) dt over -δ < t < x. Where t < 0 that is g(x + δ) - g(x),
  /// where t < x less the greatest b it is a difference of C, and between them it is integrated.
  func read401s(_ x: Double, _ shift: Double, _ tolerance: Double) -> Double {
    let atEnd = shift > 0 ? wayBack.shortfall(x + shift) - wayBack.shortfall(x) : 0
    let from = max(0, -shift)
    let to = min(x - wayBack.least, delay.greatest)
    guard to > from else { return atEnd }
    let middle = min(max(from, x - wayBack.greatest), to)
    let kinks = [delay.least, x - 2 * wayBack.mean, x - wayBack.mean]
    let sure = delay.stopLoss(from) - delay.stopLoss(middle)
    let between = Quadrature.integral(
      splits: [middle, to] + kinks.filter { middle < $0 && $0 < to }, tolerance: tolerance
    ) { delay.survival($0) * (1 - wayBack.survival(x - $0)) }
    return atEnd + sure + between
  }
}
