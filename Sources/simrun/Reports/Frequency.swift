import SimCore

/// How often something happens, in words for people who plan in months.
enum Frequency {
  /// A month of a report, in seconds.
  private static let month = 30.0 * 86_400

  /// How often something happens.
  ///
  /// - Parameter perMonth: how often in thirty days, above zero.
  /// - Returns: words such as "about one in 10 months".
  static func words(perMonth: Double) -> String {
    if perMonth >= 45 { return "about \(whole(perMonth / 30)) a day" }
    if perMonth >= 1.5 { return "about \(whole(perMonth)) a month" }
    if perMonth > 1 / 1.5 { return "about one a month" }
    let months = 1 / perMonth
    if months < 23.5 { return "about one in \(whole(months)) months" }
    let years = months * 30 / 365
    return years < 1000 ? "about one in \(whole(years)) years" : "less than one in 1,000 years"
  }

  /// How rare something is that was never seen.
  ///
  /// - Parameter perMonth: the most that it can be in thirty days, above zero.
  /// - Returns: words such as "rarer than one in 10 months".
  static func limit(perMonth: Double) -> String {
    let months = 1 / perMonth
    if months < 2 { return "none seen" }
    if months < 24 { return "rarer than one in \(Int(months)) months" }
    return "rarer than one in \(Int(min(months * 30 / 365, 1e6)).grouped) years"
  }

  private static func whole(_ value: Double) -> String { Int(value.rounded()).grouped }

  /// What a rate per run has to be multiplied by to be one per month.
  ///
  /// - Parameter scenario: a scenario with a horizon.
  /// - Returns: thirty days over the horizon; nil without one.
  static func months(perRunOf scenario: Scenario) -> Double? {
    scenario.usage.horizon.map { month / $0.inSeconds }
  }
}

extension RunReport.Result {
  /// How often something was counted per user and thirty days; nil unless the runs are a user's sessions.
  ///
  /// - Parameter metric: what was counted.
  /// - Returns: the rate with its 95 % interval.
  func monthly(_ metric: Metric) -> RateEstimate? {
    guard scenario.shape == .sessions, let factor = Frequency.months(perRunOf: scenario) else {
      return nil
    }
    return totals.rate(metric, per: .run)?.scaled(by: factor)
  }

  /// How often something was counted per run and day; nil without a horizon.
  ///
  /// - Parameter metric: what was counted.
  /// - Returns: the mean over all runs.
  func daily(_ metric: Metric) -> Double? {
    guard let factor = Frequency.months(perRunOf: scenario) else { return nil }
    return totals.rate(metric, per: .run).map { $0.estimate * factor / 30 }
  }

  /// Refreshes that reached the server, per second of the horizon; nil without one.
  var refreshesPerSecond: Double? { daily(.refreshes).map { $0 / 86_400 } }
}

extension RateEstimate {
  /// The rate in another unit.
  ///
  /// - Parameter factor: how many of the old units make a new one.
  /// - Returns: estimate, limits, and error, all multiplied.
  func scaled(by factor: Double) -> RateEstimate {
    RateEstimate(
      estimate: estimate * factor, low: low * factor, high: high * factor,
      standardError: standardError * factor)
  }

  /// The rate as a number with its 95 % limits.
  var plainText: String {
    estimate == 0 ? "0 (below \(high.short))" : "\(estimate.short) (\(low.short) to \(high.short))"
  }
}
