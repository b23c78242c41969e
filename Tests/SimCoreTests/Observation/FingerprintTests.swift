import SimCore
import Testing

struct FingerprintTests {
  private func fingerprint(_ facts: [(Int64, Fact)]) -> Fingerprint {
    var fingerprint = Fingerprint()
    for (nanoseconds, fact) in facts {
      fingerprint.observe(fact, at: Instant(nanoseconds: nanoseconds))
    }
    return fingerprint
  }

  private let token = RefreshToken(id: 3)
  private let access = AccessToken(id: 4)

  /// Facts that differ in one respect each.
  private var facts: [Fact] {
    APIStatus.allCases.flatMap { status -> [Fact] in
      [
        .attemptJudged(1, attempt: 1, access, status), .attemptJudged(1, attempt: 1, nil, status),
        .attemptAnswered(1, attempt: 1, status),
      ]
    }
      + TokenError.allCases.flatMap { error -> [Fact] in
        [.refreshAnswered(1, error), .refreshJudged(1, token, .refused(error))]
      } + CallOutcome.allCases.map { .callEnded(1, $0) } + [
        .refreshJudged(1, token, .refused(nil)), .attemptLost(1, attempt: 1, .request),
        .attemptLost(1, attempt: 1, .answer), .refreshLost(1, .answer), .refreshAbandoned(1),
        .refreshChainCut, .signedOutByPerson, .networkChanged(isOnline: true),
        .networkChanged(isOnline: false), .clockStepped(nanoseconds: 1),
        .clockStepped(nanoseconds: -1),
        .callPaused(1, nanoseconds: 1), .callPaused(1, nanoseconds: 2), .callCancelled(1),
        .connectionOpens, .networkMissing, .attemptSent(1, attempt: 1, nil),
        .familyBegan(TokenFamily(id: 0), token, access, user: 1),
        .familyBegan(TokenFamily(id: 1), token, access, user: 1),
        .familyBegan(TokenFamily(id: 1), token, AccessToken(id: 5), user: 1),
        .signedIn(token, access),
        .screenOpened, .appLeft, .appSuspended, .appReturned(afterSuspension: true),
        .appReturned(afterSuspension: false), .suspensionHeldOff, .backgroundTaskExpired,
        .callStarted(1), .callStarted(2), .callWaits(1), .attemptSent(1, attempt: 1, access),
        .attemptSent(1, attempt: 2, access), .attemptSent(2, attempt: 1, access),
        .attemptFailed(1, attempt: 1, .timeout), .attemptFailed(1, attempt: 1, .transport),
        .callStuck(1),
        .refreshSent(1, token), .refreshArrived(1, token),
        .refreshJudged(1, token, .rotated(token, access, lifeLeft: 5)),
        .refreshJudged(1, token, .rotated(token, access, lifeLeft: 6)),
        .refreshJudged(1, token, .reissued(access)),
        .refreshJudged(1, token, .graced(token, access, forked: true)),
        .refreshJudged(1, token, .graced(token, access, forked: false)),
        .refreshJudged(1, token, .rejected(reuse: true)),
        .refreshJudged(1, token, .rejected(reuse: false)), .refreshAnswered(1, nil),
        .refreshLost(1, .request), .refreshFailed(1, .timeout),
        .familyRevoked(TokenFamily(id: 0), .reuse), .familyRevoked(TokenFamily(id: 0), .request),
        .accessTokenEnded(access), .pairStored(token, stale: true),
        .pairStored(token, stale: false), .signedOut(.rejected, needlessly: true),
        .signedOut(.rejected, needlessly: false), .signOutNotified,
        .exposureKnown(token, nanoseconds: 5),
        .exposureKnown(token, nanoseconds: 6), .exposureKnown(token, nanoseconds: nil),
      ]
  }

  @Test func `Facts that differ in anything differ in the fingerprint`() {
    let all = facts.flatMap { fact in [0, 1, 1_000_000_007].map { fingerprint([($0, fact)]) } }
    #expect(Set(all).count == all.count)
  }

  @Test func `Order counts within a run and not between runs`() {
    let forth = fingerprint([(1, .callStarted(1)), (1, .callStarted(2))])
    let back = fingerprint([(1, .callStarted(2)), (1, .callStarted(1))])
    #expect(forth != back)
    #expect(
      forth.marked(run: 0) &+ back.marked(run: 1) != forth.marked(run: 1) &+ back.marked(run: 0))
  }
}
