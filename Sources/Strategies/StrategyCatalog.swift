import SimCore

/// The strategies that have a name.
public enum StrategyCatalog {
  /// Those that are shown unless others are asked for, from the simplest to the most careful.
  public static let all: [Strategy] = [
    naive, naiveCaptured, actorOnly, inFlightOnly, serialQueue, singleFlight, singleFlightMargin,
    backgroundTask, backgroundTransfer, journal, crossProcess, best,
  ]

  /// The strategy with this name, among all and the best ones with a rule broken.
  ///
  /// - Parameter name: the name, as it is typed.
  /// - Returns: the strategy; nil if there is none.
  public static func strategy(named name: String) -> Strategy? {
    all.first { $0.name == name } ?? brokenRules.first { $0.strategy.name == name }?.strategy
  }

  /// No check before use; every 401 refreshes with the token in memory.
  static let naive = Strategy(
    name: "naive", summary: "every 401 refreshes, with the refresh token in memory",
    decisions: naiveDecisions)

  static let naiveCaptured = Strategy(
    name: "naive-captured",
    summary: "every 401 refreshes, with the refresh token that the call started with",
    decisions: changed(naiveDecisions) { $0.presents = .captured })

  static let actorOnly = Strategy(
    name: "actor-only",
    summary: "checks expiry before use, but nothing records a running refresh",
    decisions: changed(naiveDecisions) { $0.check = .margin(.zero) })

  static let inFlightOnly = Strategy(
    name: "in-flight-only",
    summary: "callers share a running refresh, but every 401 begins one, however late",
    decisions: changed(Decisions()) {
      $0.check = .none
      $0.afterUnauthorized = .refresh
      $0.duringRefresh = .useTrusted
    })

  static let serialQueue = Strategy(
    name: "serial-queue",
    summary: "refreshes run one after the other, but each 401 has one of its own",
    decisions: changed(naiveDecisions) {
      $0.merge = .queue
      $0.afterRejection = .clearPair
      $0.notices = .once
    })

  /// Callers share one refresh; a late 401 is just resent.
  public static let singleFlight = Strategy(
    name: "single-flight", summary: "callers share one refresh; a late 401 is just resent",
    decisions: Decisions())

  static let singleFlightMargin = Strategy(
    name: "single-flight+margin", summary: "the same, refreshing a margin before expiry",
    takesMargin: true,
    decisions: changed(Decisions()) { $0.check = .margin(Strategy.defaultMargin) })

  static let backgroundTask = Strategy(
    name: "background-task",
    summary: "the former, holding a background task from the sending to the store write",
    takesMargin: true,
    decisions: changed(singleFlightMargin.decisions) {
      $0.protection = .backgroundTask
      $0.retries = [.milliseconds(500), .seconds(1)]
      $0.retriesWhile = .protected
      $0.onFailure.timeout = .keep
      $0.onFailure.tooManyRequests = .keep
      $0.onFailure.serverError = .keep
    })

  static let backgroundTransfer = Strategy(
    name: "background-transfer",
    summary: "single-flight+margin, with refreshes that the system carries on without the app",
    takesMargin: true,
    decisions: changed(singleFlightMargin.decisions) { $0.protection = .backgroundTransfer })

  static let crossProcess = Strategy(
    name: "cross-process",
    summary: "single-flight+margin, with a lock between processes and the store read under it",
    takesMargin: true,
    decisions: changed(singleFlightMargin.decisions) {
      $0.lock = CrossProcessLock()
      $0.rereads = [.beforeSending, .afterUnauthorized, .resume]
      $0.rejection = .adoptNewer
    })

  static let journal = Strategy(
    name: "journal",
    summary: "background-task, repeating at the next start a refresh that a kill cut short",
    takesMargin: true,
    decisions: changed(backgroundTask.decisions) { $0.journal = true })

  private static let naiveDecisions = changed(Decisions()) {
    $0.check = .none
    $0.afterUnauthorized = .refresh
    $0.merge = .none
    $0.afterRejection = .keepPair
    $0.notices = .perFailedCall
  }

  static func changed(
    _ decisions: Decisions, _ change: (inout Decisions) -> Void
  ) -> Decisions {
    var decisions = decisions
    change(&decisions)
    return decisions
  }
}
