import Testing

@testable import SimCore

/// Ends of refresh tokens that are no races: age, idleness, oblivion, and revocation.
struct RefreshLifeTests {
  private let day = 86_400.0

  @Test func `B73, an absolute limit ends the session at its age, whatever is refreshed`() {
    let endpoint = Endpoint { $0.refreshAbsolute = .seconds(60 * 86_400) }
    let daily = endpoint.present((1...59).map { ($0, Double($0) * day) })
    #expect(daily == (2...60).map { .rotated($0) })
    #expect(endpoint.wouldAnswer(60, at: 60 * day - 1e-6))
    #expect(!endpoint.wouldAnswer(60, at: 60 * day))
    let end = endpoint.present([(60, 60 * day), (59, 60 * day)])
    #expect(end == [.unknown, .unknown])
  }

  @Test func `B73, a sliding limit never ends the session of who comes daily`() {
    let endpoint = Endpoint { $0.refreshIdle = .seconds(60 * 86_400) }
    let daily = endpoint.present((1...120).map { ($0, Double($0) * day) })
    #expect(daily == (2...121).map { .rotated($0) })
  }

  @Test func `An idle token lives strictly less than the limit from its minting`() {
    for (second, answer) in [(109.999_999_999, Answer.rotated(3)), (110, .unknown)] {
      let endpoint = Endpoint { $0.refreshIdle = .seconds(100) }
      let answers = endpoint.present([(1, 10), (2, second)])
      #expect(answers == [.rotated(2), answer])
    }
  }

  @Test func `A token that stays lives from its last use`() {
    let endpoint = Endpoint {
      $0.rotation = .never
      $0.refreshIdle = .seconds(100)
    }
    let answers = endpoint.present([(1, 99), (1, 198), (1, 298)])
    #expect(answers == [.reissued(1), .reissued(1), .unknown])
  }

  @Test func `A spent token past its end is no reuse, and no grace covers it`() {
    let endpoint = Endpoint {
      $0.parentGrace.window = .unlimited
      $0.refreshIdle = .seconds(100)
    }
    let answers = endpoint.present([(1, 10), (1, 110), (2, 109)])
    #expect(answers == [.rotated(2), .unknown, .rotated(3)])
  }

  @Test func `A spent token is known strictly less than the memory`() {
    for (second, answer) in [(39.999_999_999, Answer.theft), (40, .unknown)] {
      let endpoint = Endpoint { $0.reuseMemory = .lasting(.seconds(30)) }
      let answers = endpoint.present([(1, 10), (1, second)])
      #expect(answers == [.rotated(2), answer])
    }
  }

  @Test func `What is forgotten has no grace, and the session goes on`() {
    let endpoint = Endpoint {
      $0.parentGrace.window = .unlimited
      $0.reuseMemory = .lasting(.seconds(30))
    }
    #expect(endpoint.wouldAnswer(1, at: 10))
    let answers = endpoint.present([(1, 10), (1, 39), (1, 40), (2, 41)])
    #expect(answers == [.rotated(2), .graced(3, forked: true), .unknown, .rotated(4)])
    #expect(!endpoint.wouldAnswer(1, at: 41))
  }

  @Test func `Stored times are rounded down to the tick`() {
    let endpoint = Endpoint {
      $0.tick = .seconds(1)
      $0.parentGrace.window = .lasting(.seconds(60))
      $0.parentGrace.reply = .sameSuccessor
    }
    // Spent at 10.9 s, which the store has as 10 s, so the window ends at 70 s.
    let first = endpoint.present([(1, 10.9)])
    #expect(first == [.rotated(2)])
    #expect(endpoint.lastResponse.expiry.nanoseconds == 310_000_000_000)
    #expect(endpoint.lastResponse.expiresIn == 300)
    #expect(endpoint.exposure(of: 1) == 59.1)
    let later = endpoint.present([(1, 69.999_999_999), (1, 70)])
    #expect(later == [.graced(2, forked: false), .theft])
  }

  @Test func `The tick does not blur what overlaps`() {
    let endpoint = Endpoint {
      $0.tick = .seconds(1)
      $0.race = .fork
    }
    _ = endpoint.present([(1, 10.9)])
    let answer = endpoint.present(1, at: .seconds(11), readAt: .milliseconds(10_800))
    #expect(answer == .rotated(3))
  }

  @Test func `The last use is stored in ticks`() {
    for (second, answer) in [(109.999_999_999, Answer.rotated(3)), (110, .unknown)] {
      let endpoint = Endpoint {
        $0.tick = .seconds(1)
        $0.refreshIdle = .seconds(100)
      }
      let answers = endpoint.present([(1, 10.9), (2, second)])
      #expect(answers == [.rotated(2), answer])
    }
  }

  @Test func `A grace can revive what a revocation killed`() {
    let endpoint = Endpoint {
      $0.graceCoversRevoked = true
      $0.ancestorGrace.window = .lasting(.seconds(10))
      $0.ancestorGrace.start = .lastUse
    }
    // Token 1 ends the family at 100 s: token 3 was killed then and is answered up to 110 s.
    let answers = endpoint.present([(1, 0), (2, 50), (1, 100)])
    #expect(answers == [.rotated(2), .rotated(3), .theft])
    #expect(endpoint.wouldAnswer(3, at: 109.9))
    #expect(!endpoint.wouldAnswer(3, at: 110))
    #expect(!endpoint.wouldAnswer(2, at: 101))
    let revived = endpoint.present([(3, 105), (4, 200), (3, 210)])
    #expect(revived == [.graced(4, forked: true), .rotated(5), .unknown])
    // A further reuse ends the revived family, and one more finds nothing to end.
    let again = endpoint.present([(1, 300), (1, 301)])
    #expect(again == [.theft, .reuse])
  }

  @Test func `Without that, no grace survives a revocation`() {
    let endpoint = Endpoint {
      $0.ancestorGrace.window = .unlimited
      $0.parentGrace.uses = .atMost(0)
    }
    let answers = endpoint.present([(1, 0), (1, 1), (2, 2), (1, 3)])
    #expect(answers == [.rotated(2), .theft, .unknown, .reuse])
  }

  @Test func `Access tokens of a revived family are not those that were ended`() {
    let endpoint = Endpoint {
      $0.graceCoversRevoked = true
      $0.ancestorGrace.window = .unlimited
    }
    _ = endpoint.present([(1, 0), (1, 10), (1, 20)])
    #expect(!endpoint.accepts(2, at: 11))
    #expect(endpoint.accepts(3, at: 21))
  }
}
