import SimCore
import Strategies

/// A run as JSON.
///
/// Names are fixed; see the documentation of the result format.
enum JSONReport {
  static func text(_ report: RunReport) -> String {
    JSONValue.object([
      "schema": 1, "command": "run", "version": .string(Version.number),
      "seed": .unsigned(report.seed), "runs": .integer(report.runsDone),
      "partial": .bool(report.isPartial), "fingerprint": .string(report.fingerprint.fingerprint),
      "scenario": scenario(report.results[0].scenario, omitting: report.hasSeveralServers),
      "results": .array(report.results.map { result($0, report) }),
    ]).text() + "\n"
  }

  /// The resolved scenario, nested by the dots of its paths.
  ///
  /// Where the servers differ, each result has its own.
  private static func scenario(_ scenario: Scenario, omitting servers: Bool) -> JSONValue {
    FieldText.tree(
      scenario, fields: ScenarioField.all.filter { !servers || !$0.path.hasPrefix("server.") })
  }

  /// One strategy of a report.
  static func result(_ result: RunReport.Result, _ report: RunReport) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("strategy", .string(result.strategy.name)), .init("server", .string(result.server)),
    ]
    if let variant = result.variant { members.insert(.init("variant", .string(variant)), at: 0) }
    if report.hasSeveralServers {
      let fields = ScenarioField.all.filter { $0.path.hasPrefix("server.") }
      members.append(
        .init(
          "serverPolicy",
          FieldText.tree(result.scenario, fields: fields)["server"] ?? .null))
    }
    members += [
      .init("fingerprint", .string(result.totals.fingerprint.fingerprint)),
      .init("metrics", metrics(result)), .init("causes", causes(SignOutCauses(result.totals))),
      .init("prediction", prediction(result)),
      .init("firstBadRun", result.totals.firstBadRun.map { .integer(Int($0)) } ?? .null),
    ]
    if let expired = result.expired {
      members.append(
        .init(
          "withExpiredToken",
          .object([
            "runs": .integer(expired.runs),
            "signOuts": rates(.signOuts, expired),
          ])))
    }
    if let difference = result.difference {
      members.append(
        .init("differenceToFirst", differences(difference, report.results[0], result)))
    }
    return .object(members)
  }

  /// How many sign-outs each cause had that occurred, largest first.
  static func causes(_ causes: SignOutCauses) -> JSONValue {
    .object(causes.counts.map { JSONValue.Member($0.cause.name, .integer($0.count)) })
  }

  private static func metrics(_ result: RunReport.Result) -> JSONValue {
    let totals = result.totals
    var members = Metric.allCases.map { metric in
      JSONValue.Member(metric.name, rates(metric, totals, perMonth: result.monthly(metric)))
    }
    if result.scenario.shape == .fleet {
      members.append(
        .init(
          "refreshesPerSecond",
          .object(["mean": result.refreshesPerSecond.map { .number($0) } ?? .null])))
    }
    members.append(
      .init(
        "waitAdded",
        .object([
          "unit": "s", "calls": .integer(totals.waits.count),
          "mean": seconds(totals.meanWait), "p50": seconds(totals.waits.quantile(permille: 500)),
          "p95": seconds(totals.waits.quantile(permille: 950)),
          "p99": seconds(totals.waits.quantile(permille: 990)),
          "max": totals.waits.count == 0 ? .null : seconds(totals.waits.maximum),
          "relativeErrorOfQuantiles": .number(0.004),
        ])))
    members.append(
      .init("lifeUnused", .object(mean(totals.lifeUnusedEstimate))))
    members.append(
      .init(
        "exposure",
        .object(
          [.init("unit", "s")] + mean(totals.exposureEstimate)
            + [.init("endless", .integer(totals.endlessExposures))])))
    return .object(members)
  }

  private static func rates(
    _ metric: Metric, _ totals: Totals, perMonth: RateEstimate? = nil
  ) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("count", .integer(totals[metric])),
      .init("perRun", rate(totals.rate(metric, per: .run))),
      .init("perOpening", rate(totals.rate(metric, per: .opening))),
      .init("perCall", rate(totals.rate(metric, per: .call))),
      .init("perRefresh", rate(totals.rate(metric, per: .refresh))),
    ]
    if let perMonth { members.append(.init("perMonth", rate(perMonth))) }
    return .object(members)
  }

  /// A mean per token with its interval.
  private static func mean(_ mean: RateEstimate?) -> [JSONValue.Member] {
    [
      .init("mean", mean.map { .number($0.estimate) } ?? .null),
      .init("low", mean.map { .number($0.low) } ?? .null),
      .init("high", mean.map { .number($0.high) } ?? .null),
    ]
  }

  private static func rate(_ rate: RateEstimate?) -> JSONValue {
    guard let rate else { return .null }
    return .object([
      "estimate": .number(rate.estimate), "low": .number(rate.low), "high": .number(rate.high),
    ])
  }

  private static func prediction(_ result: RunReport.Result) -> JSONValue {
    let rule = JSONValue.number(RacePrediction.rule(result.scenario, result.profile))
    switch result.prediction {
    case .none(let reason):
      return .object([
        "rule": rule, "exact": .null, "measured": rate(result.measured),
        "verdict": "does not apply", "reason": .string(reason),
      ])
    case .steady(let prediction, let verdict):
      return .object([
        "rule": rule, "exact": .number(prediction.perCall), "measured": rate(result.measured),
        "verdict": .string(verdict.name), "rangeOfRule": .string(prediction.ruleRange.phrase),
        "perTrustedCall": prediction.perTrustedCall.map { .number($0) } ?? .null,
        "refreshesPerHour": .number(prediction.refreshesPerHour),
        "lifeUnused": .number(prediction.lifeUnused),
        "needlessShare": .number(prediction.needlessShare),
      ])
    case .opening(let prediction, let verdict):
      var members: [JSONValue.Member] = [
        .init("rule", rule), .init("exact", .number(prediction.perCall)),
        .init("exactPerOpening", .number(prediction.perOpening)),
        .init("measured", rate(result.measured)), .init("verdict", .string(verdict.name)),
      ]
      if case .inconclusive(let runs) = verdict {
        members.append(.init("runsNeeded", .integer(runs)))
      }
      switch prediction.sessionLoss {
      case .none: break
      case .exactly(let loss): members.append(.init("signOutsPerOpening", .number(loss)))
      case .atMost(let loss): members.append(.init("signOutsPerOpeningAtMost", .number(loss)))
      }
      return .object(members)
    }
  }

  private static func differences(
    _ paired: PairedTotals, _ first: RunReport.Result, _ second: RunReport.Result
  ) -> JSONValue {
    .object(
      Metric.allCases.compactMap { metric in
        guard let difference = paired.difference(metric, first.totals, second.totals) else {
          return nil
        }
        return JSONValue.Member(
          metric.name,
          .object([
            "perRun": .object([
              "estimate": .number(difference.estimate), "low": .number(difference.low),
              "high": .number(difference.high),
            ]),
            "onlyFirst": .integer(difference.onlyFirst),
            "onlySecond": .integer(difference.onlySecond),
            "varianceReduction": difference.varianceReduction.map { .number($0) } ?? .null,
          ]))
      })
  }

  private static func seconds(_ duration: Duration?) -> JSONValue {
    duration.map { .number($0.inSeconds) } ?? .null
  }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  init(integerLiteral value: Int) {
    self = .integer(value)
  }
}

extension Verdict {
  /// The name in files.
  var name: String {
    switch self {
    case .agrees: "agrees"
    case .differs: "differs"
    case .inconclusive: "inconclusive"
    }
  }
}

extension Duration {
  /// The duration in whole milliseconds, rounded down.
  fileprivate var rounded: Duration { .milliseconds(Int64(inSeconds * 1000)) }
}

extension RacePrediction.Inapplicability {
  /// The reason as a sentence without its full stop.
  var sentence: String {
    switch self {
    case .otherUse: "the rule is about openings at a random moment of the trusted time"
    case .randomLifetime:
      "the lifetime of each access token is drawn anew, so T is no single number"
    case .accessEndsEarly:
      "access tokens end before their lifetime is over, by a refresh or by server.tick"
    case .troubledNetwork:
      "messages do more than take their time: losses, handshakes, or a network that is not always there"
    case .clockSteps: "the device's clock is set in the course of the run"
    case .personLeaves: "the person leaves, so a run has more than one opening"
    case .neverTrusted:
      "the client never trusts a pair: its clock is too far ahead, or the lifetime too short"
    case .oftenUntrusted:
      "the answer often takes so long that the client hardly trusts its pair at all"
    case .revocationsMixIn:
      "callers that do not merge end each other's new tokens, and those 401s mix in"
    case .marginTooLarge: "the margin is not below the trusted time: every call refreshes first"
    case .spreadTooLong(let limit):
      "a call can start when another's 401 has led to a refresh; usage.spread up to "
        + "\(limit.rounded.text) would do"
    }
  }
}
