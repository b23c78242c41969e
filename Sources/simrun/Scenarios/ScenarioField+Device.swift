import SimCore

extension ScenarioField {
  /// Where the client persists its pair.
  static var store: [ScenarioField] {
    [
      .init(
        "store.write", \.store.write, DistributionText.codec, hasMembers: true,
        "how long the client's write of a pair to its store takes"),
      .init(
        "store.read", \.store.read, DistributionText.codec, hasMembers: true,
        "how long the client's reading of its store takes"),
      .init("store.failures", \.store.failures, .share, "share of writes to the store that fail"),
      .init(
        "store.clearingSeen", \.store.clearingSeen, .choice(),
        "when a process learns that another has cleared the store that they share"),
    ]
  }

  /// When the person leaves, and what the system then does with the app.
  static var lifecycle: [ScenarioField] { departure + background }

  private static var departure: [ScenarioField] {
    [
      .init(
        "lifecycle.leaves", \.lifecycle.leaves, LifecycleText.departure,
        "when the person leaves the app after an opening"),
      .init(
        "lifecycle.returns", \.lifecycle.returns, DistributionText.codec, hasMembers: true,
        "how long the person stays away before opening the screen again"),
      .init(
        "lifecycle.suspendAfter", \.lifecycle.suspendAfter, DistributionText.codec,
        hasMembers: true, "how long the app runs in the background before it is suspended"),
      .init(
        "lifecycle.backgroundBudget", \.lifecycle.backgroundBudget, .duration,
        "how long after leaving a background task can hold off the suspension"),
      .init(
        "lifecycle.socketSurvives", \.lifecycle.socketSurvives, .duration,
        "the longest suspension that keeps the connections"),
    ]
  }

  private static var background: [ScenarioField] {
    let distribution = DistributionText.codec.optional(none: "none")
    return [
      .init(
        "lifecycle.killedAfter", \.lifecycle.killedAfter, distribution, hasMembers: true,
        "how long a suspended app is kept in memory; none is for ever"),
      .init(
        "lifecycle.locks", \.lifecycle.locks, .share,
        "share of departures after which the device is locked, until the return"),
      .init(
        "lifecycle.lockedAfter", \.lifecycle.lockedAfter, DistributionText.codec,
        hasMembers: true, "how long after leaving the app the device is locked"),
      .init(
        "lifecycle.wakes", \.lifecycle.wakes, distribution, hasMembers: true,
        "time between two wakes in the background, of the last process while nobody uses it"),
      .init(
        "lifecycle.wakeLength", \.lifecycle.wakeLength, .positiveDuration,
        "how long a wake lets the code run"),
      .init(
        "lifecycle.wakeCalls", \.lifecycle.wakeCalls, .integer(0...1000),
        "calls that a wake sends"),
    ]
  }

  /// Who holds the session.
  static var processes: [ScenarioField] {
    [
      .init(
        "processes", \.processes, ProcessText.codec,
        "the processes that hold the session, numbered from 1; the person uses the first")
    ]
  }
}
