import SimCore
import Testing

/// Each rule is broken on purpose, and the fold says so.
struct InvariantsTests {
  private let family = TokenFamily(id: 0)
  private let r1 = RefreshToken(id: 0)
  private let r2 = RefreshToken(id: 1)
  private let r3 = RefreshToken(id: 2)
  private let a1 = AccessToken(id: 0)
  private let a2 = AccessToken(id: 1)
  private let a3 = AccessToken(id: 2)

  private func violation(
    _ facts: [Fact], policy: ServerPolicy = ServerPolicy(), instants: [Int64]? = nil
  ) -> Invariants.Violation? {
    var invariants = Invariants(policy)
    let all = [Fact.familyBegan(family, r1, a1)] + facts
    for (index, fact) in all.enumerated() {
      invariants.observe(fact, at: Instant(nanoseconds: instants?[index] ?? Int64(index)))
    }
    invariants.finish()
    return invariants.violation
  }

  @Test func `A proper run breaks none`() {
    let facts: [Fact] = [
      .callStarted(1), .refreshSent(1, r1), .refreshArrived(1, r1),
      .refreshJudged(1, r1, .rotated(r2, a2, lifeLeft: 0)),
      .attemptJudged(1, attempt: 1, a2, accepted: true), .callEnded(1, .succeeded),
    ]
    #expect(violation(facts) == nil)
  }

  @Test func `Time must not run backwards`() {
    #expect(violation([.screenOpened, .appLeft], instants: [0, 5, 4]) == .timeRanBackwards)
  }

  @Test func `Every refresh that arrives is judged`() {
    #expect(violation([.refreshArrived(1, r1)]) == .judgementsDoNotAddUp)
  }

  @Test func `Every call ends once`() {
    #expect(violation([.callStarted(1)]) == .callNeverEnded)
    #expect(violation([.callEnded(1, .succeeded)]) == .callEndedTwice)
    #expect(violation([.callStarted(1), .callStuck(1)]) == nil)
  }

  @Test func `A token has no two live successors unless the policy forks`() {
    let facts: [Fact] = [
      .refreshArrived(1, r1), .refreshJudged(1, r1, .rotated(r2, a2, lifeLeft: 0)),
      .refreshArrived(2, r1), .refreshJudged(2, r1, .graced(r3, a3, forked: true)),
    ]
    var policy = ServerPolicy()
    #expect(violation(facts, policy: policy) == .twoLiveSuccessors)
    policy.parentGrace.window = .unlimited
    #expect(violation(facts, policy: policy) == nil)
    policy.parentGrace.reply = .sameSuccessor
    #expect(violation(facts, policy: policy) == .twoLiveSuccessors)
    policy.parentGrace.reply = .siblingSupersedes
    #expect(violation(facts, policy: policy) == nil)
  }

  @Test func `A revoked family gets no answer`() {
    let facts: [Fact] = [
      .familyRevoked(family, .reuse), .refreshArrived(1, r1),
      .refreshJudged(1, r1, .rotated(r2, a2, lifeLeft: 0)),
    ]
    #expect(violation(facts) == .revokedTokenAnswered)
  }

  @Test func `An ended access token is not accepted`() {
    let accepted = Fact.attemptJudged(1, attempt: 1, a1, accepted: true)
    #expect(violation([.familyRevoked(family, .reuse), accepted]) == .endedAccessAccepted)
    #expect(violation([.accessTokenEnded(a1), accepted]) == .endedAccessAccepted)
    var offline = ServerPolicy()
    offline.reuseKillsAccess = false
    #expect(violation([.familyRevoked(family, .reuse), accepted], policy: offline) == nil)
  }
}
