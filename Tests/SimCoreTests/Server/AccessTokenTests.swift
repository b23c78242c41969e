import Testing

@testable import SimCore

/// How long access tokens work.
struct AccessTokenTests {
  @Test func `Without a limit an older access token works to its end`() {
    let endpoint = Endpoint { _ in }
    _ = endpoint.present([(1, 10)])
    #expect(endpoint.accepts(1, at: 299.9))
    #expect(!endpoint.accepts(1, at: 300))
  }

  @Test func `An overlap ends the older access token so long after the refresh`() {
    let endpoint = Endpoint { $0.oldAccessOverlap = .lasting(.seconds(60)) }
    _ = endpoint.present([(1, 10)])
    #expect(endpoint.accepts(1, at: 69.9))
    #expect(!endpoint.accepts(1, at: 70))
    #expect(endpoint.accepts(2, at: 70))
    let none = Endpoint { $0.oldAccessOverlap = .lasting(.zero) }
    _ = none.present([(1, 10)])
    #expect(!none.accepts(1, at: 10))
    #expect(none.accepts(2, at: 10))
  }

  @Test func `An overlap makes no token live longer`() {
    let endpoint = Endpoint { $0.oldAccessOverlap = .lasting(.seconds(600)) }
    _ = endpoint.present([(1, 10)])
    #expect(!endpoint.accepts(1, at: 300))
  }

  @Test func `Without rotation each new access token replaces the one before`() {
    let endpoint = Endpoint {
      $0.rotation = .never
      $0.oldAccessOverlap = .lasting(.seconds(5))
    }
    _ = endpoint.present([(1, 10), (1, 20)])
    #expect(!endpoint.accepts(1, at: 15))
    #expect(endpoint.accepts(2, at: 24.9))
    #expect(!endpoint.accepts(2, at: 25))
    #expect(endpoint.accepts(3, at: 25))
  }

  @Test func `A fork leaves the access token of the sibling alone, a superseding one does not`() {
    for (reply, works) in [(ServerPolicy.Grace.Reply.sibling, true), (.siblingSupersedes, false)] {
      let endpoint = Endpoint {
        $0.parentGrace.window = .unlimited
        $0.parentGrace.reply = reply
        $0.oldAccessOverlap = .lasting(.seconds(5))
      }
      _ = endpoint.present([(1, 10), (1, 20)])
      #expect(!endpoint.accepts(1, at: 16))
      #expect(endpoint.accepts(2, at: 25) == works)
      #expect(endpoint.accepts(3, at: 25))
    }
  }

  @Test func `Superseding several ends the access token of each`() {
    for overlap in [ServerPolicy.AccessOverlap.lasting(.zero), .untilNewAccessUsed] {
      let endpoint = Endpoint {
        $0.race = .fork
        $0.parentGrace.window = .unlimited
        $0.parentGrace.reply = .siblingSupersedes
        $0.oldAccessOverlap = overlap
      }
      _ = endpoint.present(1, at: .seconds(10))
      _ = endpoint.present(1, at: .seconds(11), readAt: .seconds(9))
      _ = endpoint.present(1, at: .seconds(20))
      let accepted = endpoint.use(4, at: 21)
      #expect(accepted)
      for older in 1...3 { #expect(!endpoint.accepts(older, at: 22)) }
    }
  }

  @Test func `The older access tokens can work until the new one is used`() {
    let endpoint = Endpoint { $0.oldAccessOverlap = .untilNewAccessUsed }
    #expect(endpoint.server.heedsAcceptance)
    // The second pair is never used, so that with the third both older ones end.
    _ = endpoint.present([(1, 10), (2, 20)])
    for number in 1...3 { #expect(endpoint.accepts(number, at: 29)) }
    let first = endpoint.use(1, at: 29)
    #expect(first && endpoint.accepts(2, at: 29.5))
    let third = endpoint.use(3, at: 30)
    #expect(third)
    #expect(!endpoint.accepts(1, at: 30))
    #expect(!endpoint.accepts(2, at: 30))
    #expect(endpoint.accepts(3, at: 31))
  }

  @Test func `The older access token can work until the new refresh token is used`() {
    let endpoint = Endpoint { $0.oldAccessOverlap = .untilNewRefreshUsed }
    #expect(!endpoint.server.heedsAcceptance)
    _ = endpoint.present([(1, 10)])
    let used = endpoint.use(2, at: 15)
    #expect(used)
    #expect(endpoint.accepts(1, at: 19.9))
    _ = endpoint.present([(2, 20)])
    #expect(!endpoint.accepts(1, at: 20))
    #expect(endpoint.accepts(2, at: 25))
  }

  @Test func `Beyond the limit the oldest live access token is dropped`() {
    let endpoint = Endpoint { $0.maxLiveAccess = 2 }
    _ = endpoint.present([(1, 10)])
    #expect(endpoint.accepts(1, at: 19.9))
    _ = endpoint.present([(2, 20)])
    #expect(!endpoint.accepts(1, at: 20))
    #expect(endpoint.accepts(2, at: 20))
    #expect(endpoint.accepts(3, at: 20))
  }

  @Test func `Dead access tokens do not count against the limit`() {
    let endpoint = Endpoint { $0.maxLiveAccess = 2 }
    _ = endpoint.present([(1, 290), (2, 300)])
    #expect(endpoint.accepts(2, at: 300))
    #expect(endpoint.accepts(3, at: 300))
  }

  @Test func `A young one that is dead does not cost an old one its place`() {
    let endpoint = Endpoint(lifetime: .seconds(600)) { $0.maxLiveAccess = 2 }
    _ = endpoint.present(1, at: .seconds(10), lifetime: .seconds(10))
    _ = endpoint.present(2, at: .seconds(20))
    #expect(endpoint.accepts(1, at: 20))
  }

  @Test func `The resource server learns late of what was ended, and not of what has expired`() {
    let endpoint = Endpoint {
      $0.propagation = .seconds(30)
      $0.oldAccessOverlap = .lasting(.seconds(10))
    }
    _ = endpoint.present([(1, 10)])
    #expect(endpoint.accepts(1, at: 49.9))
    #expect(!endpoint.accepts(1, at: 50))
    let theft = endpoint.present([(1, 100)])
    #expect(theft == [.theft])
    #expect(endpoint.accepts(2, at: 129.9))
    #expect(!endpoint.accepts(2, at: 130))
    #expect(!Endpoint { $0.propagation = .seconds(30) }.accepts(1, at: 300))
  }

  @Test func `What is ended for everyone at once needs no learning`() {
    let endpoint = Endpoint { $0.propagation = .seconds(30) }
    endpoint.server.end(
      AccessToken(id: 0), &endpoint.ledger, at: Instant(nanoseconds: 10_000_000_000))
    #expect(!endpoint.accepts(1, at: 10))
  }

  @Test func `Each access token has the lifetime that was drawn for it`() {
    let endpoint = Endpoint(lifetime: .milliseconds(60_900)) { $0.rotation = .usedFraction(0.5) }
    #expect(endpoint.lastResponse.expiresIn == 60)
    #expect(endpoint.accepts(1, at: 60.8))
    #expect(!endpoint.accepts(1, at: 60.9))
    // Half of 60.9 s is not over at 30 s, and half of 200 s not at 30 s + 99 s.
    let first = endpoint.present(1, at: .seconds(30), lifetime: .seconds(200))
    let second = endpoint.present(1, at: .seconds(129), lifetime: .seconds(10))
    #expect([first, second] == [.reissued(1), .reissued(1)])
    #expect(endpoint.lastResponse.expiresIn == 10)
    #expect(endpoint.lastResponse.expiry.nanoseconds == 139_000_000_000)
    let third = endpoint.present(1, at: .seconds(135))
    #expect(third == .rotated(2))
  }

  @Test func `What is left of a life is a share of the lifetime that was drawn`() {
    var ledger = TokenLedger()
    let server = AuthorizationServer(ServerPolicy())
    _ = server.login(&ledger, at: .zero, lifetime: 40)
    let now = Instant(nanoseconds: 10)
    let outcome = server.exchange(
      RefreshToken(id: 0), &ledger, at: now, readAt: now, lifetime: 1000)
    guard case .rotated(_, let lifeLeft) = outcome else {
      Issue.record("not rotated")
      return
    }
    #expect(lifeLeft == 750_000_000)
  }

  @Test func `Lifetimes are drawn between their limits, or not at all`() {
    var policy = ServerPolicy()
    let stream = RandomStream(RandomRun(seed: 1, run: 0), cause: .serverTime)
    func draws() -> [Int64] {
      let server = AuthorizationServer(policy)
      return (0..<1000).map {
        server.lifetime(stream, at: DrawAddress(.refresh, number: $0, part: 1))
      }
    }
    #expect(Set(draws()) == [300_000_000_000])
    policy.lifetime = .uniform(from: .seconds(60), to: .seconds(90))
    let drawn = draws()
    #expect(drawn.allSatisfy { (60_000_000_000...90_000_000_000).contains($0) })
    #expect(Set(drawn).count > 990)
    let mean = drawn.map { Double($0) }.reduce(0, +) / 1000
    // The standard deviation of the mean is 30 s / √12 / √1000 = 0.27 s.
    #expect(abs(mean - 75e9) < 1.1e9)
  }
}
