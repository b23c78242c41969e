import Testing

@testable import SimCore

/// The token endpoint as tables of presentations, worked out by hand from the policy.
struct AuthorizationServerTests {
  private let lifetime: Int64 = 300_000_000_000

  private func policy(_ change: (inout ServerPolicy) -> Void) -> ServerPolicy {
    var policy = ServerPolicy()
    change(&policy)
    return policy
  }

  @Test func `A strict server rotates, and takes a reuse for theft once`() {
    let endpoint = Endpoint(ServerPolicy())
    let answers = endpoint.present([(1, 10), (2, 20), (1, 30), (2, 40), (3, 50)])
    #expect(
      answers == [
        .rotated(2), .rotated(3), .rejected(reuse: true, revoked: true),
        .rejected(reuse: true, revoked: false), .rejected(reuse: false, revoked: false),
      ])
  }

  @Test func `A server that only rejects keeps the family alive`() {
    let endpoint = Endpoint(policy { $0.reuse = .rejectOnly })
    let answers = endpoint.present([(1, 10), (1, 20), (2, 30)])
    #expect(answers == [.rotated(2), .rejected(reuse: true, revoked: false), .rotated(3)])
  }

  @Test func `Without rotation the same token is good for ever`() {
    let endpoint = Endpoint(policy { $0.rotation = .never })
    let answers = endpoint.present([(1, 10), (1, 1_000_000)])
    #expect(answers == [.reissued(1), .reissued(1)])
  }

  @Test func `Rotation by what is left of the lifetime`() {
    let byFraction = Endpoint(policy { $0.rotation = .usedFraction(0.5) })
    let byFractionAnswers = byFraction.present([(1, 150), (1, 301)])
    #expect(byFractionAnswers == [.reissued(1), .rotated(2)])
    let byRest = Endpoint(policy { $0.rotation = .remainingBelow(.seconds(60)) })
    let byRestAnswers = byRest.present([(1, 240), (1, 481)])
    #expect(byRestAnswers == [.reissued(1), .rotated(2)])
  }

  @Test func `A grace window is open strictly less than its length`() {
    let endpoint = Endpoint(policy { $0.parentGrace.window = .lasting(.seconds(60)) })
    let answers = endpoint.present([(1, 10), (1, 69), (1, 70)])
    #expect(
      answers == [.rotated(2), .graced(3, forked: true), .rejected(reuse: true, revoked: true)])
  }

  @Test func `A window from the last use slides`() {
    let endpoint = Endpoint(
      policy {
        $0.parentGrace.window = .lasting(.seconds(60))
        $0.parentGrace.start = .lastUse
      })
    let answers = endpoint.present([(1, 10), (1, 60), (1, 110), (1, 170)])
    #expect(
      answers == [
        .rotated(2), .graced(3, forked: true), .graced(4, forked: true),
        .rejected(reuse: true, revoked: true),
      ])
  }

  @Test func `A window from the refresh of the session slides with every refresh`() {
    let endpoint = Endpoint(
      policy {
        $0.parentGrace.window = .lasting(.seconds(60))
        $0.parentGrace.start = .sessionRefresh
      })
    // The refresh of one child reopens the window for the parent, whose other child is unspent.
    let answers = endpoint.present([(1, 10), (1, 60), (2, 100), (1, 150)])
    #expect(
      answers == [.rotated(2), .graced(3, forked: true), .rotated(4), .graced(5, forked: true)])
  }

  @Test func `The parent rule ends when its child is spent`() {
    let endpoint = Endpoint(
      policy {
        $0.parentGrace.window = .unlimited
        $0.parentGrace.reply = .sameSuccessor
      })
    let answers = endpoint.present([(1, 10), (1, 86_400), (2, 86_410), (1, 86_420)])
    #expect(
      answers == [
        .rotated(2), .graced(2, forked: false), .rotated(3), .rejected(reuse: true, revoked: true),
      ])
  }

  @Test func `A number of uses limits the grace`() {
    let endpoint = Endpoint(
      policy {
        $0.parentGrace.window = .unlimited
        $0.parentGrace.uses = .atMost(2)
      })
    let answers = endpoint.present([(1, 10), (1, 20), (1, 30), (1, 40)])
    #expect(
      answers == [
        .rotated(2), .graced(3, forked: true), .graced(4, forked: true),
        .rejected(reuse: true, revoked: true),
      ])
  }

  @Test(arguments: [
    (ServerPolicy.Grace.Reply.sibling, 3, true), (.siblingSupersedes, 3, true),
    (.sameSuccessor, 2, false), (.replayResponse, 2, false), (.currentActive, 2, false),
    (.presentedToken, 1, false),
  ])
  func `A spent token is answered as the policy says`(
    reply: ServerPolicy.Grace.Reply, token: Int, forked: Bool
  ) {
    let endpoint = Endpoint(
      policy {
        $0.parentGrace.window = .unlimited
        $0.parentGrace.reply = reply
      })
    let answers = endpoint.present([(1, 10), (1, 20)])
    #expect(answers == [.rotated(2), .graced(token, forked: forked)])
  }

  @Test func `A superseding sibling spends the earlier one`() {
    let endpoint = Endpoint(
      policy {
        $0.parentGrace.window = .lasting(.seconds(60))
        $0.parentGrace.reply = .siblingSupersedes
      })
    // Token 2 is spent and has no child, so no grace covers it.
    let answers = endpoint.present([(1, 10), (1, 20), (2, 30)])
    #expect(
      answers == [.rotated(2), .graced(3, forked: true), .rejected(reuse: true, revoked: true)])
  }

  @Test func `Use of a successor can end the grace`() {
    let endpoint = Endpoint(
      policy {
        $0.parentGrace.window = .unlimited
        $0.parentGrace.untilUse = .accessAccepted
      })
    let answers = endpoint.present([(1, 10), (1, 20)])
    #expect(answers == [.rotated(2), .graced(3, forked: true)])
    endpoint.server.noteAcceptance(
      of: AccessToken(id: 1), &endpoint.ledger, at: Instant(nanoseconds: 25_000_000_000))
    let later = endpoint.present([(1, 30)])
    #expect(later == [.rejected(reuse: true, revoked: true)])
  }

  @Test func `What would be answered is known without asking`() {
    let endpoint = Endpoint(policy { $0.parentGrace.window = .lasting(.seconds(60)) })
    #expect(endpoint.wouldAnswer(1, at: 5))
    _ = endpoint.present([(1, 10)])
    #expect(endpoint.wouldAnswer(1, at: 69))
    #expect(!endpoint.wouldAnswer(1, at: 70))
    endpoint.server.revoke(TokenFamily(id: 0), &endpoint.ledger, at: .zero)
    #expect(!endpoint.wouldAnswer(1, at: 11))
  }

  @Test func `A token's life left is told in billionths at its rotation`() {
    var ledger = TokenLedger()
    let server = AuthorizationServer(ServerPolicy())
    _ = server.login(&ledger, at: .zero, lifetime: lifetime)
    let now = Instant(nanoseconds: 75_000_000_000)
    let outcome = server.exchange(
      RefreshToken(id: 0), &ledger, at: now, readAt: now, lifetime: lifetime)
    guard case .rotated(let response, let lifeLeft) = outcome else {
      Issue.record("not rotated")
      return
    }
    #expect(lifeLeft == 750_000_000)
    #expect(response.expiresIn == 300)
    #expect(response.expiry.nanoseconds == 375_000_000_000)
  }

  @Test func `The resource server accepts strictly before the end plus the leeway`() {
    var ledger = TokenLedger()
    let policy = policy { $0.leeway = .seconds(2) }
    let response = AuthorizationServer(policy).login(&ledger, at: .zero, lifetime: lifetime)
    let resource = ResourceServer(policy)
    func accepts(at nanoseconds: Int64) -> Bool {
      resource.accepts(response.accessToken, ledger, at: Instant(nanoseconds: nanoseconds))
    }
    #expect(accepts(at: 301_999_999_999))
    #expect(!accepts(at: 302_000_000_000))
    AuthorizationServer(policy).revoke(TokenFamily(id: 0), &ledger, at: .zero)
    #expect(!accepts(at: 0))
  }

  @Test func `A revocation spares access tokens where they are checked offline`() {
    var ledger = TokenLedger()
    let policy = policy { $0.reuseKillsAccess = false }
    let response = AuthorizationServer(policy).login(&ledger, at: .zero, lifetime: lifetime)
    AuthorizationServer(policy).revoke(TokenFamily(id: 0), &ledger, at: .zero)
    let isAccepted = ResourceServer(policy).accepts(response.accessToken, ledger, at: .zero)
    #expect(isAccepted)
  }

  /// The seconds for which token 1 would have been answered after it was spent at 10 s; -1 for ever.
  private func exposure(
    _ presentations: [(number: Int, second: Double)], _ change: (inout ServerPolicy) -> Void
  ) -> Double {
    let endpoint = Endpoint(policy(change))
    _ = endpoint.present(presentations)
    return endpoint.exposure(of: 1)
  }

  @Test func `Exposure lasts until the window, the child, or the session ends`() {
    #expect(exposure([(1, 10)]) { _ in } == 0)
    #expect(exposure([(1, 10)]) { $0.parentGrace.window = .lasting(.seconds(60)) } == 60)
    #expect(exposure([(1, 10)]) { $0.parentGrace.window = .unlimited } == -1)
    #expect(exposure([(1, 10), (2, 310)]) { $0.parentGrace.window = .unlimited } == 300)
    #expect(
      exposure([(1, 10), (1, 40)]) {
        $0.parentGrace.window = .lasting(.seconds(60))
        $0.parentGrace.start = .lastUse
      } == 90)
    #expect(
      exposure([(1, 10), (1, 40)]) {
        $0.parentGrace.window = .unlimited
        $0.parentGrace.uses = .atMost(1)
      } == 30)
    // Token 1 comes back after its window, and its reuse ends the session that was over for it anyway.
    #expect(
      exposure([(1, 10), (1, 100)]) { $0.parentGrace.window = .lasting(.seconds(60)) } == 60)
  }
}
