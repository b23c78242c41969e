/// How long a pair is good when the client reads it, for the server and in the eyes of the client.
///
/// Both follow from the exchange that returned the pair: its way up and processing v, and the age y of its answer.
/// B, the server's life of the token as it is read, is a constant less y; e, how much later than the server the
/// client believes the token to end, is a constant, or that plus y, or less v. All times in seconds.
struct PairAge {
  /// The age of the answer as it is read, y.
  let downlink: DelayLaw
  /// The way up and the processing, v.
  let wayUp: ShiftedLaw
  /// The server's life of the token, counted from its minting, with the leeway.
  let life: Double
  private let basis: ExpiryBasis
  /// What the constant parts of e add up to.
  private let excess: Double

  /// A pair's age in a world.
  ///
  /// - Parameters:
  ///   - uplink: the law of the scenario's uplink.
  ///   - scenario: the world.
  ///   - basis: how the client works out the end of a token.
  init(uplink: DelayLaw, _ scenario: Scenario, _ basis: ExpiryBasis) {
    let server = scenario.server
    downlink = DelayLaw(scenario.network.downlink).tabulated()
    if case .constant(let processing) = server.processing {
      wayUp = ShiftedLaw(law: uplink, shift: processing.inSeconds)
    } else {
      let parts = scenario.network.uplink.summands + server.processing.summands
      wayUp = ShiftedLaw(law: DelayLaw(.sum(parts)).tabulated(), shift: 0)
    }
    self.basis = basis
    life = server.lifetime.longest.inSeconds + server.leeway.inSeconds
    let measured =
      switch basis {
      case .absolute: server.lifetime.longest.inSeconds - scenario.clock.offset.inSeconds
      case .receivedAt, .absoluteCorrected, .sentAt:
        Double(server.lifetime.longest.components.seconds)
      }
    excess = measured / (1 + scenario.clock.drift * 1e-6) - life
  }

  /// The longest time from reading a pair to its believed end.
  var longestTrusted: Double {
    switch basis {
    case .absolute: life + excess - downlink.least
    case .receivedAt, .absoluteCorrected: life + excess
    case .sentAt: life + excess - wayUp.least - downlink.least
    }
  }

  /// The mean of a function of e and of what e leaves open of y, to an absolute error.
  func mean(tolerance: Double, _ function: (_ excess: Double, _ age: AnswerAge) -> Double)
    -> Double
  {
    switch basis {
    case .absolute: function(excess, .drawn(downlink))
    case .receivedAt, .absoluteCorrected:
      downlink.expectation(tolerance: tolerance) { function(excess + $0, .known($0)) }
    case .sentAt:
      wayUp.law.expectation(tolerance: tolerance) {
        function(excess - wayUp.shift - $0, .drawn(downlink))
      }
    }
  }

  /// The mean of a costly function of e and of what e leaves open of y, over few points.
  ///
  /// The mean length of a cycle then has a relative error of up to 3e-6 where e is random.
  func mean(ofCostly function: (_ excess: Double, _ age: AnswerAge) -> Double) -> Double {
    let points = 32
    return switch basis {
    case .absolute: function(excess, .drawn(downlink))
    case .receivedAt, .absoluteCorrected:
      downlink.mean(of: { function(excess + $0, .known($0)) }, overPoints: points)
    case .sentAt:
      wayUp.law.mean(
        of: { function(excess - wayUp.shift - $0, .drawn(downlink)) }, overPoints: points)
    }
  }

  /// The probability that e exceeds a value.
  func probability(excessAbove value: Double) -> Double {
    switch basis {
    case .absolute: excess > value ? 1 : 0
    case .receivedAt, .absoluteCorrected: downlink.survival(value - excess)
    case .sentAt: 1 - wayUp.survival(excess - value)
    }
  }

  /// A number that e exceeds with a probability of less than 1e-15, or never.
  var greatestExcess: Double {
    switch basis {
    case .absolute: excess
    case .receivedAt, .absoluteCorrected: excess + downlink.greatest
    case .sentAt: excess - wayUp.least
    }
  }

  /// Where the probability that e exceeds a value may have a jump, a kink, or its bend.
  var excessSplits: [Double] {
    switch basis {
    case .absolute: [excess]
    case .receivedAt, .absoluteCorrected: downlink.splits.map { excess + $0 }
    case .sentAt: wayUp.splits.map { excess - $0 }
    }
  }
}

/// The age of an answer as it is read, where something else is given.
enum AnswerAge {
  /// It follows from what is given.
  case known(Double)
  /// It does not depend on it and has this law.
  case drawn(DelayLaw)

  /// The probability that it is below `k`.
  func probability(below k: Double) -> Double {
    switch self {
    case .known(let age): age < k ? 1 : 0
    case .drawn(let law): 1 - law.survival(k)
    }
  }

  /// The mean of how much `k` exceeds it.
  func shortfall(_ k: Double) -> Double {
    switch self {
    case .known(let age): max(0, k - age)
    case .drawn(let law): law.shortfall(k)
    }
  }
}

/// A law and a constant to add to its draws.
struct ShiftedLaw {
  let law: DelayLaw
  let shift: Double

  var mean: Double { law.mean + shift }
  var least: Double { law.least + shift }
  var greatest: Double { law.greatest + shift }
  var splits: [Double] { law.splits.map { $0 + shift } }

  /// The probability that a draw exceeds `k`.
  func survival(_ k: Double) -> Double { law.survival(k - shift) }
}

extension DelayLaw {
  /// Where the probability of exceeding may have a jump, a kink, or its bend.
  var splits: [Double] {
    [least, greatest] + (0...5).map { least + 0.25 * Double(1 << $0) * (mean - least) }
  }

  /// The mean of how much `k` exceeds a draw.
  func shortfall(_ k: Double) -> Double { k > least ? k - mean + stopLoss(k) : 0 }
}

extension Distribution {
  /// The parts of a sum, and of sums in it.
  fileprivate var summands: [Distribution] {
    if case .sum(let parts) = self { parts.flatMap(\.summands) } else { [self] }
  }
}
