import SimCore
import Strategies

extension DecisionField {
  /// The decisions in the order of `show`, grouped by the moment at which they are taken.
  static var all: [DecisionField] {
    beforeCall + onSchedule + startingRefresh + inFlight + onAnswer + onFailure + onSignOut + layers
  }

  private static var beforeCall: [DecisionField] {
    [
      .init(
        "check", \.check, DecisionsText.check,
        "the margin before the end at which a token is refreshed before use, or none for no check"),
      .init(
        "marginCap", \.marginCap, FieldCodec.share.optional(none: "none"),
        "the most of a token's lifetime that the margin takes"),
      .init(
        "marginJitter", \.marginJitter, .duration,
        "a random part of up to this length that each pair adds to the margin"),
      .init(
        "expiryBasis", \.expiryBasis, .choice(), "how the end of an access token is worked out"),
      .init("clock", \.clock, .choice(), "the clock that the end is compared with"),
      .init(
        "duringRefresh", \.duringRefresh, .choice(),
        "what a call does that starts while a refresh runs"),
      .init("withoutPair", \.withoutPair, .choice(), "what a call does without a pair"),
      .init(
        "storeUnreadable", \.storeUnreadable, .choice(),
        "what a store means that cannot be read because the device is locked"),
      .init(
        "afterUnauthorized", \.afterUnauthorized, .choice(),
        "what a 401 leads to: it is given back, refreshes, or refreshes unless a newer token is there"
      ),
      .init("resends", \.resends, .integer(0...100), "how often a call is sent again after a 401"),
    ]
  }

  private static var onSchedule: [DecisionField] {
    [
      .init(
        "schedule", \.schedule, DecisionsText.schedule,
        "when a refresh is due without a call; a chain is armed by its own success only"),
      .init(
        "scheduleCheck", \.scheduleCheck, DecisionsText.check,
        "the time left above which a scheduled refresh does nothing, or none for a refresh in any case"
      ),
    ]
  }

  private static var startingRefresh: [DecisionField] {
    [
      .init("merge", \.merge, .choice(), "how concurrent refreshes meet"),
      .init(
        "owner", \.owner, .choice(),
        "who owns a shared refresh: a coordinator, or the call that began it and whose cancellation ends it"
      ),
      .init("slotCleared", \.slotCleared, .choice(), "when the next refresh may start"),
      .init(
        "waiters", \.waiters, .choice(), "what a call that waits does when it is cancelled"),
      .init(
        "flights", \.flights, .choice(),
        "whether refreshes before use and after a 401 share one flight"),
      .init(
        "presents", \.presents, .choice(),
        "which refresh token a refresh presents: the one in memory, or the one captured as the call started"
      ),
      .init(
        "rereads", \.rereads, .set(),
        "when the store is read again, so that a pair that is found there is adopted"),
      .init("refreshes", \.refreshes, .choice(), "which of several processes may refresh"),
      .init(
        "lock", \.lock, DecisionsText.lock,
        "the lock that is taken before a refresh, its leak, and what becomes of it in a suspension"),
      .init(
        "journal", \.journal, .boolean,
        "whether a refresh is recorded before it is sent, and finished after a kill"),
      .init(
        "refreshRequest", \.refreshRequest, .choice(),
        "whether the request goes past the client that refreshes on an error, or through it"),
      .init(
        "quota", \.quota, DecisionsText.quota,
        "the most refreshes in a stretch of time; calls beyond it fail"),
      .init(
        "coolDown", \.coolDown, .duration,
        "how long a refresh token that failed is not tried again"),
    ]
  }

  private static var inFlight: [DecisionField] {
    [
      .init(
        "timeout", \.timeout, FieldCodec.positiveDuration.optional(none: "none"),
        "how long an answer is waited for"),
      .init(
        "waiterDeadline", \.waiterDeadline, FieldCodec.positiveDuration.optional(none: "none"),
        "how long a call waits for a refresh"),
      .init(
        "retries", \.retries, DecisionsText.pauses,
        "the pauses before a refresh that failed is sent again"),
      .init("retriesWhile", \.retriesWhile, .choice(), "when a refresh may be retried"),
      .init(
        "retryJitter", \.retryJitter, .number(0...1),
        "the random part by which a pause may grow, as a share of it"),
      .init(
        "heedsRetryAfter", \.heedsRetryAfter, .boolean,
        "whether a pause is at least as long as the server's Retry-After"),
      .init(
        "retryBudget", \.retryBudget, FieldCodec.duration.optional(none: "none"),
        "how long after its first sending a refresh is no longer retried"),
      .init(
        "protection", \.protection, .choice(),
        "what keeps the app running while a refresh is in flight"),
    ]
  }

  private static var onAnswer: [DecisionField] {
    [
      .init("accept", \.accept, .choice(), "which answers of a refresh are taken"),
      .init("persist", \.persist, .choice(), "when the new pair is written to the store"),
      .init(
        "persistedParts", \.persistedParts, .choice(), "what of the new pair is written"),
      .init(
        "protectionClass", \.protectionClass, .choice(),
        "when the system lets the client at what it stored"),
      .init(
        "storeRetries", \.storeRetries, DecisionsText.pauses,
        "the pauses before a write that failed is tried again"),
      .init(
        "afterFailedWrite", \.afterFailedWrite, .choice(),
        "what becomes of a new pair that could not be written"),
      .init(
        "shortLived", \.shortLived, .choice(),
        "what becomes of a token that lives no longer than the margin"),
    ]
  }

  private static var onFailure: [DecisionField] {
    func failure(
      _ name: String, _ keyPath: WritableKeyPath<Decisions, Decisions.Reaction>, _ what: String
    ) -> DecisionField {
      .init("onFailure.\(name)", keyPath, .choice(), "what a refresh leads to that \(what)")
    }
    return [
      failure("transport", \.onFailure.transport, "fails in transport"),
      failure("timeout", \.onFailure.timeout, "is not answered in time"),
      failure("cancelled", \.onFailure.cancelled, "is cancelled with the call that owns it"),
      failure("forbidden", \.onFailure.forbidden, "is answered 403"),
      failure("tooManyRequests", \.onFailure.tooManyRequests, "is answered 429"),
      failure("clientError", \.onFailure.clientError, "is answered with another 4xx"),
      failure("serverError", \.onFailure.serverError, "is answered with a 5xx"),
      failure("malformed", \.onFailure.malformed, "is answered with something that cannot be read"),
      failure("invalidGrant", \.onFailure.invalidGrant, "is answered invalid_grant"),
      .init(
        "afterFailedCheck", \.afterFailedCheck, .choice(),
        "what a call does whose refresh before use failed"),
      .init("rejection", \.rejection, .choice(), "what a rejection leads to"),
      .init("endsSession", \.endsSession, .choice(), "whose rejection may end the session"),
      .init(
        "afterRejection", \.afterRejection, .choice(),
        "what becomes of the pair when the session ends"),
      .init("notices", \.notices, .choice(), "how often the app is told of a sign-out"),
    ]
  }

  private static var onSignOut: [DecisionField] {
    [
      .init(
        "onSignOut", \.onSignOut, .choice(),
        "what becomes of a refresh that runs as the person signs out"),
      .init(
        "revokesOnSignOut", \.revokesOnSignOut, .boolean,
        "whether a sign-out revokes the session at the server"),
    ]
  }

  private static var layers: [DecisionField] {
    [
      .init(
        "callRetries", \.callRetries, DecisionsText.pauses,
        "the pauses before a call that failed in transport or with a 5xx is tried again"),
      .init(
        "callRetryPlacement", \.callRetryPlacement, .choice(),
        "whether each try passes through authentication again or repeats the request with the same token"
      ),
      .init(
        "deduplicates", \.deduplicates, .boolean, "whether equal calls in flight share one"),
    ]
  }
}
