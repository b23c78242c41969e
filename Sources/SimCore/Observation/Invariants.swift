/// What must hold in every run, checked from the facts alone and without the server's code.
package struct Invariants: ~Copyable {
  /// A rule of the model that a run broke.
  package enum Violation: String, Sendable, Codable {
    case timeRanBackwards = "time ran backwards"
    case judgementsDoNotAddUp = "refreshes are not the sum of their judgements"
    case callNeverEnded = "a call neither ended nor was reported stuck"
    case callEndedTwice = "a call ended that was not open"
    case twoLiveSuccessors = "a refresh token had two live successors without a policy that forks"
    case revokedTokenAnswered = "the server answered a token of a revoked family"
    case endedAccessAccepted = "the resource server accepted an access token that was ended"
  }

  /// The first rule that the run broke.
  package private(set) var violation: Violation?

  struct RefreshTrack {
    var family: Int32
    var parent: Int32
    var liveSuccessors: Int32 = 0
    var isSpent = false
  }

  /// The end of a family, and how many access tokens there were then.
  struct Revocation {
    let family: Int32
    let instant: Int64
    let accessTokens: Int
  }

  private let mayFork: Bool
  private let graceSupersedes: Bool
  private let raceSupersedes: Bool
  private let mayRevive: Bool
  private let revocationEndsAccess: Bool
  private let propagation: Int64
  private var lastInstant = Int64.min
  private var openCalls = 0
  private var arrived = 0
  private var judged = 0
  private var refreshTokens = ReusableArray<RefreshTrack>()
  private var familyOfAccess = ReusableArray<Int32>()
  private var revocations = ReusableArray<Revocation>()
  private var endedAccess = ReusableArray<Int32>()

  package init(_ policy: ServerPolicy) {
    // An ancestor that is answered with a sibling has no live child beside it, unless a revocation ended one.
    let graceForks =
      policy.parentGrace.reply == .sibling && policy.parentGrace.window != .lasting(.zero)
    // A crash leaves both tokens alive, or spends one without a fact that says so.
    let crashForks = policy.commit != .atomic && policy.crash > 0
    mayFork = graceForks || crashForks || policy.race == .fork || policy.graceCoversRevoked
    graceSupersedes = policy.parentGrace.reply == .siblingSupersedes
    raceSupersedes = policy.race == .lastWriter
    mayRevive = policy.graceCoversRevoked
    revocationEndsAccess = policy.reuseKillsAccess
    propagation = policy.propagation.nanoseconds
  }

  package mutating func reset() {
    violation = nil
    lastInstant = .min
    openCalls = 0
    arrived = 0
    judged = 0
    refreshTokens.removeAll()
    familyOfAccess.removeAll()
    revocations.removeAll()
    endedAccess.removeAll()
  }

  @inline(__always)
  package mutating func observe(_ fact: Fact, at now: Instant) {
    if now.nanoseconds < lastInstant { fail(.timeRanBackwards) }
    lastInstant = now.nanoseconds
    switch fact {
    case .callStarted: openCalls += 1
    case .callEnded, .callStuck:
      openCalls -= 1
      if openCalls < 0 { fail(.callEndedTwice) }
    case .refreshArrived: arrived += 1
    case .refreshJudged(_, let token, let judgement):
      judged += 1
      check(judgement, of: token)
    case .familyBegan(let family, let refresh, let access, _):
      note(refresh, family: family.id, parent: -1)
      note(access, family: family.id)
    case .familyRevoked(let family, _):
      revocations.append(
        Revocation(
          family: family.id, instant: now.nanoseconds, accessTokens: familyOfAccess.count))
    case .accessTokenEnded(let access): endedAccess.append(access.id)
    case .attemptJudged(_, _, let access?, .ok): checkAcceptance(of: access, at: now)
    default: break
    }
  }

  /// Checks what only the end of the run decides; a run cut short leaves requests unjudged.
  package mutating func finish(wasCutShort: Bool = false) {
    if wasCutShort ? arrived < judged : arrived != judged { fail(.judgementsDoNotAddUp) }
    if openCalls != 0 { fail(.callNeverEnded) }
  }

  private func isRevoked(_ family: Int32) -> Bool {
    (0..<revocations.count).contains { revocations[$0].family == family }
  }

  private mutating func fail(_ violation: Violation) {
    if self.violation == nil { self.violation = violation }
  }

  private mutating func note(_ refresh: RefreshToken, family: Int32, parent: Int32) {
    while refreshTokens.count <= Int(refresh.id) {
      refreshTokens.append(RefreshTrack(family: family, parent: parent))
    }
  }

  private mutating func note(_ access: AccessToken, family: Int32) {
    while familyOfAccess.count <= Int(access.id) { familyOfAccess.append(family) }
  }

  private mutating func check(_ judgement: Fact.Judgement, of token: RefreshToken) {
    let family = refreshTokens[Int(token.id)].family
    switch judgement {
    case .rejected, .refused: return
    case .rotated, .reissued, .graced: break
    }
    if !mayRevive, isRevoked(family) { fail(.revokedTokenAnswered) }
    switch judgement {
    case .rotated(let child, let access, _):
      if raceSupersedes { supersedeSuccessors(of: token) }
      spend(token)
      addSuccessor(child, to: token, family: family)
      note(access, family: family)
    case .graced(let child, let access, forked: true):
      if graceSupersedes { supersedeSuccessors(of: token) }
      addSuccessor(child, to: token, family: family)
      note(access, family: family)
    case .reissued(let access), .graced(_, let access, forked: false):
      note(access, family: family)
    case .rejected, .refused: break
    }
  }

  private mutating func supersedeSuccessors(of token: RefreshToken) {
    for id in Int(token.id) + 1..<refreshTokens.count where refreshTokens[id].parent == token.id {
      spend(RefreshToken(id: Int32(id)))
    }
  }

  private mutating func spend(_ token: RefreshToken) {
    guard !refreshTokens[Int(token.id)].isSpent else { return }
    refreshTokens[Int(token.id)].isSpent = true
    let parent = refreshTokens[Int(token.id)].parent
    if parent >= 0 { refreshTokens[Int(parent)].liveSuccessors -= 1 }
  }

  private mutating func addSuccessor(
    _ child: RefreshToken, to parent: RefreshToken, family: Int32
  ) {
    note(child, family: family, parent: parent.id)
    refreshTokens[Int(parent.id)].liveSuccessors += 1
    if refreshTokens[Int(parent.id)].liveSuccessors > 1, !mayFork { fail(.twoLiveSuccessors) }
  }

  private mutating func checkAcceptance(of access: AccessToken, at now: Instant) {
    if endedAccess.isEmpty && revocations.isEmpty { return }
    let isEnded = (0..<endedAccess.count).contains { endedAccess[$0] == access.id }
    if isEnded || (revocationEndsAccess && isKnownAsRevoked(access, at: now)) {
      fail(.endedAccessAccepted)
    }
  }

  /// Whether the resource server has learnt that the family of an access token was revoked after its minting.
  private func isKnownAsRevoked(_ access: AccessToken, at now: Instant) -> Bool {
    let family = familyOfAccess[Int(access.id)]
    return (0..<revocations.count).contains {
      let revocation = revocations[$0]
      return revocation.family == family && Int(access.id) < revocation.accessTokens
        && now.nanoseconds - revocation.instant >= propagation
    }
  }
}
