import SimCore

/// What no client library combines, and what each of its rules is worth.
extension StrategyCatalog {
  /// Every rule that prevents a loss of the session, at once.
  public static let best = Strategy(
    name: "best", summary: "every rule at once that prevents the loss of a session",
    takesMargin: true,
    decisions: changed(Decisions()) {
      // Before a call: a clock that nobody sets, and a margin that a short-lived token does not exhaust.
      $0.check = .margin(Strategy.defaultMargin)
      $0.marginCap = 0.5
      $0.expiryBasis = .sentAt
      $0.clock = .continuous
      $0.afterFailedCheck = .useTrusted
      // A refresh: one at a time in every process, of the newest pair that there is, known to the next start.
      $0.lock = CrossProcessLock(whileSuspended: .released)
      $0.rereads = [.afterUnauthorized, .resume, .beforeSending]
      $0.journal = true
      $0.protection = .backgroundTask
      $0.retries = [.milliseconds(500), .seconds(1), .seconds(2)]
      $0.retryJitter = 0.2
      $0.waiters = .leave
      // Its answer: not after a sign-out, and not before it is written.
      $0.accept = .ifSessionUnchanged
      $0.storeRetries = [.milliseconds(100), .milliseconds(500), .seconds(2)]
      $0.afterFailedWrite = .failCalls
      // Its failure: only the rejection of the newest pair ends the session.
      $0.rejection = .adoptNewer
      $0.endsSession = .presenterOfCurrent
      $0.onSignOut = .cancelRefresh
      $0.revokesOnSignOut = true
    })

  /// The best strategy with one rule broken, for each rule.
  public static let brokenRules: [(rule: String, strategy: Strategy)] = [
    // Before a call.
    broken("check") { $0.check = .none },
    broken("clock-that-nobody-sets") {
      $0.expiryBasis = .absolute
      $0.clock = .wall
    },
    broken("trust-after-a-failed-check") { $0.afterFailedCheck = .failCall },
    broken("wait-for-unlock") { $0.storeUnreadable = .absent },
    // A refresh.
    broken("token-comparison") { $0.afterUnauthorized = .refresh },
    broken("single-flight") { $0.merge = .none },
    broken("coordinator") { $0.owner = .startingCall },
    broken("lock") { $0.lock = nil },
    broken("rereading") { $0.rereads = [] },
    broken("journal") { $0.journal = false },
    broken("background-task") { $0.protection = .none },
    broken("quick-retries") { $0.retries = [] },
    broken("timeout") { $0.timeout = nil },
    broken("waiters-that-leave") { $0.waiters = .stay },
    // Its answer.
    broken("session-comparison") { $0.accept = .always },
    broken("store-before-use") { $0.persist = .writeThrough },
    broken("slot-until-stored") { $0.slotCleared = .beforeStore },
    broken("store-retries") { $0.storeRetries = [] },
    broken("failed-write-seen") { $0.afterFailedWrite = .useAnyway },
    broken("store-while-locked") { $0.protectionClass = .whenUnlocked },
    broken("stored-access-token") { $0.persistedParts = .refreshTokenOnly },
    // Its failure.
    broken("patience") {
      $0.onFailure.transport = .endSession
      $0.onFailure.timeout = .endSession
      $0.onFailure.tooManyRequests = .endSession
      $0.onFailure.serverError = .endSession
    },
    broken("adoption") { $0.rejection = .endSession },
    broken("current-presenter") { $0.endsSession = .anyone },
    broken("clearing") {
      $0.afterRejection = .keepPair
      $0.notices = .perFailedCall
    },
    // The sign-out.
    broken("cancellation-at-sign-out") { $0.onSignOut = .leaveRefresh },
    broken("revocation-at-sign-out") { $0.revokesOnSignOut = false },
  ]

  private static func broken(
    _ rule: String, _ change: (inout Decisions) -> Void
  ) -> (rule: String, strategy: Strategy) {
    let name = "best-without-\(rule)"
    let summary = "the best, without one rule: \(rule.split(separator: "-").joined(separator: " "))"
    return (
      rule,
      Strategy(
        name: name, summary: summary, takesMargin: rule != "check",
        decisions: changed(best.decisions, change))
    )
  }
}
