/// A pair as it stands in a store.
public struct StoredPair: Equatable, Sendable, BitwiseCopyable {
  /// The server's own end of the access token.
  public let expiry: WallTime
  /// The end of the access token as the client that wrote it believed it, by the clock of its choice.
  public let believedEnd: Int64
  /// The refresh token.
  public let refresh: RefreshToken
  /// The access token; nil where the client keeps that in memory only.
  public let access: AccessToken?
  /// The lifetime of the access token in whole seconds, as the answer that brought it said.
  public let expiresIn: Int32
  /// Whether a refresh with this pair was recorded as begun and not as ended.
  public let hasUnfinishedRefresh: Bool

  package init(
    refresh: RefreshToken, access: AccessToken?, believedEnd: Int64, expiry: WallTime,
    expiresIn: Int32, hasUnfinishedRefresh: Bool = false
  ) {
    self.refresh = refresh
    self.access = access
    self.believedEnd = believedEnd
    self.expiry = expiry
    self.expiresIn = expiresIn
    self.hasUnfinishedRefresh = hasUnfinishedRefresh
  }
}

/// What a client finds as it reads its store.
public enum StoreContent: Sendable, BitwiseCopyable {
  /// A pair.
  case pair(StoredPair)
  /// Nothing.
  case empty
  /// It cannot be read, because the device is locked.
  case unreadable
}

/// When the system lets a client at its store (the data protection of a keychain item or a file).
public enum ProtectionClass: Sendable, CaseIterable {
  /// From the first unlocking after a start of the device on.
  case afterFirstUnlock
  /// While the device is unlocked, and for a few seconds more.
  case whenUnlocked
}

/// A lock that processes take before they refresh.
public struct CrossProcessLock: Equatable, Sendable {
  /// Whom it keeps out.
  public enum Scope: Sendable, CaseIterable {
    /// Every process that shares the store.
    case store
    /// Nobody else: each process has a lock of its own, as where its name depends on the build.
    case process
  }

  /// What becomes of it as its holder is suspended.
  public enum WhileSuspended: Sendable, CaseIterable {
    /// It is held, and everyone waits.
    case kept
    /// It is given up.
    case released
    /// The system kills a process that holds one as it is suspended.
    case killed
  }

  /// Whom it keeps out.
  public var scope: Scope
  /// The share of attempts to take it that succeed although another holds it, from 0 to 1.
  public var leak: Double
  /// What becomes of it as its holder is suspended.
  public var whileSuspended: WhileSuspended

  /// A lock that keeps everyone out and is held through a suspension, unless told otherwise.
  public init(
    scope: Scope = .store, leak: Double = 0, whileSuspended: WhileSuspended = .kept
  ) {
    self.scope = scope
    self.leak = leak
    self.whileSuspended = whileSuspended
  }
}
