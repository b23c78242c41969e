/// What (d + s)/T and its exact form say about steady use, before any run.
///
/// Calls are a Poisson process. A client that checks before use sends them with the token it holds until the
/// first call after the trusted time less the margin, or until it reads the first 401: then it refreshes once,
/// and calls that start meanwhile wait. From reading one pair to reading the next is a cycle, and every rate is
/// a mean per cycle over the mean length of a cycle.
///
/// Under `absolute` a drifting clock moves away from the server's during the run; the values are those of its
/// beginning.
public struct SteadyPrediction: Sendable {
  /// Why there is no prediction.
  public enum Inapplicability: Error, Equatable, Sendable {
    /// The use is not steady.
    case otherUse
    /// The person leaves, so calls do not go on all the time.
    case personLeaves
    /// The time between two calls is not exponential: a poll of fixed period locks to the refresh, because a poll
    /// is what mints the token.
    case notPoisson
    /// Callers do not share a refresh, and end each other's tokens.
    case notMerged
    /// The lifetime of each access token is drawn anew.
    case randomLifetime
    /// The client corrects its clock by the `Date` of the answer, whose second is cut off.
    case correctedByDate
    /// Messages do more than take their time: losses, handshakes, periods without a network, correlation.
    case troubledNetwork
    /// The client never trusts a pair: its clock is too far ahead, or the lifetime too short.
    case neverTrusted
    /// In more than one cycle in a thousand a call that is sent as the pair is read comes after the token's end.
    case lifetimeTooShort
  }

  /// Whether the rule describes the calls at this rate: for 1/T ≪ rate ≪ 1/(e - m - b)⁺.
  ///
  /// e is how much later than the server the client believes the token to end, m the margin, and b the way back
  /// of a 401.
  public enum RuleRange: Equatable, Sendable {
    /// It does.
    case holds
    /// Fewer than 20 calls in a lifetime T: so many find a token that is known to be dead, and refresh first, that
    /// the rule counts too many 401s per call.
    case tooFew
    /// The first 401 cuts the rest off so often that the rule exceeds the value per trusted call by more than 5 %.
    ///
    /// The relative error is at most this: rate · E[((e - m - b)⁺)²] / (2 E(d + e - m)⁺).
    case saturated(relativeError: Double)
    /// The margin is not below the trusted time: every call finds the token too old and none meets a 401.
    case loop
    /// Nothing is checked before use, so each token ends with a 401; the rule never describes that.
    case noCheck
  }

  /// The published rule of thumb per call: (d + s - m)/T, at least 0 and at most 1.
  public let rule: Double
  /// Whether the rule holds at this rate.
  public let ruleRange: RuleRange
  /// The share of calls whose first attempt is answered 401.
  public let perCall: Double
  /// The share of the calls sent with a token that is trusted at their start whose first attempt is answered 401.
  ///
  /// Calls that wait for a refresh are not among them. Nil if there are none.
  public let perTrustedCall: Double?
  /// The calls of a cycle whose first attempt is answered 401, on average.
  public let unauthorizedPerCycle: Double
  /// The mean time from reading a pair to reading the next, in seconds.
  public let cycle: Double
  /// Refreshes per hour.
  public let refreshesPerHour: Double
  /// Refreshes per call.
  public let refreshesPerCall: Double
  /// The mean share of its lifetime that an access token has left when the next one is minted: the price of a
  /// margin.
  public let lifeUnused: Double
  /// The share of refreshes that mint a token when the old one has more than half its lifetime left.
  public let needlessShare: Double

  /// The prediction for a client with this profile.
  ///
  /// - Throws: ``Inapplicability`` where the formulas do not describe the scenario.
  public init(_ scenario: Scenario, _ profile: ClientProfile) throws(Inapplicability) {
    guard scenario.usage.kind == .steady else { throw .otherUse }
    guard scenario.lifecycle.leaves == .never else { throw .personLeaves }
    guard case .exponential(let interval) = scenario.usage.interval, interval > .zero else {
      throw .notPoisson
    }
    guard profile.concurrency == .merged else { throw .notMerged }
    guard scenario.server.lifetime.fixed != nil else { throw .randomLifetime }
    guard profile.expiryBasis != .absoluteCorrected else { throw .correctedByDate }
    guard scenario.network.isPlain else { throw .troubledNetwork }
    let cycle = SteadyCycle(scenario, profile, callRate: 1 / interval.inSeconds)
    if cycle.isNeverTrusted { throw .neverTrusted }

    let length = cycle.length()
    let calls = cycle.callRate * length
    let trustedCalls = cycle.callRate * cycle.sending()
    // The others wait for the refresh and are sent as its answer is read.
    let lateAtReading = (calls - trustedCalls) * cycle.lateAtReading()
    guard lateAtReading < 1e-3 else { throw .lifetimeTooShort }
    let lateTrusted = cycle.callRate * cycle.late()

    rule = RacePrediction.rule(scenario, profile)
    unauthorizedPerCycle = lateTrusted + lateAtReading
    perCall = unauthorizedPerCycle / calls
    perTrustedCall = trustedCalls > 0 ? lateTrusted / trustedCalls : nil
    self.cycle = length
    refreshesPerHour = 3600 / length
    refreshesPerCall = 1 / calls
    (lifeUnused, needlessShare) = cycle.lifeLeft()
    ruleRange = Self.range(cycle, scenario, profile)
  }

  private static func range(
    _ cycle: SteadyCycle, _ scenario: Scenario, _ profile: ClientProfile
  ) -> RuleRange {
    if profile.check == .none { return .noCheck }
    if cycle.isLoop { return .loop }
    if cycle.callRate * scenario.server.lifetime.longest.inSeconds < 20 { return .tooFew }
    let relativeError = cycle.saturation()
    return relativeError > 0.05 ? .saturated(relativeError: relativeError) : .holds
  }
}
