public import SimCore

/// What an auth layer decides, grouped by the moment at which it decides.
///
/// A described client is a value of this type, interpreted by ``DescribedClient``. Each default is what the
/// well-behaved strategies do; each comment names the failure that the decision prevents or causes.
public struct Decisions: Equatable, Sendable {
  // Before a call.

  /// Whether a token is used without a look at its end, or refreshed when no more than a margin is left.
  ///
  /// Without a check every token that has ended costs a 401.
  public var check = ClientProfile.Check.margin(.zero)
  /// The most of a token's lifetime that the margin takes; nil for no limit.
  ///
  /// Without one a margin as long as the lifetime refreshes on every call.
  public var marginCap: Double?
  /// A random part of up to this length that each pair adds to the margin.
  ///
  /// Without it clients that signed in together refresh together.
  public var marginJitter = Duration.zero
  /// How the end of an access token is worked out.
  ///
  /// A clock that is off is felt only by `absolute`.
  public var expiryBasis = ExpiryBasis.absolute
  /// The clock that the end is compared with.
  ///
  /// A clock that was set, or that stopped in sleep, keeps a dead token alive.
  public var clock = ClockChoice.wall
  /// What a call does that starts while a refresh runs.
  ///
  /// To wait costs time; to go on with a pair that is still trusted may cost a 401.
  public var duringRefresh = DuringRefresh.wait
  /// What a call does without a pair.
  ///
  /// A request without a token can only be refused.
  public var withoutPair = WithoutPair.fail
  /// What a store that cannot be read means.
  ///
  /// Taken for an empty one, a locked device signs the user out.
  public var storeUnreadable = StoreUnreadable.wait

  // After a 401.

  /// What a 401 leads to.
  ///
  /// Without a comparison of tokens, a straggler refreshes a pair that is new.
  public var afterUnauthorized = AfterUnauthorized.refreshUnlessSuperseded
  /// How often a call is sent again after a 401.
  ///
  /// Without a bound a missing scope would loop.
  public var resends = 1

  // When the store is read again.

  /// At which moments the store is read again, and what is found there adopted.
  ///
  /// A copy in memory goes stale when another process refreshes, and presents a spent token.
  public var rereads: Set<Reread> = []

  // On a schedule.

  /// Whether a refresh is due without a call.
  ///
  /// A chain that breaks with one failure never refreshes again.
  public var schedule = Schedule.none
  /// Whether a scheduled refresh looks at the token first, and does nothing if more than a margin is left.
  ///
  /// Two margins that disagree let it do nothing, and nothing arms it again.
  public var scheduleCheck = ClientProfile.Check.none

  // Starting a refresh.

  /// Whether this process refreshes.
  ///
  /// A second process that does spends the token of the first.
  public var refreshes = MayRefresh.yes
  /// The lock that a refresh takes before it is sent and gives up when its pair is stored; nil for none.
  ///
  /// Without one, two processes that share a store spend the same token.
  public var lock: CrossProcessLock?
  /// Whether a refresh is recorded in the store before it is sent, and repeated at the next start if no pair
  /// came of it.
  ///
  /// Without it a process that was killed learns of the spent token when the server's grace is long over.
  public var journal = false
  /// How concurrent refreshes meet.
  ///
  /// Where they do not, all but the first present a spent token.
  public var merge = Merge.singleFlight
  /// Who owns a refresh that callers share.
  ///
  /// Owned by a call, it dies with the call, though the server may have spent the token.
  public var owner = Owner.coordinator
  /// When the next refresh may start.
  ///
  /// Before the new pair is stored, a caller in between sees no refresh and the old tokens.
  public var slotCleared = SlotCleared.afterStore
  /// What a call that waits does when it is cancelled.
  public var waiters = Waiters.stay
  /// Whether refreshes before use and after a 401 share one flight.
  ///
  /// Two flights spend the same refresh token twice.
  public var flights = Flights.one
  /// Which refresh token a refresh presents.
  ///
  /// A captured one may be spent by then.
  public var presents = Presents.held
  /// Whether the refresh request goes past the client or through it.
  ///
  /// Through it, a refused refresh asks for a refresh; the chain is cut at three.
  public var refreshRequest = RefreshRequest.direct
  /// The most refreshes in a stretch of time; nil for any number.
  ///
  /// Without it a loop goes on until the server's own limit.
  public var quota: Quota?
  /// How long a refresh token that failed is not tried again.
  public var coolDown = Duration.zero

  // In flight.

  /// How long an answer is waited for; nil for ever.
  ///
  /// Without it one answer that never comes holds every later caller.
  public var timeout: Duration? = Duration.seconds(60)
  /// How long a call waits for a refresh; nil for as long as it takes.
  public var waiterDeadline: Duration?
  /// The pauses before a refresh that failed is sent again, where its kind of failure is retried.
  ///
  /// A lost answer is repeated within the server's grace only if the client tries soon.
  public var retries: [Duration] = []
  /// When a refresh may be retried.
  public var retriesWhile = RetriesWhile.always
  /// The random part by which a pause may grow, as a share of it.
  public var retryJitter = 0.0
  /// Whether a pause is at least as long as the server's `Retry-After`.
  public var heedsRetryAfter = true
  /// How long after its first sending a refresh is no longer retried; nil for any time.
  public var retryBudget: Duration?
  /// What keeps the app running while a refresh is in flight.
  ///
  /// Without it a suspension loses the answer.
  public var protection = Protection.none

  // On the answer.

  /// Which answers are taken.
  ///
  /// An answer that comes after a sign-out brings the user back.
  public var accept = Accept.always
  /// When the new pair is written.
  ///
  /// A pair that is used before it is stored is lost with the process.
  public var persist = Persist.beforeUse
  /// Which parts of a pair are written.
  ///
  /// Without the access token every start of a process costs a refresh.
  public var persistedParts = PersistedParts.pair
  /// When the system lets the client at its store.
  ///
  /// A store for the unlocked device alone loses what a refresh in the background returns.
  public var protectionClass = ProtectionClass.afterFirstUnlock
  /// The pauses before a pair that could not be written is written again.
  ///
  /// Without one a single failure leaves a spent token in the store.
  public var storeRetries: [Duration] = []
  /// What becomes of a pair that could not be written.
  ///
  /// Used anyway it works until the process ends, and the next one presents a spent token.
  public var afterFailedWrite = AfterFailedWrite.useAnyway
  /// What becomes of a token that lives no longer than the margin.
  ///
  /// To fail before storing it throws away a pair whose parent is spent.
  public var shortLived = ShortLived.use

  // On failure.

  /// What each kind of failure of a refresh leads to.
  ///
  /// A transient failure that ends the session signs the user out for nothing.
  public var onFailure = FailureTable()
  /// What a call does whose refresh before use failed.
  public var afterFailedCheck = AfterFailedCheck.failCall
  /// What a rejection leads to.
  ///
  /// The loser of a race that ends the session erases the pair of the winner.
  public var rejection = Rejection.endSession
  /// Whose rejection may end the session.
  public var endsSession = EndsSession.anyone
  /// What becomes of the pair when the session ends.
  ///
  /// A pair that stays is tried again in vain.
  public var afterRejection = AfterRejection.clearPair
  /// How often the app is told of a sign-out.
  public var notices = Notices.once

  // On sign-out.

  /// What becomes of a refresh that runs as the person signs out.
  public var onSignOut = OnSignOut.leaveRefresh
  /// Whether a sign-out revokes the session at the server (RFC 7009).
  public var revokesOnSignOut = false

  // Layers around authentication.

  /// The pauses before a call that failed in transport or with a 5xx is tried again.
  public var callRetries: [Duration] = []
  /// Whether that retry lies outside authentication or inside it.
  ///
  /// Inside, it repeats the request with a token that may have been replaced in the meantime.
  public var callRetryPlacement = Placement.outside
  /// Whether equal calls in flight share one.
  public var deduplicates = false

  /// The decisions of `single-flight`.
  public init() {}

  /// What is visible of these decisions from outside.
  public var profile: ClientProfile {
    ClientProfile(
      check: check, expiryBasis: expiryBasis, timeout: timeout,
      concurrency: merge != .none
        ? .merged : presents == .held ? .separateWithHeldToken : .separateWithCapturedToken,
      protectionClass: protectionClass, lock: lock,
      transfersInBackground: protection == .backgroundTransfer,
      holdsTask: protection == .backgroundTask)
  }
}
