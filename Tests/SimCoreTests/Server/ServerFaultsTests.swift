import Testing

@testable import SimCore

/// What goes wrong at the server, and what the client is told of it.
struct ServerFaultsTests {
  private let crash = Mishap(crashes: true)

  @Test func `Spent first, a crash leaves nobody a token`() {
    let endpoint = Endpoint { $0.commit = .spendFirst }
    let crashed = endpoint.present(1, at: .seconds(10), crash)
    #expect(crashed == .refused(.serverError))
    #expect(endpoint.refreshTokens == 1)
    #expect(!endpoint.wouldAnswer(1, at: 11))
    let retry = endpoint.present([(1, 11)])
    #expect(retry == [.theft])
  }

  @Test func `Spent first, a token whose child is missing has the grace of an ancestor`() {
    for reply in ServerPolicy.Grace.Reply.allCases where reply != .presentedToken {
      let endpoint = Endpoint {
        $0.commit = .spendFirst
        $0.ancestorGrace.window = .lasting(.seconds(60))
        $0.ancestorGrace.start = .lastUse
        $0.ancestorGrace.reply = reply
      }
      _ = endpoint.present(1, at: .seconds(100), crash)
      #expect(endpoint.exposure(of: 1) == 60)
      let retry = endpoint.present([(1, 159)])
      #expect(retry == [.graced(2, forked: true)], "\(reply)")
    }
  }

  @Test func `Issued first, a crash leaves two live tokens`() {
    let endpoint = Endpoint { $0.commit = .issueFirst }
    let crashed = endpoint.present(1, at: .seconds(10), crash)
    #expect(crashed == .rotated(2))
    #expect(endpoint.wouldAnswer(1, at: 11))
    let later = endpoint.present([(1, 11), (2, 12), (3, 13)])
    #expect(later == [.rotated(3), .rotated(4), .rotated(5)])
  }

  @Test func `Only the writes of a rotation can be torn apart`() {
    for commit in ServerPolicy.Commit.allCases {
      let endpoint = Endpoint {
        $0.commit = commit
        $0.rotation = .never
      }
      let answer = endpoint.present(1, at: .seconds(10), crash)
      #expect(answer == .reissued(1))
    }
    let atomic = Endpoint { _ in }
    let rotated = atomic.present(1, at: .seconds(10), crash)
    #expect(rotated == .rotated(2))
    #expect(!atomic.wouldAnswer(1, at: 11))
  }

  @Test(arguments: ServerPolicy.Commit.allCases)
  func `Without a crash the order of the writes shows nowhere`(commit: ServerPolicy.Commit) {
    let endpoint = Endpoint { $0.commit = commit }
    let answers = endpoint.present([(1, 10), (2, 20), (1, 30)])
    #expect(answers == [.rotated(2), .rotated(3), .theft])
  }

  @Test func `An error before the commit changes nothing`() {
    let endpoint = Endpoint { _ in }
    let failed = endpoint.present(1, at: .seconds(10), Mishap(failsBefore: true))
    #expect(failed == .refused(.serverError))
    let retry = endpoint.present([(1, 11), (1, 12)])
    #expect(retry == [.rotated(2), .theft])
  }

  @Test func `An error after the commit hides what was stored`() {
    let endpoint = Endpoint { _ in }
    let lost = endpoint.present(1, at: .seconds(10), Mishap(failsAfter: true))
    #expect(lost == .rotated(2))
    #expect(!endpoint.wouldAnswer(1, at: 11))
  }

  /// The error of an answer; nil if it holds tokens.
  private func error(
    _ outcome: AuthorizationServer.Outcome, _ mishap: Mishap = Mishap(),
    _ change: (inout ServerPolicy) -> Void = { _ in }
  ) -> TokenError? {
    var policy = ServerPolicy()
    change(&policy)
    switch AuthorizationServer(policy).reply(to: outcome, mishap) {
    case .granted: return nil
    case .failed(let error, let retryAfter):
      #expect(retryAfter == 0)
      return error
    }
  }

  @Test func `The client is told what was done, unless the answer fails`() {
    let response = TokenResponse(
      accessToken: AccessToken(id: 0), refreshToken: RefreshToken(id: 0), expiresIn: 300,
      expiry: WallTime(nanoseconds: 0))
    let granted: [AuthorizationServer.Outcome] = [
      .rotated(response, lifeLeft: 0), .reissued(response), .graced(response, forked: true),
    ]
    for outcome in granted {
      #expect(error(outcome) == nil)
      #expect(error(outcome, Mishap(failsAfter: true)) == .serverError)
    }
    #expect(error(granted[0], crash) { $0.commit = .issueFirst } == .serverError)
    #expect(error(granted[1], crash) { $0.commit = .issueFirst } == nil)
    #expect(error(.rejected(reuse: true, revoked: nil)) == .invalidGrant)
    for name in TokenError.allCases {
      #expect(error(.rejected(reuse: true, revoked: nil)) { $0.rejectedAs = name } == name)
      #expect(error(.refused(name)) == name)
    }
    #expect(error(.refused(.forbidden), Mishap(failsAfter: true)) == .serverError)
  }

  @Test func `What a rejection is called changes nothing else`() {
    let endpoint = Endpoint {
      $0.rejectedAs = .serverError
      $0.race = .refuse(.serverError)
    }
    let answers = endpoint.present([(1, 10), (1, 20), (2, 30)])
    #expect(answers == [.rotated(2), .theft, .unknown])
  }

  @Test func `Mishaps come as often as they should, and not without their cause`() {
    let stream = RandomStream(RandomRun(seed: 1, run: 0), cause: .serverTime)
    func count(
      _ change: (inout ServerPolicy) -> Void, _ isCounted: (Mishap) -> Bool
    ) -> Int {
      var policy = ServerPolicy()
      change(&policy)
      let law = MishapLaw(policy)
      return (0..<10_000).count {
        isCounted(law.draw(stream, at: DrawAddress(.refresh, number: $0, part: 2)))
      }
    }
    func all(_ policy: inout ServerPolicy) {
      policy.errors = .init(before: 0.1, after: 0.3)
      policy.commit = .issueFirst
      policy.crash = 0.2
    }
    // Three standard deviations are at most 140.
    #expect(abs(count(all, \.failsBefore) - 1000) < 140)
    #expect(abs(count(all, \.crashes) - 2000) < 140)
    #expect(abs(count(all, \.failsAfter) - 3000) < 140)
    #expect(count({ $0.crash = 1 }, \.crashes) == 0)
    #expect(count({ $0.errors.before = 1 }, \.failsBefore) == 10_000)
    #expect(count({ $0.errors.before = 1 }, { $0.failsAfter || $0.crashes }) == 0)
  }
}

/// Requests that are turned away before they are judged.
struct GatewayTests {
  /// The refusals of requests at these seconds: 0 for none, otherwise the seconds of `Retry-After`.
  private func waits(
    _ seconds: [Double], _ change: (inout ServerPolicy) -> Void
  ) -> [Int] {
    var policy = ServerPolicy()
    change(&policy)
    var gateway = Gateway(policy)
    return seconds.map { second in
      let now = Instant(nanoseconds: Duration.exactly(seconds: second).nanoseconds)
      guard let refusal = gateway.refusal(at: now) else { return 0 }
      #expect(refusal.error == .tooManyRequests)
      return Int(refusal.retryAfter)
    }
  }

  @Test
  func `A full bucket of 30 that gains half a token a second lasts 59 requests, one a second`() {
    let waits = waits((0...62).map(Double.init)) {
      $0.rateLimit = .tokenBucket(capacity: 30, refillPerSecond: 0.5)
    }
    // Before request n there are 30 - n/2 tokens, at 58 s just one; from then on every other is refused.
    #expect(waits == Array(repeating: 0, count: 59) + [1, 0, 1, 0])
  }

  @Test func `A bucket never holds more than its capacity`() {
    let waits = waits([1000, 1000, 1000, 1009.999_999_999, 1010]) {
      $0.rateLimit = .tokenBucket(capacity: 2, refillPerSecond: 0.1)
    }
    #expect(waits == [0, 0, 10, 1, 0])
  }

  @Test func `A bucket that gains three tokens a second gives three in a second`() {
    // A third of a second is no whole number of nanoseconds, and over hours that must not add up.
    let waits = waits((0..<40_000).map { Double($0 / 4) }) {
      $0.rateLimit = .tokenBucket(capacity: 3, refillPerSecond: 3)
    }
    #expect(waits == (0..<40_000).map { $0 % 4 == 3 ? 1 : 0 })
  }

  @Test func `Windows are aligned to the beginning of the run`() {
    let waits = waits([3599, 3599.5, 3599.6, 3600, 3600.2, 3600.7, 7199.999_999_999, 7200]) {
      $0.rateLimit = .window(count: 2, length: .seconds(3600))
    }
    #expect(waits == [0, 0, 1, 0, 0, 3600, 1, 0])
  }

  @Test func `An outage lasts from its beginning up to its end`() {
    var policy = ServerPolicy()
    policy.outages = [
      .init(from: .seconds(10), to: .seconds(20)), .init(from: .seconds(30), to: .seconds(31)),
    ]
    policy.rateLimit = .window(count: 1, length: .seconds(1000))
    var gateway = Gateway(policy)
    let refusals = [9.999_999_999, 10, 19.999_999_999, 20, 30.5].map {
      gateway.refusal(at: Instant(nanoseconds: Duration.exactly(seconds: $0).nanoseconds))
    }
    let down = Gateway.Refusal(error: .serverError, retryAfter: 0)
    #expect(refusals == [nil, down, down, .init(error: .tooManyRequests, retryAfter: 980), down])
  }

  @Test func `Each run begins with a full bucket and an empty window`() {
    for limit in [
      ServerPolicy.RateLimit.tokenBucket(capacity: 1, refillPerSecond: 0.001),
      .window(count: 1, length: .seconds(1000)),
    ] {
      var policy = ServerPolicy()
      policy.rateLimit = limit
      var gateway = Gateway(policy)
      let first = [gateway.refusal(at: .zero), gateway.refusal(at: .zero)].map { $0 == nil }
      gateway.reset()
      let second = gateway.refusal(at: .zero)
      #expect(first == [true, false])
      #expect(second == nil)
    }
  }
}
