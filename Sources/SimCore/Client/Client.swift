/// The auth layer of an app: one event in, effects out.
///
/// The simulation calls it with what a client could see and carries out what it asks for. A client never
/// learns the true time, the state of a server, or the fate of a message that it was not told.
///
/// The simulation promises: `signedIn` comes first; each `send` is followed by one `callAnswered`, `callFailed`,
/// or `callCancelled`, each `refresh` by one `refreshAnswered` or `refreshFailed` unless it is abandoned, each
/// `store` by one `stored` or `storeFailed`, each `readStore` by one `storeRead`, each `acquireLock` by one
/// `lockGranted` unless `releaseLock` comes first, unless the process ends; nothing is delivered while the
/// process is suspended. A process that starts anew is told `launched` first.
public protocol Client: ~Copyable {
  /// What the world and the prediction must know of the client before it starts.
  var profile: ClientProfile { get }

  /// Forgets everything, to begin another run.
  ///
  /// - Parameter chance: the random numbers that the client may use in this run.
  mutating func reset(_ chance: ClientChance)

  /// Takes an event and appends what should follow to `effects`, in order.
  ///
  /// - Parameters:
  ///   - event: what the client learns.
  ///   - now: what the device's clocks show.
  ///   - effects: an empty list to fill.
  mutating func handle(_ event: ClientEvent, now: ClockReading, effects: inout ClientEffects)
}

/// The random numbers of a client, such as for jitter: the same in each run with the same seed and number.
public struct ClientChance: Sendable {
  private let stream: RandomStream
  private let process: Int

  package init(_ stream: RandomStream, process: Int = 0) {
    self.stream = stream
    self.process = process
  }

  /// A number strictly between 0 and 1.
  ///
  /// - Parameters:
  ///   - number: which one of those that the client asks for one after the other.
  ///   - purpose: what it is for; those for one purpose do not move those for another.
  /// - Returns: the number.
  public func unit(_ number: Int, for purpose: Int) -> Double {
    var draws = stream.draws(
      at: DrawAddress(.chance, process: process, number: number, part: purpose))
    return draws.unit()
  }
}

/// How a client works out the end of an access token.
public enum ExpiryBasis: Sendable, CaseIterable {
  /// The `exp` of the token against the wall clock.
  case absolute
  /// `expires_in` added to the moment when the answer was read.
  case receivedAt
  /// `expires_in` added to the moment when the request was sent.
  case sentAt
  /// The `exp` of the token against the wall clock, corrected by the `Date` of the answer.
  case absoluteCorrected
}

/// What is known of a client from outside.
public struct ClientProfile: Equatable, Sendable {
  /// How it decides whether a token is still good before it uses it.
  public enum Check: Equatable, Sendable {
    /// It uses whatever it holds.
    case none
    /// It refreshes first when no more than this is left.
    case margin(Duration)
  }

  /// How concurrent refreshes meet, for the prediction of sign-outs.
  public enum Concurrency: Equatable, Sendable {
    /// Callers share one refresh.
    case merged
    /// Each caller refreshes with the refresh token in memory at that moment.
    case separateWithHeldToken
    /// Each caller refreshes with the refresh token that it started with.
    case separateWithCapturedToken
  }

  /// The check before use.
  public var check: Check
  /// How it works out the end of an access token.
  public var expiryBasis: ExpiryBasis
  /// How long it waits for the answer to a request; nil for ever.
  public var timeout: Duration?
  /// How concurrent refreshes meet.
  public var concurrency: Concurrency
  /// When the system lets it at its store.
  public var protectionClass: ProtectionClass
  /// The lock that it takes before it refreshes; nil for none.
  public var lock: CrossProcessLock?
  /// Whether the system carries its refreshes on while it is suspended or gone.
  public var transfersInBackground: Bool
  /// Whether it holds a background task while it refreshes.
  public var holdsTask: Bool

  /// A profile from its parts.
  public init(
    check: Check, expiryBasis: ExpiryBasis, timeout: Duration?, concurrency: Concurrency,
    protectionClass: ProtectionClass = .afterFirstUnlock, lock: CrossProcessLock? = nil,
    transfersInBackground: Bool = false, holdsTask: Bool = false
  ) {
    self.check = check
    self.expiryBasis = expiryBasis
    self.timeout = timeout
    self.concurrency = concurrency
    self.protectionClass = protectionClass
    self.lock = lock
    self.transfersInBackground = transfersInBackground
    self.holdsTask = holdsTask
  }
}
