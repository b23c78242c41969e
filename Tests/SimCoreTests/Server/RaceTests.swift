import Testing

@testable import SimCore

/// Exchanges of one refresh token that overlap.
struct RaceTests {
  private struct Exchange {
    let readAt: Double
    let commitAt: Double
  }

  /// Presents token 1 in exchanges given in milliseconds, in the order of their commits.
  private func present(
    _ endpoint: inout Endpoint, _ exchanges: [Exchange]
  ) -> [Answer] {
    exchanges.map {
      endpoint.present(
        1, at: .exactly(seconds: $0.commitAt / 1000), readAt: .exactly(seconds: $0.readAt / 1000))
    }
  }

  /// Six refreshes that arrive within a millisecond, with 5 ms between read and write.
  private let six = (0..<6).map {
    Exchange(readAt: Double($0) * 0.2, commitAt: Double($0) * 0.2 + 5)
  }

  @Test func `B63, where the last writer wins six refreshes leave five orphans`() {
    var endpoint = Endpoint { $0.race = .lastWriter }
    let answers = present(&endpoint, six)
    #expect(answers == (2...7).map { .rotated($0) })
    for orphan in 2...6 { #expect(!endpoint.wouldAnswer(orphan, at: 1)) }
    #expect(endpoint.wouldAnswer(7, at: 1))
    let later = endpoint.present([(2, 60), (7, 61)])
    #expect(later == [.theft, .unknown])
  }

  @Test func `B63, an atomic exchange with a grace rotates once`() {
    var endpoint = Endpoint { $0.parentGrace.window = .lasting(.seconds(60)) }
    let answers = present(&endpoint, six)
    #expect(answers == [.rotated(2)] + (3...7).map { .graced($0, forked: true) })
  }

  /// Two exchanges that overlap, and one that read the token at the instant of the first commit.
  private let three = [
    Exchange(readAt: 0, commitAt: 200), Exchange(readAt: 199.999_999, commitAt: 400),
    Exchange(readAt: 200, commitAt: 401),
  ]

  @Test(arguments: [
    (ServerPolicy.Race.serialize, [Answer.rotated(2), .theft, .reuse]),
    (.refuse(.serverError), [.rotated(2), .refused(.serverError), .theft]),
    (.refuse(.clientError), [.rotated(2), .refused(.clientError), .theft]),
    (.refuse(.invalidGrant), [.rotated(2), .reuse, .theft]),
    (.winnersPair, [.rotated(2), .graced(2, forked: false), .theft]),
    (.fork, [.rotated(2), .rotated(3), .theft]),
    (.lastWriter, [.rotated(2), .rotated(3), .theft]),
  ])
  func `Exchanges overlap where the second read before the first committed`(
    race: ServerPolicy.Race, expected: [Answer]
  ) {
    var endpoint = Endpoint { $0.race = race }
    let answers = present(&endpoint, three)
    #expect(answers == expected)
  }

  @Test func `A grace covers what comes too late to overlap`() {
    var endpoint = Endpoint {
      $0.race = .fork
      $0.parentGrace.window = .lasting(.seconds(60))
    }
    let answers = present(&endpoint, three)
    #expect(answers == [.rotated(2), .rotated(3), .graced(4, forked: true)])
  }

  @Test func `A forked family has two live tokens, a last writer's has one`() {
    for (race, first) in [(ServerPolicy.Race.fork, true), (.lastWriter, false)] {
      var endpoint = Endpoint { $0.race = race }
      _ = present(&endpoint, Array(three.prefix(2)))
      #expect(endpoint.wouldAnswer(2, at: 1) == first)
      #expect(endpoint.wouldAnswer(3, at: 1))
    }
  }

  @Test func `The winner's pair is replayed to the letter`() {
    var endpoint = Endpoint { $0.race = .winnersPair }
    _ = present(&endpoint, [three[0]])
    let first = endpoint.lastResponse
    _ = present(&endpoint, [three[1]])
    #expect(endpoint.lastResponse.accessToken == first.accessToken)
    #expect(endpoint.lastResponse.expiry == first.expiry)
    #expect(endpoint.accessTokens == 2)
  }

  @Test func `A server that forgets spent tokens at once still sees an overlap`() {
    var endpoint = Endpoint {
      $0.race = .fork
      $0.reuseMemory = .lasting(.zero)
    }
    let answers = present(&endpoint, three)
    #expect(answers == [.rotated(2), .rotated(3), .unknown])
  }

  @Test func `An exchange reads its token after the lookup`() {
    let server = AuthorizationServer(
      {
        var policy = ServerPolicy()
        policy.lookup = .milliseconds(150)
        return policy
      }())
    #expect(
      server.reading(ofArrivalAt: Instant(nanoseconds: 1_000_000)).nanoseconds == 151_000_000)
  }

  @Test func `A revocation is judged before any overlap`() {
    var endpoint = Endpoint { $0.race = .fork }
    _ = present(&endpoint, [three[0]])
    endpoint.server.revoke(TokenFamily(id: 0), &endpoint.ledger, at: .zero)
    let answers = present(&endpoint, [three[1]])
    #expect(answers == [.reuse])
  }

  @Test func `A revocation under way is no exchange to overlap with`() {
    let endpoint = Endpoint {
      $0.race = .fork
      $0.graceCoversRevoked = true
    }
    endpoint.server.revoke(
      TokenFamily(id: 0), &endpoint.ledger, at: Instant(nanoseconds: 10_000_000_000))
    let answer = endpoint.present(1, at: .seconds(11), readAt: .seconds(9))
    #expect(answer == .unknown)
  }

  @Test func `A token superseded under way overlaps with what superseded it`() {
    // Token 2 was read at 10 s, superseded by the sibling at 11 s, and its exchange commits at 12 s.
    let endpoint = Endpoint {
      $0.race = .fork
      $0.parentGrace.window = .unlimited
      $0.parentGrace.reply = .siblingSupersedes
    }
    _ = endpoint.present([(1, 1), (1, 11)])
    let answer = endpoint.present(2, at: .seconds(12), readAt: .seconds(10))
    #expect(answer == .rotated(4))
  }
}
