/// What must hold in every run, checked from the facts alone and without the server's code.
package struct Invariants {
  /// A rule of the model that a run broke.
  package enum Violation: String, Sendable {
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

  private struct RefreshTrack {
    var family: Int32
    var parent: Int32
    var liveSuccessors: Int32 = 0
    var isSpent = false
  }

  private let mayFork: Bool
  private let supersedes: Bool
  private let revocationEndsAccess: Bool
  private var lastInstant = Int64.min
  private var openCalls = 0
  private var arrived = 0
  private var judged = 0
  private var refreshTokens = ReusableArray<RefreshTrack>()
  private var familyOfAccess = ReusableArray<Int32>()
  private var revokedFamilies = ReusableArray<Int32>()
  private var endedAccess = ReusableArray<Int32>()

  package init(_ policy: ServerPolicy) {
    mayFork = policy.parentGrace.reply == .sibling
    supersedes = policy.parentGrace.reply == .siblingSupersedes
    revocationEndsAccess = policy.reuseKillsAccess
  }

  package mutating func reset() {
    violation = nil
    lastInstant = .min
    openCalls = 0
    arrived = 0
    judged = 0
    refreshTokens.removeAll()
    familyOfAccess.removeAll()
    revokedFamilies.removeAll()
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
    case .familyBegan(let family, let refresh, let access):
      note(refresh, family: family.id, parent: -1)
      note(access, family: family.id)
    case .familyRevoked(let family, _): revokedFamilies.append(family.id)
    case .accessTokenEnded(let access): endedAccess.append(access.id)
    case .attemptJudged(_, _, let access?, .ok): checkAcceptance(of: access)
    default: break
    }
  }

  /// Checks what only the end of the run decides; a run cut short leaves requests unjudged.
  package mutating func finish(wasCutShort: Bool = false) {
    if wasCutShort ? arrived < judged : arrived != judged { fail(.judgementsDoNotAddUp) }
    if openCalls != 0 { fail(.callNeverEnded) }
  }

  private func contains(_ list: ReusableArray<Int32>, _ id: Int32) -> Bool {
    (0..<list.count).contains { list[$0] == id }
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
    if contains(revokedFamilies, family) { fail(.revokedTokenAnswered) }
    switch judgement {
    case .rotated(let child, let access, _):
      spend(token)
      addSuccessor(child, to: token, family: family)
      note(access, family: family)
    case .graced(let child, let access, forked: true):
      if supersedes { refreshTokens[Int(token.id)].liveSuccessors = 0 }
      addSuccessor(child, to: token, family: family)
      note(access, family: family)
    case .reissued(let access), .graced(_, let access, forked: false):
      note(access, family: family)
    case .rejected, .refused: break
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

  private mutating func checkAcceptance(of access: AccessToken) {
    if endedAccess.isEmpty && revokedFamilies.isEmpty { return }
    let family = familyOfAccess[Int(access.id)]
    if contains(endedAccess, access.id)
      || (revocationEndsAccess && contains(revokedFamilies, family))
    {
      fail(.endedAccessAccepted)
    }
  }
}
