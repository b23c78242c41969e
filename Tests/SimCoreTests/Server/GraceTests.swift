import Testing

@testable import SimCore

/// How spent tokens are answered, under the grace of a parent or of an ancestor.
struct GraceTests {
  /// Token 1 spent at 0 s, 2 at 10 s; then 1 at 20 s and 3 at 30 s.
  private let olderGeneration: [(number: Int, second: Double)] = [
    (1, 0), (2, 10), (1, 20), (3, 30),
  ]

  @Test func `B65, a grace for any generation answers a token whose child is spent`() {
    let endpoint = Endpoint {
      $0.parentGrace.window = .lasting(.seconds(1000))
      $0.ancestorGrace.window = .lasting(.seconds(1000))
    }
    let answers = endpoint.present(olderGeneration)
    #expect(answers == [.rotated(2), .rotated(3), .graced(4, forked: true), .rotated(5)])
  }

  @Test func `B65, a grace for parents only takes it for theft`() {
    let endpoint = Endpoint { $0.parentGrace.window = .lasting(.seconds(1000)) }
    let answers = endpoint.present(olderGeneration)
    #expect(answers == [.rotated(2), .rotated(3), .theft, .unknown])
  }

  @Test func `A grace for ancestors only rejects a token whose child is unspent`() {
    let endpoint = Endpoint { $0.ancestorGrace.window = .lasting(.seconds(1000)) }
    let answers = endpoint.present([(1, 0), (1, 5)])
    #expect(answers == [.rotated(2), .theft])
  }

  @Test func `The window of an ancestor is open strictly less than its length`() {
    let endpoint = Endpoint {
      $0.parentGrace.window = .unlimited
      $0.parentGrace.reply = .sameSuccessor
      $0.ancestorGrace.window = .lasting(.seconds(30))
      $0.ancestorGrace.reply = .currentActive
    }
    // Token 1 is a parent up to 500 s, and from then on an ancestor: of its 30 s nothing is left. Token 2 has some.
    let answers = endpoint.present([
      (1, 10), (1, 499), (2, 500), (3, 510), (2, 529.999_999_999), (2, 530),
    ])
    #expect(
      answers == [
        .rotated(2), .graced(2, forked: false), .rotated(3), .rotated(4),
        .graced(4, forked: false), .theft,
      ])
  }

  @Test func `An ancestor that is answered with a sibling is a parent again`() {
    let endpoint = Endpoint { $0.ancestorGrace.window = .unlimited }
    let answers = endpoint.present([(1, 0), (2, 10), (1, 20), (1, 30)])
    // At 30 s its child 4 is unspent, and parents have no grace.
    #expect(answers == [.rotated(2), .rotated(3), .graced(4, forked: true), .theft])
  }

  @Test(arguments: [
    (ServerPolicy.Grace.Reply.sibling, 4, true), (.siblingSupersedes, 4, true),
    (.sameSuccessor, 2, false), (.replayResponse, 2, false), (.currentActive, 3, false),
    (.presentedToken, 1, false),
  ])
  func `An ancestor is answered as its own policy says`(
    reply: ServerPolicy.Grace.Reply, token: Int, forked: Bool
  ) {
    let endpoint = Endpoint {
      $0.parentGrace.reply = .sibling
      $0.ancestorGrace.window = .unlimited
      $0.ancestorGrace.reply = reply
    }
    let answers = endpoint.present([(1, 0), (2, 10), (1, 20)])
    #expect(answers == [.rotated(2), .rotated(3), .graced(token, forked: forked)])
  }

  @Test func `The uses of a token count under either grace`() {
    let endpoint = Endpoint {
      $0.parentGrace.window = .unlimited
      $0.parentGrace.reply = .sameSuccessor
      $0.parentGrace.uses = .atMost(5)
      $0.ancestorGrace = $0.parentGrace
      $0.ancestorGrace.uses = .atMost(2)
    }
    let answers = endpoint.present([(1, 0), (1, 1), (2, 2), (1, 3), (1, 4)])
    #expect(
      answers == [
        .rotated(2), .graced(2, forked: false), .rotated(3), .graced(2, forked: false), .theft,
      ])
  }

  @Test func `B27, the grace of a parent holds until its successor is used`() {
    let endpoint = Endpoint(lifetime: .seconds(900)) {
      $0.parentGrace.window = .unlimited
      $0.parentGrace.untilUse = .accessAccepted
    }
    let early = endpoint.present([(1, 0.05), (1, 86_400)])
    #expect(early == [.rotated(2), .graced(3, forked: true)])
    let accepted = endpoint.use(3, at: 86_401)
    #expect(accepted)
    let late = endpoint.present([(1, 86_500)])
    #expect(late == [.theft])
  }

  @Test func `B27, a strict server or a minute's grace ends the session at once`() {
    for window in [Duration.zero, .seconds(60)] {
      let endpoint = Endpoint { $0.parentGrace.window = .lasting(window) }
      let answers = endpoint.present([(1, 0.05), (1, 86_400)])
      #expect(answers == [.rotated(2), .theft])
    }
  }

  @Test(arguments: [
    (ServerPolicy.Grace.UntilUse.no, Answer.graced(2, forked: false)),
    (.accessAccepted, .graced(2, forked: false)), (.anyUse, .theft),
  ])
  func `Presenting a successor ends a grace until any use`(
    untilUse: ServerPolicy.Grace.UntilUse, answer: Answer
  ) {
    let endpoint = Endpoint {
      $0.reuse = .rejectOnly
      $0.ancestorGrace.window = .unlimited
      $0.ancestorGrace.reply = .sameSuccessor
      $0.ancestorGrace.untilUse = untilUse
    }
    let answers = endpoint.present([(1, 0), (2, 10), (1, 20)])
    #expect(answers == [.rotated(2), .rotated(3), answer == .theft ? .reuse : answer])
  }

  @Test func `Each grace heeds only the use that ends it`() {
    let endpoint = Endpoint {
      $0.parentGrace.window = .unlimited
      $0.parentGrace.reply = .sameSuccessor
      $0.ancestorGrace = $0.parentGrace
      $0.ancestorGrace.untilUse = .accessAccepted
    }
    #expect(endpoint.server.heedsAcceptance)
    let accepted = endpoint.present([(1, 0)]) == [.rotated(2)] && endpoint.use(2, at: 1)
    #expect(accepted)
    let answers = endpoint.present([(1, 2), (2, 3), (1, 4)])
    #expect(answers == [.graced(2, forked: false), .rotated(3), .theft])
  }

  @Test func `What would be answered follows the generation`() {
    let endpoint = Endpoint { $0.ancestorGrace.window = .lasting(.seconds(60)) }
    #expect(endpoint.server.hasGrace)
    _ = endpoint.present([(1, 0)])
    #expect(!endpoint.wouldAnswer(1, at: 5))
    _ = endpoint.present([(2, 10)])
    #expect(endpoint.wouldAnswer(1, at: 59))
    #expect(!endpoint.wouldAnswer(1, at: 60))
  }

  /// The seconds for which token 1 would have been answered after it was spent at 10 s; -1 for ever.
  private func exposure(
    parent: Double, ancestor: Double, _ presentations: [(number: Int, second: Double)]
  ) -> Double {
    func window(_ length: Double) -> ServerPolicy.Grace.Window {
      length < 0 ? .unlimited : .lasting(.seconds(length))
    }
    let endpoint = Endpoint {
      $0.parentGrace.window = window(parent)
      $0.ancestorGrace.window = window(ancestor)
    }
    _ = endpoint.present(presentations)
    return endpoint.exposure(of: 1)
  }

  @Test func `Exposure adds up the times as a parent and as an ancestor`() {
    #expect(exposure(parent: 0, ancestor: 60, [(1, 10)]) == 0)
    #expect(exposure(parent: 60, ancestor: 60, [(1, 10), (2, 30)]) == 60)
    #expect(exposure(parent: 0, ancestor: 60, [(1, 10), (2, 30)]) == 40)
    #expect(exposure(parent: -1, ancestor: 60, [(1, 10), (2, 40)]) == 60)
    #expect(exposure(parent: -1, ancestor: 60, [(1, 10), (2, 100)]) == 90)
    // Closed from 15 to 30 s.
    #expect(exposure(parent: 5, ancestor: 60, [(1, 10), (2, 30)]) == 45)
    #expect(exposure(parent: 0, ancestor: -1, [(1, 10), (2, 30)]) == -1)
    #expect(exposure(parent: -1, ancestor: 0, [(1, 10)]) == -1)
  }

  @Test func `Exposure ends with the life of the token, and with its being known`() {
    let absolute = Endpoint {
      $0.parentGrace.window = .unlimited
      $0.refreshAbsolute = .seconds(100)
    }
    _ = absolute.present([(1, 10)])
    #expect(absolute.exposure(of: 1) == 90)
    let forgotten = Endpoint {
      $0.parentGrace.window = .unlimited
      $0.reuseMemory = .lasting(.seconds(70))
      $0.refreshIdle = .seconds(80)
    }
    _ = forgotten.present([(1, 10)])
    #expect(forgotten.exposure(of: 1) == 70)
  }
}
