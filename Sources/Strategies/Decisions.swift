public import SimCore

/// What an auth layer decides, grouped by the moment at which it decides.
///
/// A described client is a value of this type, interpreted by ``DescribedClient``. Each default is what the
/// well-behaved strategies do.
public struct Decisions: Equatable, Sendable {
  /// What a 401 leads to.
  public enum AfterUnauthorized: Equatable, Sendable, CaseIterable {
    /// The app gets it.
    case giveBack
    /// A refresh, whatever the token was. A straggler then refreshes a pair that is new.
    case refresh
    /// A refresh only if the rejected token is still the current one; otherwise the call is just resent.
    case refreshUnlessSuperseded
  }

  /// How concurrent refreshes meet.
  public enum Merge: Equatable, Sendable, CaseIterable {
    /// They do not: each caller that needs a refresh sends one, and all but the first are reuses.
    case none
    /// Callers share the refresh that is running; it ends once its pair is in the store.
    case singleFlight
  }

  /// Which refresh token a refresh presents.
  public enum Presents: Equatable, Sendable, CaseIterable {
    /// The one in memory when the refresh starts.
    case held
    /// The one that was in memory when the call started, which may be spent by then.
    case captured
  }

  /// What keeps the app running while a refresh is in flight.
  public enum Protection: Equatable, Sendable, CaseIterable {
    /// Nothing: a suspension loses the answer.
    case none
    /// A background task from the sending to the write of the pair.
    case backgroundTask
  }

  /// What becomes of the pair when the server answers `invalid_grant`.
  public enum AfterRejection: Equatable, Sendable, CaseIterable {
    /// It is cleared, so that later calls fail without a request.
    case clearPair
    /// It stays, and every later call tries again in vain.
    case keepPair
  }

  /// How often the app is told of a sign-out.
  public enum Notices: Equatable, Sendable, CaseIterable {
    /// Once per session.
    case once
    /// Once per call that fails of it.
    case perFailedCall
  }

  // Before a call.

  /// Whether a token is used without a look at its end.
  ///
  /// Without a check every token that has ended costs a 401.
  public var check = ClientProfile.Check.margin(.zero)
  /// How the end of an access token is worked out.
  ///
  /// A clock that is off is felt only by `absolute`.
  public var expiryBasis = ExpiryBasis.absolute

  // After a 401.

  /// What a 401 leads to.
  public var afterUnauthorized = AfterUnauthorized.refreshUnlessSuperseded
  /// How often a call is sent again after a 401.
  ///
  /// Without a bound a missing scope would loop.
  public var resends = 1

  // Starting a refresh.

  /// How concurrent refreshes meet.
  public var merge = Merge.singleFlight
  /// Which refresh token a refresh presents.
  public var presents = Presents.held

  // In flight.

  /// How long an answer is waited for.
  ///
  /// Without it a call may hang for ever.
  public var timeout = Duration.seconds(60)
  /// What keeps the app running while a refresh is in flight.
  public var protection = Protection.none
  /// The pauses before a refresh that failed in transport is sent again while its background task is held.
  public var protectedRetries: [Duration] = []

  // On failure.

  /// What becomes of the pair when the server answers `invalid_grant`.
  public var afterRejection = AfterRejection.clearPair
  /// How often the app is told of a sign-out.
  public var notices = Notices.once

  /// The decisions of `single-flight`.
  public init() {}

  /// What is visible of these decisions from outside.
  public var profile: ClientProfile {
    ClientProfile(
      check: check, expiryBasis: expiryBasis, timeout: timeout,
      concurrency: merge == .singleFlight
        ? .merged : presents == .held ? .separateWithHeldToken : .separateWithCapturedToken)
  }
}
