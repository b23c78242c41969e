/// How an operation of an auth layer takes being repeated and being reordered, found by applying it.
///
/// Every state is built anew from the login on: two refreshes at zero, so that the store holds the first pair and
/// the answers with the second and the third are still on their way. After a pause come the operations. A
/// repetition comes one more pause later, and the state without it is read at the same instant. Two operations whose
/// order is in question happen at one instant, so that nothing but the order differs.
///
/// Access tokens of the server are no part of a state: each refresh adds one, whatever the policy, and they end by
/// themselves. Nor are overlapping exchanges, faults, and limits: every exchange reads its token at its commit.
public struct Sensitivity: Equatable, Sendable {
  /// The difference between applying it once and twice, if there is one.
  public let repetition: Difference?
  /// The first other operation, in both orders, whose order makes a difference, if there is one.
  public let order: Difference?
  /// Whether the server refused the repetition; the state may be the same all the same.
  public let isRepetitionRefused: Bool

  /// Which of the two the operation is sensitive to.
  public var kind: Kind {
    switch (repetition, order) {
    case (nil, nil): .robust
    case (_?, nil): .repeatSensitive
    case (nil, _?): .orderSensitive
    case (_?, _?): .doublySensitive
    }
  }

  /// Applies an operation of a client once, twice, and before and after each other one.
  ///
  /// - Parameters:
  ///   - operation: the operation.
  ///   - accepting: which answers the client stores.
  ///   - policy: the server's.
  ///   - pause: the time before the first operation, and before its repetition.
  public init(
    of operation: Operation, accepting: Accepting, at policy: ServerPolicy, pause: Duration
  ) {
    let world = SensitivityWorld(policy, accepting, pause)
    (repetition, isRepetitionRefused) = world.repetition(of: operation.usual)
    let others = Operation.allCases.flatMap(\.steps)
    order =
      operation.steps.lazy.flatMap { step in
        others.lazy.compactMap { world.order(of: $0, and: step) }
      }.first
  }
}

extension Sensitivity {
  /// What an operation can be sensitive to.
  public enum Kind: Sendable, CaseIterable {
    /// Neither repetition nor order.
    case robust
    /// Twice leaves another state than once.
    case repeatSensitive
    /// Two operations leave another state in the other order.
    case orderSensitive
    /// Both.
    case doublySensitive
  }

  /// An operation of an auth layer.
  public enum Operation: Sendable, CaseIterable {
    /// The answer of a refresh is written to the store.
    case store
    /// A refresh token is presented at the token endpoint.
    case redeem
    /// The store is cleared.
    case signOut
    /// The server is asked to revoke the session (RFC 7009).
    case revoke

    /// What is repeated: the operation with what is newest.
    fileprivate var usual: Step {
      switch self {
      case .store: .store(3)
      case .redeem: .redeem(3)
      case .signOut: .signOut
      case .revoke: .revoke
      }
    }

    /// All forms that it is reordered in: also as one that is late, or is a retry.
    fileprivate var steps: [Step] {
      switch self {
      case .store: [usual, .store(2)]
      case .redeem: [usual, .redeem(2)]
      case .signOut, .revoke: [usual]
      }
    }
  }

  /// Which answers a client stores.
  public enum Accepting: Sendable, CaseIterable {
    /// All: the last write wins.
    case always
    /// Those of a newer generation than the pair in the store, and none without a pair.
    case ifNewer
  }

  /// One operation as it is applied; pairs are numbered from the login on, which gives the first.
  public enum Step: Equatable, Sendable {
    /// The answer with this pair is written to the store.
    case store(_ pair: Int)
    /// The refresh token of this pair is presented.
    case redeem(_ pair: Int)
    /// The store is cleared.
    case signOut
    /// The server is asked to revoke the session.
    case revoke
  }

  /// What can be observed of the server and of the store.
  public struct State: Equatable, Sendable {
    /// The refresh tokens that the server would answer, in the order of minting.
    public let answered: [RefreshToken]
    /// Whether the server has revoked the family.
    public let isRevoked: Bool
    /// The access token in the store.
    public let storedAccess: AccessToken?
    /// The refresh token in the store.
    public let storedRefresh: RefreshToken?

    /// Whether a client that reads the store could go on: its refresh token would be answered.
    public var isSessionOn: Bool { storedRefresh.map(answered.contains) ?? false }
  }

  /// Two sequences of operations and the different states that they leave.
  public struct Difference: Equatable, Sendable {
    /// The one sequence.
    public let first: [Step]
    /// The other sequence.
    public let second: [Step]
    /// What the one leaves.
    public let afterFirst: State
    /// What the other leaves.
    public let afterSecond: State
  }
}

/// The server and the client of the sessions to which operations are applied.
struct SensitivityWorld {
  private let server: AuthorizationServer
  private let lifetime: Int64
  private let accepting: Sensitivity.Accepting
  private let pause: Int64

  init(_ policy: ServerPolicy, _ accepting: Sensitivity.Accepting, _ pause: Duration) {
    server = AuthorizationServer(policy)
    lifetime = policy.lifetime.longest.nanoseconds
    self.accepting = accepting
    self.pause = pause.nanoseconds
  }

  /// The difference between applying a step once and twice, and whether the second time was refused.
  func repetition(of step: Sensitivity.Step) -> (Sensitivity.Difference?, isRefused: Bool) {
    let once = outcome(of: [step], every: pause, seenAfter: 2 * pause)
    let twice = outcome(of: [step, step], every: pause, seenAfter: 2 * pause)
    return (difference(once, twice), twice.isLastRefused)
  }

  /// The difference that the order of two steps makes.
  func order(of first: Sensitivity.Step, and second: Sensitivity.Step) -> Sensitivity.Difference? {
    difference(
      outcome(of: [first, second], every: 0, seenAfter: pause),
      outcome(of: [second, first], every: 0, seenAfter: pause))
  }

  private func difference(_ first: Outcome, _ second: Outcome) -> Sensitivity.Difference? {
    guard first.state != second.state else { return nil }
    return Sensitivity.Difference(
      first: first.steps, second: second.steps, afterFirst: first.state, afterSecond: second.state)
  }

  /// What a sequence of steps led to.
  struct Outcome {
    let steps: [Sensitivity.Step]
    let state: Sensitivity.State
    let isLastRefused: Bool
  }

  /// Applies steps to a new session, the first of them one pause after the login.
  ///
  /// - Parameters:
  ///   - steps: the operations in turn.
  ///   - distance: the time from one to the next, in nanoseconds.
  ///   - end: when the state is read, in nanoseconds after the login.
  /// - Returns: the state, and how the last step ended.
  func outcome(
    of steps: [Sensitivity.Step], every distance: Int64, seenAfter end: Int64
  ) -> Outcome {
    var session = Session(server, lifetime)
    var isRefused = false
    for (index, step) in steps.enumerated() {
      let now = Instant(nanoseconds: pause + Int64(index) * distance)
      isRefused = !session.apply(step, accepting, at: now)
    }
    return Outcome(
      steps: steps, state: session.state(at: Instant(nanoseconds: end)), isLastRefused: isRefused)
  }
}

/// One session at the server and in the store.
private struct Session: ~Copyable {
  private let server: AuthorizationServer
  private let lifetime: Int64
  private var ledger = TokenLedger()
  private var store: StoredPair?
  private var pairs: [StoredPair] = []

  init(_ server: AuthorizationServer, _ lifetime: Int64) {
    self.server = server
    self.lifetime = lifetime
    keep(server.login(&ledger, at: .zero, lifetime: lifetime))
    store = pairs[0]
    for _ in 0..<2 { _ = redeem(pairs[pairs.count - 1].refresh, at: .zero) }
    precondition(pairs.count == 3, "The refresh tokens of this server end at once")
  }

  private mutating func keep(_ response: TokenResponse) {
    pairs.append(
      StoredPair(
        refresh: response.refreshToken, access: response.accessToken,
        believedEnd: response.expiry.nanoseconds, expiry: response.expiry,
        expiresIn: response.expiresIn))
  }

  /// Applies an operation.
  ///
  /// - Parameters:
  ///   - step: the operation.
  ///   - accepting: which answers are stored.
  ///   - now: the instant of its effect.
  /// - Returns: false if the server refused it.
  mutating func apply(
    _ step: Sensitivity.Step, _ accepting: Sensitivity.Accepting, at now: Instant
  ) -> Bool {
    switch step {
    case .store(let number):
      let pair = pairs[number - 1]
      if accepting == .always || isNewer(pair) { store = pair }
    case .redeem(let number): return redeem(pairs[number - 1].refresh, at: now)
    case .signOut: store = nil
    case .revoke: server.revoke(TokenFamily(id: 0), &ledger, at: now)
    }
    return true
  }

  private func isNewer(_ pair: StoredPair) -> Bool {
    store.map { ($0.access?.id ?? -1) < (pair.access?.id ?? -1) } ?? false
  }

  private mutating func redeem(_ token: RefreshToken, at now: Instant) -> Bool {
    let outcome = server.exchange(token, &ledger, at: now, readAt: now, lifetime: lifetime)
    guard case .granted(let response) = server.reply(to: outcome, Mishap()) else { return false }
    keep(response)
    return true
  }

  borrowing func state(at now: Instant) -> Sensitivity.State {
    let tokens = (0..<ledger.refreshTokens.count).map { RefreshToken(id: Int32($0)) }
    var answered: [RefreshToken] = []
    for token in tokens where server.wouldAnswer(token, ledger, at: now) { answered.append(token) }
    return Sensitivity.State(
      answered: answered, isRevoked: ledger[TokenFamily(id: 0)].revokedAt != nil,
      storedAccess: store?.access, storedRefresh: store?.refresh)
  }
}
