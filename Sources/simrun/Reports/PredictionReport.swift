import SimCore

/// What the prediction says about a client in a world, beside what was measured.
enum PredictionReport {
  /// Of an opening at a random moment.
  case opening(RacePrediction, Verdict)
  /// Of steady use.
  case steady(SteadyPrediction, Verdict)
  /// None, with the reason as a sentence without its full stop.
  case none(String)

  /// The prediction that fits the use.
  init(_ scenario: Scenario, _ profile: ClientProfile, _ totals: Totals) {
    self =
      scenario.usage.kind == .steady
      ? Self.steady(scenario, profile, totals) : Self.opening(scenario, profile, totals)
  }

  private static func opening(
    _ scenario: Scenario, _ profile: ClientProfile, _ totals: Totals
  ) -> PredictionReport {
    do {
      let prediction = try RacePrediction(scenario, profile)
      if prediction.isBlurredByRevocations {
        return .none(RacePrediction.Inapplicability.revocationsMixIn.sentence)
      }
      guard let measured = totals.rate(.firstUnauthorized, per: .call) else {
        return .none(RacePrediction.Inapplicability.otherUse.sentence)
      }
      return .opening(
        prediction,
        Verdict(
          measured: measured, predicted: prediction.perCall, runs: totals.runs,
          predictedError: prediction.standardError(runs: totals.runs),
          expectedEvents: prediction.perOpening * Double(totals.runs)))
    } catch {
      return .none(error.sentence)
    }
  }

  private static func steady(
    _ scenario: Scenario, _ profile: ClientProfile, _ totals: Totals
  ) -> PredictionReport {
    do {
      let prediction = try SteadyPrediction(scenario, profile)
      guard let measured = totals.rate(.firstUnauthorized, per: .call) else {
        return .none("no call was made")
      }
      let calls = Double(totals[.calls])
      // 401s come in clumps, one per token; this is their error if clumps are geometric.
      let clump = 1 + 2 * prediction.unauthorizedPerCycle
      return .steady(
        prediction,
        Verdict(
          measured: measured, predicted: prediction.perCall, runs: totals.runs,
          predictedError: (prediction.perCall * clump / calls).squareRoot(),
          expectedEvents: prediction.perCall * calls))
    } catch {
      return .none(error.sentence)
    }
  }
}

extension SteadyPrediction.Inapplicability {
  /// The reason as a sentence without its full stop.
  var sentence: String {
    switch self {
    case .otherUse: "the formula is about steady use"
    case .personLeaves: "the person leaves"
    case .notPoisson:
      "calls are no Poisson process; a poll of fixed period, for one, locks to the refresh"
    case .notMerged: "callers do not share a refresh"
    case .neverTrusted:
      "the client never trusts a pair: its clock is too far ahead, or the lifetime too short"
    case .lifetimeTooShort: "a token may end on the way of the call that is sent as it is read"
    case .randomLifetime: "each access token lives for a time of its own"
    case .correctedByDate: "the client corrects its clock by the Date of the answer"
    case .troubledNetwork:
      "messages do more than take their time: losses, handshakes, or a network that is not always there"
    }
  }
}

extension SteadyPrediction.RuleRange {
  /// What it says about the rule of thumb, as a phrase.
  var phrase: String {
    switch self {
    case .holds: "the rule holds at this rate"
    case .tooFew: "the rule does not hold: most calls find a token that is known to be dead"
    case .saturated(let error):
      "the rule does not hold: the first 401 spares the others up to \(error.percent) of theirs"
    case .noCheck: "the rule does not describe a client without a check before use"
    case .loop: "the rule does not hold: every call finds the token too old"
    }
  }
}
