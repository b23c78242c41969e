/// What (d + s)/T and its exact form say about a client in a world, before any run.
///
/// An opening at a uniformly random moment of the trusted time W finds an access token of which r is left,
/// r uniform on (0, W]. A call with an offset o from the opening is answered 401 iff r ≤ d + e + o, where d is
/// its delay up to the server and e is how much later than the server the client believes the token to end. A
/// client that checks before use with a margin m sends only calls with r > m + o; for it the offset cancels. The
/// others refresh first, and their new token may be dead on arrival where the lifetime is hardly longer than d.
public struct RacePrediction: Sendable {
  /// Why there is no prediction.
  public enum Inapplicability: Error, Equatable, Sendable {
    /// The use is not an opening at a random moment of the trusted time.
    case otherUse
    /// The lifetime of each access token is drawn anew.
    case randomLifetime
    /// Access tokens end before their lifetime is over: stored times are rounded, or a refresh ends the token that
    /// other calls of the opening are still under way with.
    case accessEndsEarly
    /// The person leaves, so the run has more than one opening.
    case personLeaves
    /// Messages do more than take their time: losses, handshakes, periods without a network, correlation, pins.
    case troubledNetwork
    /// The device's clock is set in the course of the run.
    case clockSteps
    /// The client never trusts a pair: its clock is too far ahead, or the lifetime too short.
    case neverTrusted
    /// The margin is not below the trusted time: every call refreshes first.
    case marginTooLarge
    /// In more than one run in 10,000 the answer takes so long that no more than the margin is left.
    case oftenUntrusted
    /// Callers that do not merge end each other's new tokens, and those 401s are no late tokens.
    case revocationsMixIn
    /// A call could start when another's 401 has already led to a refresh, which a client that merges waits for,
    /// or when that refresh has ended; up to this spread none could.
    case spreadTooLong(limit: Duration)
  }

  /// How the sign-outs of a client follow from the calls that need a refresh.
  public enum SessionLoss: Equatable, Sendable {
    /// Callers share a refresh, or the server forgives a second use: nothing follows.
    case none
    /// Two such calls end the session: this probability per opening is exact.
    case exactly(Double)
    /// Two such calls may end the session: this probability per opening is an upper limit.
    case atMost(Double)
  }

  /// The published rule of thumb per call: (d + s - m)/T, at least 0 and at most 1.
  public let rule: Double
  /// The mean delay up to the server, which the rule calls d, in seconds.
  public let meanUplink: Double
  /// How late the client's clock is, which the rule calls s, in seconds.
  public let lateness: Double
  /// The probability that the first attempt of a call is answered 401.
  public let perCall: Double
  /// The probability that some call of an opening meets a 401.
  public let perOpening: Double
  /// What two late calls lead to.
  public let sessionLoss: SessionLoss
  /// Whether revocations give so many first attempts a 401 that late tokens cannot be told from them.
  public let isBlurredByRevocations: Bool
  /// The probability that two given calls of an opening both meet a 401.
  private let perPairOfCalls: Double
  private let callers: Int

  /// The standard error that the rate per call has over this many runs if the prediction is right.
  ///
  /// Calls of an opening share its moment, so the number of late ones varies more than if they did not.
  public func standardError(runs: Int) -> Double {
    let n = Double(callers)
    let variance = n * perCall + n * (n - 1) * perPairOfCalls - n * n * perCall * perCall
    return (max(0, variance) / Double(runs)).squareRoot() / n
  }

  /// The prediction for a client with this profile.
  ///
  /// - Throws: ``Inapplicability`` where the formula does not describe the scenario.
  public init(_ scenario: Scenario, _ profile: ClientProfile) throws(Inapplicability) {
    let race = try Race(scenario, profile)
    meanUplink = race.delay.mean
    lateness = -scenario.clock.offset.inSeconds
    rule = Self.rule(scenario, profile)
    let callers = scenario.usage.callers
    perCall = race.perCall() + race.afterRefresh { $0 }
    perOpening =
      race.perOpening { q, n in 1 - Race.power(1 - q, n) }
      + race.afterRefresh { 1 - Race.power(1 - $0, callers) }
    perPairOfCalls = race.perOpening { q, _ in q * q } + race.afterRefresh { $0 * $0 }
    self.callers = callers
    isBlurredByRevocations =
      profile.concurrency != .merged && callers > 1 && scenario.server.takesEachReuseForTheft
      && race.shareOfEarlyRefreshes / Double(callers) > 0.02 * perCall
    switch profile.concurrency {
    case _ where !scenario.server.takesEachReuseForTheft: sessionLoss = .none
    case .merged: sessionLoss = .none
    case .separateWithCapturedToken where race.answersComeInTime(profile.timeout):
      sessionLoss = .exactly(race.twoOrMore())
    case .separateWithCapturedToken: sessionLoss = .atMost(race.twoOrMore())
    case .separateWithHeldToken: sessionLoss = .atMost(race.twoOrMore())
    }
  }

  /// The published rule of thumb for a client with this profile, whatever the use.
  public static func rule(_ scenario: Scenario, _ profile: ClientProfile) -> Double {
    let margin =
      if case .margin(let margin) = profile.check { max(0, margin.inSeconds) } else { 0.0 }
    let late =
      DelayLaw(scenario.network.uplink).mean - scenario.clock.offset.inSeconds - margin
    return min(1, max(0, late) / scenario.server.lifetime.longest.inSeconds)
  }
}

/// The integrals of a race prediction.
///
/// All times in seconds.
private struct Race {
  let delay: DelayLaw
  private let downlink: DelayLaw
  /// The way up and the processing of the exchange that returned the pair.
  private let wayUp: DelayLaw
  private let callers: Int
  private let spread: Double
  /// Nil without a check before use.
  private let margin: Double?
  private let basis: ExpiryBasis
  private let lifetime: Double
  private let expiresIn: Double
  private let leeway: Double
  private let offset: Double
  /// The factor from what the clock measures to true time.
  private let rate: Double

  init(
    _ scenario: Scenario, _ profile: ClientProfile
  ) throws(RacePrediction.Inapplicability) {
    delay = DelayLaw(scenario.network.uplink).tabulated()
    downlink = DelayLaw(scenario.network.downlink)
    wayUp = DelayLaw(.sum([scenario.network.uplink, scenario.server.processing]))
    callers = scenario.usage.callers
    spread = scenario.usage.spread.inSeconds
    margin =
      switch profile.check {
      case .none: nil
      case .margin(let margin): max(0, margin.inSeconds)
      }
    basis = profile.expiryBasis
    guard let fixed = scenario.server.lifetime.fixed else { throw .randomLifetime }
    lifetime = fixed.inSeconds
    expiresIn = Double(fixed.components.seconds)
    leeway = scenario.server.leeway.inSeconds
    offset = scenario.clock.offset.inSeconds
    rate = 1 / (1 + scenario.clock.drift * 1e-6)
    guard scenario.usage.kind == .opening, scenario.usage.opens == .duringLifetime else {
      throw .otherUse
    }
    guard scenario.lifecycle.leaves == .never else { throw .personLeaves }
    guard scenario.network.isPlain, scenario.usage.pins.isEmpty else { throw .troubledNetwork }
    guard scenario.clock.steps.isEmpty else { throw .clockSteps }
    if scenario.server.cutsLifetimes { throw .accessEndsEarly }
    // Without a margin the first refresh follows a 401, after which the token is dead for every call.
    if margin != nil, callers > 1, spread > 0, scenario.server.endsOlderAccess {
      throw .accessEndsEarly
    }
    let longest = trusted(wayUp: wayUp.least, downlink: downlink.least)
    if longest <= 0 { throw .neverTrusted }
    if let margin, margin >= longest { throw .marginTooLarge }
    // W is the rest of something from which the answer's way is taken, so it is short when that is long.
    let slow = basis == .sentAt ? DelayLaw(.sum(Self.exchange(scenario))) : downlink
    if basis != .receivedAt, slow.survival(longest + slow.least - (margin ?? 0)) > 1e-4 {
      throw .oftenUntrusted
    }
    let untilFirst401 = delay.nearlyLeast + downlink.nearlyLeast
    let refresh = profile.concurrency == .merged ? 0 : wayUp.nearlyLeast + downlink.nearlyLeast
    if callers > 1, spread > untilFirst401 + refresh {
      throw .spreadTooLong(limit: .nanoseconds(Int64((untilFirst401 + refresh) * 1e9)))
    }
  }

  /// The delays of the exchange that returned the pair.
  private static func exchange(_ scenario: Scenario) -> [Distribution] {
    [scenario.network.uplink, scenario.server.processing, scenario.network.downlink]
  }

  /// The trusted time W, given the exchange that returned the pair.
  private func trusted(wayUp: Double, downlink: Double, cutOff: Double = 0) -> Double {
    let trusted =
      switch basis {
      case .absolute: (lifetime - offset) * rate - downlink
      case .receivedAt: expiresIn * rate
      case .sentAt: expiresIn * rate - wayUp - downlink
      case .absoluteCorrected: lifetime * rate + cutOff
      }
    return max(0, trusted)
  }

  /// How much later than the server the client believes the token to end, e.
  private func excess(wayUp: Double, downlink: Double, cutOff: Double = 0) -> Double {
    let believed =
      switch basis {
      case .absolute: (lifetime - offset) * rate
      case .receivedAt: downlink + expiresIn * rate
      case .sentAt: expiresIn * rate - wayUp
      case .absoluteCorrected: lifetime * rate + downlink + cutOff
      }
    return believed - lifetime - leeway
  }

  /// The mean of a function of e and W over the exchange that returned the pair.
  private func average(
    tolerance: Double, points: Int, _ function: (Double, Double) -> Double
  ) -> Double {
    func value(_ wayUp: Double, _ downlink: Double) -> Double {
      function(
        excess(wayUp: wayUp, downlink: downlink), trusted(wayUp: wayUp, downlink: downlink))
    }
    if basis == .absoluteCorrected {
      // The part of a second that the Date drops is uniform.
      return Quadrature.integral(splits: [0, 1], tolerance: 1e-9) { cutOff in
        downlink.mean(
          of: {
            function(
              excess(wayUp: 0, downlink: $0, cutOff: cutOff),
              trusted(wayUp: 0, downlink: $0, cutOff: cutOff))
          }, overPoints: points)
      }
    }
    guard basis == .sentAt else {
      return downlink.expectation(tolerance: tolerance) { value(0, $0) }
    }
    return wayUp.mean(
      of: { wayUp in downlink.mean(of: { value(wayUp, $0) }, overPoints: points) },
      overPoints: points)
  }

  /// E[(min(d + e + κo, W) - m)⁺ / W]: κ is 0 and the margin counts if the client checks, else κ is 1 and m 0.
  func perCall() -> Double {
    share(tolerance: 1e-13, points: 256) { excess, trusted, _ in late(excess, trusted) }
  }

  /// The mean of a part of W over W itself, 0 where no more than the margin is trusted.
  ///
  /// Beyond the largest delay nothing is late. Up to there, the end, the part often depends on e alone, so the
  /// last one is kept.
  private func share(
    tolerance: Double, points: Int,
    _ part: (_ excess: Double, _ trusted: Double, _ end: Double) -> Double
  ) -> Double {
    let margin = margin ?? 0
    let greatest = delay.greatest
    var known: (excess: Double, end: Double, value: Double)?
    return average(tolerance: tolerance, points: points) { excess, trusted in
      guard trusted > margin else { return 0 }
      let end = min(trusted, max(greatest + excess, margin) + spread)
      if let known, known.excess == excess, known.end == end { return known.value / trusted }
      let value = part(excess, trusted, end)
      known = (excess, end, value)
      return value / trusted
    }
  }

  private func late(_ excess: Double, _ trusted: Double) -> Double {
    func cut(_ shifted: Double) -> Double {
      delay.stopLoss((margin ?? 0) - shifted) - delay.stopLoss(trusted - shifted)
    }
    guard margin == nil, spread > 0 else { return cut(excess) }
    let sum = Quadrature.integral(splits: [0, spread], tolerance: 1e-9 * spread) {
      cut(excess + $0)
    }
    return sum / spread
  }

  /// The mean, over openings that find the token too old, of a function of the probability that a new token is dead
  /// on arrival.
  ///
  /// The new one has lived for the way of its answer when it is sent on.
  func afterRefresh(_ function: (Double) -> Double) -> Double {
    guard let margin, margin > 0 else { return 0 }
    let early = average(tolerance: 1e-10, points: 32) { _, trusted in
      trusted > margin ? (margin + spread / 2) / trusted : 0
    }
    return early
      * downlink.expectation(tolerance: 1e-10) {
        function(delay.survival(lifetime + leeway - $0))
      }
  }

  /// The probability that at least two calls of an opening need a refresh.
  func twoOrMore() -> Double {
    let n = callers
    // A single call has no second, which differences of rounded terms would not know.
    guard n > 1 else { return 0 }
    return opening(sharing: needsRefresh) { q in
      max(0, 1 - Self.power(1 - q, n) - Double(n) * q * Self.power(1 - q, n - 1))
    }
  }

  /// The share of openings in which several calls find the token too old and refresh at once, about.
  var shareOfEarlyRefreshes: Double {
    margin.map { ($0 + spread) / trusted(wayUp: wayUp.mean, downlink: downlink.mean) } ?? 0
  }

  /// Whether a refresh is practically never given up before its answer is read.
  func answersComeInTime(_ timeout: Duration?) -> Bool {
    guard let timeout else { return true }
    return wayUp.nearlyGreatest + downlink.nearlyGreatest < timeout.inSeconds
  }

  /// The mean over r of a function of the probability that a call meets a 401, and of the number of callers.
  func perOpening(_ function: (Double, Int) -> Double) -> Double {
    opening(sharing: meets401) { function($0, callers) }
  }

  private func opening(
    sharing probability: (_ left: Double, _ excess: Double) -> Double,
    _ function: (Double) -> Double
  ) -> Double {
    share(tolerance: 1e-10, points: 32) { excess, _, end in
      Quadrature.integral(splits: splits(excess, end), tolerance: 1e-9 * end) {
        function(probability($0, excess))
      }
    }
  }

  /// Where the integrand has kinks, and around its bend.
  private func splits(_ excess: Double, _ end: Double) -> [Double] {
    let margin = margin ?? 0
    let kinks = [
      spread, margin, margin + spread, excess + delay.least, excess + delay.least + spread,
    ]
    let bends = (-3...5).map { excess + delay.mean * Self.power(2, $0) }
    return [0, end] + (kinks + bends).filter { $0 > 0 && $0 < end }
  }

  /// The probability that a call meets a 401, given what is left of W at the opening.
  private func meets401(_ left: Double, _ excess: Double) -> Double {
    guard spread > 0 else { return left > (margin ?? 0) ? delay.survival(left - excess) : 0 }
    let window = starters(left)
    guard window > 0 else { return 0 }
    return (delay.stopLoss(left - window - excess) - delay.stopLoss(left - excess)) / spread
  }

  /// The probability that a call needs a refresh: after a 401, or since it finds the token too old.
  private func needsRefresh(_ left: Double, _ excess: Double) -> Double {
    guard spread > 0 else { return left > (margin ?? 0) ? meets401(left, excess) : 1 }
    return meets401(left, excess) + (spread - starters(left)) / spread
  }

  /// The part of the spread in which a call that starts is sent without a refresh.
  private func starters(_ left: Double) -> Double {
    margin.map { min(max(left - $0, 0), spread) } ?? spread
  }

  /// By repeated squaring, so that it is the same on every platform.
  static func power(_ base: Double, _ exponent: Int) -> Double {
    var result = 1.0
    var square = base
    var rest = exponent.magnitude
    while rest > 0 {
      if rest % 2 == 1 { result *= square }
      square *= square
      rest /= 2
    }
    return exponent < 0 ? 1 / result : result
  }
}

extension ServerPolicy {
  /// Whether a second exchange of a refresh token always ends the session.
  fileprivate var takesEachReuseForTheft: Bool {
    rotation == .always && reuse != .rejectOnly && race == .serialize
      && parentGrace.window == .lasting(.zero) && ancestorGrace.window == .lasting(.zero)
      && reuseMemory == .unlimited && refreshIdle == nil && refreshAbsolute == nil
      && isReliable
  }

  /// Whether a token minted at the beginning ends before its lifetime is over.
  fileprivate var cutsLifetimes: Bool {
    guard let tick, let fixed = lifetime.fixed else { return false }
    return fixed.nanoseconds % tick.nanoseconds != 0
  }

  /// Whether a refresh ever ends an access token.
  fileprivate var endsOlderAccess: Bool {
    oldAccessOverlap != .unlimited || maxLiveAccess != nil
  }

  /// Whether every request is judged, and every answer says what was stored.
  private var isReliable: Bool {
    errors == Errors() && outages.isEmpty && rateLimit == .none
      && (commit == .atomic || crash == 0)
  }
}
