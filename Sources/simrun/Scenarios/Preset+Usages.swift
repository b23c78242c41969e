import SimCore

extension Preset {
  static var usages: [Preset] {
    [
      Preset(
        kind: .usage, name: "opening",
        summary: "a screen is opened at a random moment and sends five calls within 50 ms"
      ) { $0.usage = Usage() },
      Preset(
        kind: .usage, name: "morning",
        summary: "the same, long after the access token has ended"
      ) { $0.usage = Usage(opens: .expired) },
      Preset(
        kind: .usage, name: "steady",
        summary: "calls as a Poisson process, one in ten seconds, over a day"
      ) { $0.usage = Usage(kind: .steady, horizon: .seconds(86_400)) },
      Preset(
        kind: .usage, name: "timeline",
        summary: "everything happens at the instants of usage.timeline"
      ) { $0.usage = Usage(kind: .timeline) },
    ] + daily + [
      Preset(
        kind: .usage, name: "fleet",
        summary:
          "a thousand clients that sign in within five minutes and call once a minute, for an hour"
      ) {
        $0.usage = Usage(
          kind: .fleet, horizon: .seconds(3600), whileOpen: .exponential(mean: .seconds(60)),
          clients: 1000, provisionedOver: .seconds(300))
      }
    ]
  }

  /// A person's month with an app.
  ///
  /// Published are the openings a day, and for some the mean length of a visit. The lengths of the gaps follow from
  /// the openings and sixteen waking hours; sigmas and the calls are guesses.
  private static var daily: [Preset] {
    let feed = Usage(
      kind: .sessions, callers: 10, spread: .milliseconds(300), horizon: month,
      visit: visit(.seconds(90), 1.5), gap: gap(minutes: 39),
      whileOpen: .exponential(mean: .seconds(8)))
    return [
      sessions("sessions", "a month with the app of a feed: eight visits a day", feed),
      sessions("feed-app", "the same, by its own name", feed),
      sessions(
        "bank-app", "a month with the app of a bank: three visits in two days",
        Usage(
          kind: .sessions, callers: 5, spread: .milliseconds(300), horizon: month,
          visit: visit(.seconds(120), 0.9), gap: gap(minutes: 208),
          whileOpen: .exponential(mean: .seconds(10)))),
      sessions(
        "messenger", "twenty visits a day, and sixty pushes that run an extension",
        Usage(
          kind: .sessions, callers: 4, spread: .milliseconds(300), horizon: month,
          visit: visit(.seconds(30), 1.2), gap: gap(minutes: 15.6),
          whileOpen: .exponential(mean: .seconds(6)))
      ) {
        $0.processes = [ProcessPlan(), ProcessPlan(start: .launchedLater)]
        $0.lifecycle.wakes = .exponential(mean: .seconds(24 * 60))
        $0.lifecycle.wakeCalls = 1
      },
      // It also calls in the background while it plays, which no field says.
      sessions(
        "media-player", "three visits in two days, of 25 minutes, with a call a minute",
        Usage(
          kind: .sessions, callers: 12, spread: .milliseconds(300), horizon: month,
          visit: visit(.seconds(1500), 0.8), gap: gap(minutes: 208),
          whileOpen: .constant(.seconds(60)))),
      sessions(
        "background-sync", "two visits a day, and a sync of three calls every half hour",
        Usage(
          kind: .sessions, callers: 3, spread: .milliseconds(300), horizon: month,
          visit: visit(.seconds(60), 1), gap: gap(minutes: 156))
      ) {
        $0.lifecycle.wakes = .constant(.seconds(1800))
        $0.lifecycle.wakeCalls = 3
      },
      // Fifty-seven a day were counted around the clock; sixteen waking hours hold as many as their gaps leave.
      sessions(
        "glance", "some forty short visits a day",
        Usage(
          kind: .sessions, callers: 2, spread: .milliseconds(300), horizon: month,
          visit: visit(.seconds(60), 1.2), gap: gap(minutes: 9, sigma: 1.3),
          whileOpen: .exponential(mean: .seconds(15)))),
      // One observed incident; how long the visit was is not published.
      sessions(
        "herd-resume", "visits 5 h 50 min apart that each send 101 calls at once",
        Usage(
          kind: .sessions, callers: 101, spread: .zero, horizon: month,
          visit: .constant(.seconds(60)), gap: .constant(.seconds(350 * 60)))),
    ]
  }

  private static let month = Duration.seconds(30 * 86_400)

  private static func visit(_ median: Duration, _ sigma: Double) -> Distribution {
    .logNormal(.median(median, sigma: sigma))
  }

  private static func gap(minutes: Double, sigma: Double = 1.5) -> Distribution {
    .logNormal(.median(.seconds(Int64((minutes * 60).rounded())), sigma: sigma))
  }

  /// Sessions with an app of iOS, unless the scenario has a lifecycle of its own.
  private static func sessions(
    _ name: String, _ summary: String, _ usage: Usage,
    _ change: @escaping (inout Scenario) -> Void = { _ in }
  ) -> Preset {
    Preset(kind: .usage, name: name, summary: summary) {
      $0.usage = usage
      if $0.lifecycle == LifecyclePolicy() { $0.lifecycle = iOS }
      change(&$0)
    }
  }
}
