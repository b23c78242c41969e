// The values of decisions about the store, and about the processes that share it.

extension Decisions {
  /// What a store that cannot be read means.
  public enum StoreUnreadable: Equatable, Sendable, CaseIterable {
    /// Nothing: who starts waits for the unlocking, who runs goes on with the pair in memory.
    case wait
    /// That there is no login.
    case absent
  }

  /// A moment at which the store is read again.
  public enum Reread: Equatable, Sendable, CaseIterable {
    /// After a 401 that would lead to a refresh.
    case afterUnauthorized
    /// As a tick of the schedule falls due, which then looks at what was found.
    case tick
    /// As the process runs again after a suspension.
    case resume
    /// Before a refresh is sent, once it has the lock where there is one.
    ///
    /// It is not sent if what was found will do.
    case beforeSending
  }

  /// Whether a process refreshes.
  public enum MayRefresh: Equatable, Sendable, CaseIterable {
    /// It does.
    case yes
    /// It reads the store instead, and does without where that has nothing better.
    case never
  }

  /// Which parts of a pair are written.
  public enum PersistedParts: Equatable, Sendable, CaseIterable {
    /// Both tokens.
    case pair
    /// The refresh token only.
    case refreshTokenOnly
  }

  /// What becomes of a pair that could not be written.
  public enum AfterFailedWrite: Equatable, Sendable, CaseIterable {
    /// It is used from memory as though it were stored.
    case useAnyway
    /// The calls that waited fail, and the next that needs a token has the pair written before it is used.
    case failCalls
  }
}
