import SimCore

extension Preset {
  /// What systems do with an app that is left.
  ///
  /// When the person leaves and what the app does in the background is the use's, so these keep it.
  static var lifecycles: [Preset] {
    [
      Preset(
        kind: .lifecycle, name: "stays",
        summary: "the person stays, unless lifecycle.leaves says when; nothing is killed or locked"
      ) { $0.lifecycle = LifecyclePolicy() },
      lifecycle("ios", "iOS from 13 on: soon suspended without connections, 30 s for a task", iOS),
      lifecycle(
        "ios-legacy", "iOS from 7 to 12: the same, with three minutes for a background task",
        legacyIOS),
      lifecycle(
        "android", "Android from 14 on: frozen after 10 s, connections kept for a while", android),
    ]
  }

  private static func lifecycle(
    _ name: String, _ summary: String, _ system: LifecyclePolicy
  ) -> Preset {
    Preset(kind: .lifecycle, name: name, summary: summary) {
      let before = $0.lifecycle
      $0.lifecycle = system
      $0.lifecycle.leaves = before.leaves
      $0.lifecycle.returns = before.returns
      $0.lifecycle.wakes = before.wakes
      $0.lifecycle.wakeCalls = before.wakeCalls
    }
  }

  static var iOS: LifecyclePolicy {
    LifecyclePolicy(
      // Published is only that an app has 5 s to return from the callback; the rest is a guess.
      suspendAfter: .uniform(from: .milliseconds(500), to: .seconds(5)),
      // Published: about 30 s with a background task.
      backgroundBudget: .seconds(30),
      // Published: connections do not outlive a suspension.
      socketSurvives: .zero,
      // Not published: how long a suspended app stays in memory, and how often people lock the device.
      killedAfter: .exponential(mean: .seconds(3 * 3600)), locks: 0.6,
      lockedAfter: .uniform(from: .zero, to: .seconds(30)),
      // Published: a background fetch has 30 s.
      wakeLength: .seconds(30))
  }

  private static var legacyIOS: LifecyclePolicy {
    var policy = iOS
    // Observed by many, never promised.
    policy.backgroundBudget = .seconds(180)
    return policy
  }

  private static var android: LifecyclePolicy {
    var policy = iOS
    // Published: a cached app is frozen after 10 s.
    policy.suspendAfter = .constant(.seconds(10))
    // A foreground service has no limit; ten minutes are what a job of the work manager gets.
    policy.backgroundBudget = .seconds(600)
    // Published is only that connections are kept; that peers drop them after some minutes is a guess.
    policy.socketSurvives = .seconds(300)
    policy.wakeLength = .seconds(600)
    return policy
  }
}
