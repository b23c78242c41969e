import SimCore
import Strategies
import Testing

/// Processes that share a store: what is read again, when, and what comes of it.
struct RereadTests {
  // MARK: After a 401

  @Test func `After a 401 the pair of another process is used`() {
    let bench = ClientBench { $0.rereads = [.afterUnauthorized] }
    bench.start(1)
    bench.start(2)
    #expect(bench.tell(.callAnswered(call(1), .unauthorized)) == ["wait 1", "read 0"])
    #expect(bench.tell(.callAnswered(call(2), .unauthorized)) == ["wait 2"])
    #expect(bench.read(ClientBench.found(2, end: 600)) == ["send 1 A2", "send 2 A2"])
    #expect(bench.start(3) == ["send 3 A2"])
    // One resend is all there is.
    #expect(bench.tell(.callAnswered(call(1), .unauthorized)) == ["finish 1 unauthorized"])
  }

  @Test func `After a 401 a store with nothing new leads to one refresh`() {
    for content in [ClientBench.found(1, end: 300), .unreadable] {
      let bench = ClientBench { $0.rereads = [.afterUnauthorized] }
      bench.start(1)
      bench.start(2)
      bench.start(3)
      bench.tell(.callAnswered(call(1), .unauthorized))
      bench.tell(.callAnswered(call(2), .unauthorized))
      #expect(bench.read(content) == ["refresh 0 R1", "wait 1", "wait 2"])
      // Who comes while that runs has nothing to read for.
      #expect(bench.tell(.callAnswered(call(3), .unauthorized)) == ["wait 3"])
    }
  }

  @Test func `An empty store means that the session was ended elsewhere`() {
    for (notices, effects) in [
      (.once, ["end storeWithoutPair", "notify", "finish 1 signedOut"]),
      (.perFailedCall, ["end storeWithoutPair", "notify", "finish 1 signedOut"]),
    ] as [(Decisions.Notices, [String])] {
      for content in [StoreContent.empty, .unreadable] {
        let bench = ClientBench {
          $0.rereads = [.afterUnauthorized]
          $0.notices = notices
          $0.storeUnreadable = .absent
        }
        bench.start(1)
        bench.tell(.callAnswered(call(1), .unauthorized))
        #expect(bench.read(content) == effects)
        #expect(bench.start(2) == ["finish 2 signedOut"])
      }
    }
  }

  @Test func `A process is told that another has cleared the store`() {
    let bench = ClientBench { _ in }
    #expect(bench.tell(.storeCleared) == ["end storeWithoutPair", "notify"])
    #expect(bench.tell(.storeCleared) == [])
    #expect(bench.start(1) == ["finish 1 signedOut"])
  }

  // MARK: On resume and at ticks

  @Test func `On resume the pair of another process is taken up`() {
    #expect(ClientBench { _ in }.tell(.resumed) == [])
    let bench = ClientBench { $0.rereads = [.resume] }
    #expect(bench.tell(.resumed) == ["read 0"])
    #expect(bench.start(1) == ["send 1 A1"])
    #expect(bench.read(ClientBench.found(2, end: 600)) == [])
    #expect(bench.start(2) == ["send 2 A2"])
    // Only the access token is another, as where refresh tokens are not rotated.
    bench.tell(.resumed)
    _ = bench.read(ClientBench.found(2, end: 900, access: 3))
    #expect(bench.start(3) == ["send 3 A3"])
    bench.tell(.resumed)
    #expect(bench.read(.empty) == ["end storeWithoutPair", "notify"])
    // Signed out it may find that another process has signed in.
    bench.tell(.resumed)
    #expect(bench.read(.empty) == [])
    bench.tell(.resumed)
    #expect(bench.read(ClientBench.found(4, end: 900)) == [])
    #expect(bench.start(4) == ["send 4 A4"])
  }

  /// Two ticks with a threshold of 30 s: at 280 s the pair in memory has 20 s left.
  @Test func `A tick looks at what the store holds`() {
    for (end, effects) in [(310, ["refresh 0 R2"]), (311, [])] as [(Int64, [String])] {
      let bench = ClientBench {
        $0.schedule = .tick(every: .seconds(10), first: .seconds(280), threshold: .seconds(30))
        $0.rereads = [.tick]
      }
      bench.seconds = 280
      #expect(bench.fireTimer() == ["timer 0 10000 ms", "read 0"])
      #expect(bench.read(ClientBench.found(2, end: end)) == effects)
    }
  }

  // MARK: Before sending

  @Test func `A refresh before use is not sent if the store has a pair that will do`() {
    for (end, effects) in [
      (430, ["refresh 0 R2"]), (431, ["send 1 A2", "send 2 A2"]),
    ] as [(Int64, [String])] {
      let bench = ClientBench {
        $0.check = .margin(.seconds(30))
        $0.rereads = [.beforeSending]
      }
      bench.seconds = 400
      #expect(bench.start(1) == ["read 0", "wait 1"])
      #expect(bench.start(2) == ["wait 2"])
      #expect(bench.read(ClientBench.found(2, end: end)) == effects)
    }
  }

  @Test func `A refresh after a 401 is not sent if the store has another token`() {
    for (content, effects) in [
      (ClientBench.found(1, end: 300), ["refresh 0 R1"]),
      (.unreadable, ["refresh 0 R1"]),
      // Too old for a check, but not rejected yet.
      (ClientBench.found(2, end: 5), ["send 1 A2"]),
      (ClientBench.found(1, end: 600, access: 2), ["send 1 A2"]),
      (ClientBench.found(2, end: 5, isAlone: true), ["refresh 0 R2"]),
      (.empty, ["end storeWithoutPair", "notify", "finish 1 signedOut"]),
    ] as [(StoreContent, [String])] {
      let bench = ClientBench { $0.rereads = [.beforeSending] }
      bench.seconds = 10
      bench.start(1)
      #expect(bench.tell(.callAnswered(call(1), .unauthorized)) == ["read 0", "wait 1"])
      #expect(bench.read(content) == effects)
    }
  }

  @Test func `A reading for a flight that is over changes nothing`() {
    let bench = ClientBench {
      $0.rereads = [.beforeSending]
      $0.owner = .startingCall
    }
    bench.seconds = 400
    bench.start(1)
    // Nothing was sent, so nothing is abandoned.
    #expect(bench.tell(.callCancelled(call(1))) == ["finish 1 cancelled"])
    #expect(bench.start(2) == ["read 1", "wait 2"])
    #expect(bench.read(0, ClientBench.found(2, end: 900)) == [])
    #expect(bench.read(1, ClientBench.found(1, end: 300)) == ["refresh 0 R1"])
  }

  @Test func `A refresh is not sent for a session that ended while it read`() {
    let bench = ClientBench { $0.rereads = [.beforeSending] }
    bench.seconds = 400
    bench.start(1)
    #expect(bench.tell(.signOutRequested) == ["clear"])
    #expect(bench.read(.empty) == ["finish 1 signedOut"])
  }

  // MARK: After a rejection

  @Test(
    arguments: [
      (ClientBench.found(2, end: 600), ["send 1 A2", "send 2 A2"]),
      (
        ClientBench.found(1, end: 300),
        ["end", "clear", "notify", "finish 1 signedOut", "finish 2 signedOut"]
      ),
      (.empty, ["end", "clear", "notify", "finish 1 signedOut", "finish 2 signedOut"]),
      // What the winner may have stored is not erased unseen.
      (.unreadable, ["finish 1 noUsableToken", "finish 2 noUsableToken"]),
      (ClientBench.found(2, end: 600, isAlone: true), ["refresh 0 R2", "wait 1", "wait 2"]),
    ] as [(StoreContent, [String])])
  func `A loser looks for the pair of the winner`(content: StoreContent, effects: [String]) {
    let bench = ClientBench { $0.rejection = .adoptNewer }
    bench.seconds = 400
    bench.start(1)
    #expect(bench.reject() == ["read 0"])
    #expect(bench.start(2) == ["wait 2"])
    #expect(bench.read(content) == effects)
  }

  @Test func `A pair of another session in memory is taken without a reading`() {
    let bench = ClientBench {
      $0.rejection = .adoptNewer
      $0.persist = .never
    }
    bench.seconds = 400
    bench.start(1)
    bench.tell(.signedIn(ClientBench.pair(2, end: 700), afterNanoseconds: 0))
    #expect(bench.reject() == ["send 1 A2"])
  }

  // MARK: A process that never refreshes

  @Test func `Who never refreshes uses what the store has, or fails`() {
    for (content, effects) in [
      (ClientBench.found(2, end: 600), ["send 1 A2"]),
      (ClientBench.found(1, end: 300), ["finish 1 noUsableToken"]),
      (.unreadable, ["finish 1 noUsableToken"]),
      (ClientBench.found(2, end: 600, isAlone: true), ["finish 1 noUsableToken"]),
    ] as [(StoreContent, [String])] {
      let bench = ClientBench { $0.refreshes = .never }
      bench.seconds = 400
      #expect(bench.tell(.refreshOrdered) == [])
      #expect(bench.start(1) == ["wait 1", "read 0"])
      #expect(bench.read(content) == effects)
    }
  }

  @Test func `Who never refreshes gives a 401 back, unless the store has another token`() {
    for (number, effects) in [(2, ["send 1 A2"]), (1, ["finish 1 unauthorized"])]
      as [(Int32, [String])]
    {
      let bench = ClientBench { $0.refreshes = .never }
      bench.start(1)
      #expect(bench.tell(.callAnswered(call(1), .unauthorized)) == ["wait 1", "read 0"])
      #expect(bench.read(ClientBench.found(number, end: 300)) == effects)
    }
  }
}
