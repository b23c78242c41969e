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
    let all = [Fact.familyBegan(family, r1, a1, user: 1)] + facts
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
      .attemptJudged(1, attempt: 1, a2, .ok), .callEnded(1, .succeeded),
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

  /// Two exchanges that both count as the first use of token 1.
  private var twoFirstUses: [Fact] {
    [
      .refreshArrived(1, r1), .refreshJudged(1, r1, .rotated(r2, a2, lifeLeft: 0)),
      .refreshArrived(2, r1), .refreshJudged(2, r1, .rotated(r3, a3, lifeLeft: 0)),
    ]
  }

  private func policy(_ change: (inout ServerPolicy) -> Void) -> ServerPolicy {
    var policy = ServerPolicy()
    change(&policy)
    return policy
  }

  @Test func `Two first uses need a policy under which they can happen`() {
    #expect(violation(twoFirstUses) == .twoLiveSuccessors)
    #expect(violation(twoFirstUses, policy: policy { $0.race = .winnersPair }) != nil)
    #expect(violation(twoFirstUses, policy: policy { $0.race = .fork }) == nil)
    #expect(violation(twoFirstUses, policy: policy { $0.race = .lastWriter }) == nil)
    #expect(violation(twoFirstUses, policy: policy { $0.commit = .issueFirst }) != nil)
    let crashing = policy {
      $0.commit = .issueFirst
      $0.crash = 0.1
    }
    #expect(violation(twoFirstUses, policy: crashing) == nil)
  }

  @Test func `Beside the last writer's token no earlier one is live`() {
    let r4 = RefreshToken(id: 3)
    let facts =
      twoFirstUses + [
        .refreshArrived(3, r2), .refreshJudged(3, r2, .rotated(r4, a3, lifeLeft: 0)),
      ]
    // A superseded token that is exchanged all the same leaves the count of its parent alone.
    #expect(violation(facts, policy: policy { $0.race = .lastWriter }) == nil)
  }

  @Test func `An ancestor that is answered with a sibling has one live successor`() {
    let r4 = RefreshToken(id: 3)
    let a4 = AccessToken(id: 3)
    let r5 = RefreshToken(id: 4)
    let a5 = AccessToken(id: 4)
    let ancestor = policy { $0.ancestorGrace.window = .unlimited }
    let facts: [Fact] = [
      .refreshArrived(1, r1), .refreshJudged(1, r1, .rotated(r2, a2, lifeLeft: 0)),
      .refreshArrived(2, r2), .refreshJudged(2, r2, .rotated(r3, a3, lifeLeft: 0)),
      .refreshArrived(3, r1), .refreshJudged(3, r1, .graced(r4, a4, forked: true)),
    ]
    #expect(violation(facts, policy: ancestor) == nil)
    let more: [Fact] = [
      .refreshArrived(4, r1), .refreshJudged(4, r1, .graced(r5, a5, forked: true)),
    ]
    #expect(violation(facts + more, policy: ancestor) == .twoLiveSuccessors)
  }

  @Test func `A refusal is an answer to a token of any family`() {
    let facts: [Fact] = [
      .familyRevoked(family, .reuse), .refreshArrived(1, r1),
      .refreshJudged(1, r1, .refused(.serverError)),
    ]
    #expect(violation(facts) == nil)
  }

  @Test func `A revoked family gets no answer`() {
    let facts: [Fact] = [
      .familyRevoked(family, .reuse), .refreshArrived(1, r1),
      .refreshJudged(1, r1, .rotated(r2, a2, lifeLeft: 0)),
    ]
    #expect(violation(facts) == .revokedTokenAnswered)
    #expect(violation(facts, policy: policy { $0.graceCoversRevoked = true }) == nil)
  }

  @Test func `An ended access token is not accepted`() {
    let accepted = Fact.attemptJudged(1, attempt: 1, a1, .ok)
    #expect(violation([.familyRevoked(family, .reuse), accepted]) == .endedAccessAccepted)
    #expect(violation([.accessTokenEnded(a1), accepted]) == .endedAccessAccepted)
    var offline = ServerPolicy()
    offline.reuseKillsAccess = false
    #expect(violation([.familyRevoked(family, .reuse), accepted], policy: offline) == nil)
  }

  @Test func `A revocation ends what was minted before it, once the resource server knows`() {
    let facts: [Fact] = [
      .familyRevoked(family, .reuse), .refreshArrived(1, r1),
      .refreshJudged(1, r1, .graced(r2, a2, forked: true)),
      .attemptJudged(1, attempt: 1, a2, .ok),
    ]
    let reviving = policy { $0.graceCoversRevoked = true }
    #expect(violation(facts, policy: reviving) == nil)
    let old = Fact.attemptJudged(2, attempt: 1, a1, .ok)
    #expect(violation(facts + [old], policy: reviving) == .endedAccessAccepted)
    // Revoked at 1 ns and accepted at 5 ns.
    let late = policy {
      $0.graceCoversRevoked = true
      $0.propagation = .nanoseconds(5)
    }
    #expect(violation(facts + [old], policy: late) == nil)
    let known = policy {
      $0.graceCoversRevoked = true
      $0.propagation = .nanoseconds(4)
    }
    #expect(violation(facts + [old], policy: known) == .endedAccessAccepted)
  }
}
