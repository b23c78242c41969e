import SimCore
import Strategies
import Testing

/// A process that starts and finds its session, or none, in its store.
struct ColdStartTests {
  @Test func `A login is stored with its believed end, unless nothing ever is`() {
    let login = ClientEvent.signedIn(ClientBench.pair(1, end: 300), afterNanoseconds: 2_000_000_000)
    for (expected, change) in [
      (["store login R1 until 300"], { _ in }),
      (["store login R1 until 298"], { $0.expiryBasis = .sentAt }),
      (["store login R1 alone until 300"], { $0.persistedParts = .refreshTokenOnly }),
      ([], { $0.persist = .never }),
    ] as [([String], (inout Decisions) -> Void)] {
      #expect(ClientBench(isSignedIn: false, change).tell(login) == expected)
    }
  }

  @Test func `Calls wait until the store is read, and go on in order with its pair`() {
    let bench = ClientBench { _ in }
    bench.start(7)
    bench.seconds = 100
    #expect(bench.tell(.launched) == ["read 0"])
    #expect(bench.start(1) == ["wait 1"])
    #expect(bench.start(2) == ["wait 2"])
    #expect(bench.tell(.callStarted(call(3), CallTraits(needsToken: false))) == ["send 3 -"])
    #expect(bench.tell(.callCancelled(call(1))) == ["finish 1 cancelled"])
    #expect(bench.read(ClientBench.found(4, end: 250)) == ["send 2 A4"])
    #expect(bench.start(4) == ["send 4 A4"])
    bench.seconds = 250
    #expect(bench.start(5) == ["refresh 0 R4", "wait 5"])
  }

  @Test func `An empty store means no session`() {
    for (withoutPair, expected) in [(.fail, "finish 1 signedOut"), (.send, "send 1 -")]
      as [(Decisions.WithoutPair, String)]
    {
      let bench = ClientBench { $0.withoutPair = withoutPair }
      bench.tell(.launched)
      bench.start(1)
      #expect(bench.read(.empty) == [expected])
      #expect(bench.start(2) == [expected.replacing("1", with: "2")])
    }
  }

  @Test func `A locked store is waited for`() {
    let bench = ClientBench { _ in }
    bench.tell(.launched)
    bench.start(1)
    #expect(bench.read(.unreadable) == [])
    #expect(bench.start(2) == ["wait 2"])
    #expect(bench.tell(.refreshOrdered) == [])
    #expect(bench.tell(.unlocked) == ["read 0"])
    #expect(
      bench.read(ClientBench.found(4, end: 250)) == ["refresh 0 R4", "wait 1", "wait 2"])
    #expect(bench.tell(.unlocked) == [])
  }

  @Test func `Taken for an empty one, a locked store signs the user out once`() {
    let bench = ClientBench { $0.storeUnreadable = .absent }
    bench.tell(.launched)
    bench.start(1)
    #expect(
      bench.read(.unreadable) == ["end storeWithoutPair", "notify", "finish 1 signedOut"])
    #expect(bench.start(2) == ["finish 2 signedOut"])
    #expect(bench.tell(.unlocked) == [])
  }

  /// A pair without access token cannot be used, whatever its end.
  @Test(arguments: [ClientProfile.Check.none, .margin(.zero), .margin(.seconds(-1000))])
  func `A stored refresh token alone refreshes first`(check: ClientProfile.Check) {
    let bench = ClientBench {
      $0.check = check
      $0.persistedParts = .refreshTokenOnly
      $0.duringRefresh = .useTrusted
    }
    bench.tell(.launched)
    bench.start(1)
    #expect(
      bench.read(ClientBench.found(4, end: 250, isAlone: true)) == ["refresh 0 R4", "wait 1"])
    #expect(bench.start(2) == ["wait 2"])
    #expect(bench.grant(5, end: 550) == ["store 0 R5 alone"])
    #expect(bench.tell(.stored(first)) == ["send 1 A5", "send 2 A5"])
  }

  @Test func `A call that waited for the store captures the token found there`() {
    let bench = ClientBench { $0.presents = .captured }
    bench.seconds = 300
    bench.tell(.launched)
    bench.start(1)
    #expect(bench.read(ClientBench.found(4, end: 250)) == ["refresh 0 R4", "wait 1"])
  }

  /// The pair ends at 250 s with a lifetime of 300 s: half of that is more than the margin, a tenth is 30 s.
  @Test func `A pair from the store has the margin that it had before`() {
    for (cap, due) in [(nil, 150), (0.5, 150), (0.1, 220)] as [(Double?, Int64)] {
      let bench = ClientBench {
        $0.check = .margin(.seconds(100))
        $0.marginCap = cap
      }
      bench.tell(.launched)
      _ = bench.read(ClientBench.found(4, end: 250))
      bench.seconds = due - 1
      #expect(bench.start(1) == ["send 1 A4"])
      bench.seconds = due
      #expect(bench.start(2) == ["refresh 0 R4", "wait 2"])
    }
  }

  @Test func `A refresh that a kill cut short is repeated before anything else`() {
    let found = ClientBench.found(4, end: 250, isUnfinished: true)
    let bench = ClientBench { $0.journal = true }
    bench.seconds = 300
    #expect(bench.start(1) == ["record", "refresh 0 R1", "wait 1"])
    bench.seconds = 100
    bench.tell(.launched)
    bench.start(2)
    #expect(bench.read(found) == ["record", "refresh 0 R4", "wait 2"])
    bench.grant(5, end: 400)
    #expect(bench.tell(.stored(first)) == ["send 2 A5"])
    // Who keeps no journal does not heed one either.
    let careless = ClientBench { _ in }
    careless.tell(.launched)
    careless.start(2)
    #expect(careless.read(found) == ["send 2 A4"])
  }

  @Test func `Whoever signs in or out does not wait for the store`() {
    let bench = ClientBench { $0.persist = .never }
    bench.tell(.launched)
    bench.start(1)
    bench.tell(.refreshOrdered)
    let signedIn = bench.tell(.signedIn(ClientBench.pair(9, end: 300), afterNanoseconds: 0))
    #expect(signedIn == ["send 1 A9"])
    #expect(bench.read(ClientBench.found(4, end: 250)) == [])
    #expect(bench.start(2) == ["send 2 A9"])
    bench.tell(.launched)
    bench.start(1)
    #expect(bench.tell(.signOutRequested) == ["clear", "finish 1 signedOut"])
    #expect(bench.read(ClientBench.found(4, end: 250)) == [])
    #expect(bench.start(2) == ["finish 2 signedOut"])
  }

  @Test func `Schedules begin anew with the pair of the store`() {
    let oneShot = ClientBench {
      $0.schedule = .oneShot(margin: .seconds(50), floor: .zero, jitter: .zero)
    }
    oneShot.seconds = 100
    oneShot.tell(.launched)
    #expect(oneShot.read(ClientBench.found(4, end: 250)) == ["timer 0 100000 ms"])
    #expect(oneShot.fireTimer() == ["refresh 0 R4"])
    let tick = ClientBench {
      $0.schedule = .tick(every: .seconds(10), first: .seconds(3), threshold: .seconds(30))
    }
    tick.tell(.launched)
    #expect(tick.read(ClientBench.found(4, end: 30)) == ["timer 0 3000 ms"])
    #expect(tick.fireTimer() == ["timer 0 10000 ms", "refresh 0 R4"])
  }

  // MARK: Answers that the system brings

  private func transferring(_ change: (inout Decisions) -> Void = { _ in }) -> ClientBench {
    ClientBench {
      $0.protection = .backgroundTransfer
      change(&$0)
    }
  }

  private let delivery = ClientEvent.transferDelivered(.granted(ClientBench.pair(5, end: 600)))

  @Test func `An answer that the system brings becomes the pair, once the store is read`() {
    let bench = transferring()
    #expect(bench.client.profile.transfersInBackground)
    bench.seconds = 400
    #expect(bench.start(1) == ["refresh 0 R1", "wait 1"])
    bench.tell(.launched)
    bench.start(1)
    #expect(bench.tell(delivery) == [])
    #expect(bench.read(ClientBench.found(1, end: 300)) == ["store 0 R5", "wait 1"])
    #expect(bench.tell(.stored(first)) == ["send 1 A5"])
  }

  @Test func `An answer that the system brings signs nobody in, unless every answer is taken`() {
    for (accept, effects) in [(.ifSessionUnchanged, []), (.always, ["store 0 R5"])]
      as [(Decisions.Accept, [String])]
    {
      let bench = transferring { $0.accept = accept }
      bench.tell(.launched)
      bench.tell(delivery)
      #expect(bench.read(.empty) == effects)
    }
  }

  @Test func `A rejection that the system brings ends the session, other failures do not`() {
    let bench = transferring()
    #expect(bench.tell(.transferDelivered(.failed(.serverError, retryAfter: 0))) == [])
    #expect(
      bench.tell(.transferDelivered(.failed(.invalidGrant, retryAfter: 0)))
        == ["end", "clear", "notify"])
    #expect(bench.tell(.transferDelivered(.failed(.invalidGrant, retryAfter: 0))) == [])
  }
}
