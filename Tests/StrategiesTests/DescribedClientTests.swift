import SimCore
import Strategies
import Testing

/// The engine as a table of events and effects, without a world.
struct DescribedClientTests {
  private func decisions(_ name: String) throws -> Decisions { try strategy(name).decisions }

  @Test func `A token with time left is used`() throws {
    let bench = ClientBench(try decisions("single-flight"))
    bench.seconds = 299
    let started = bench.tell(.callStarted(call(1), CallTraits()))
    let answered = bench.tell(.callAnswered(call(1), .ok))
    #expect(started == ["send 1 A1"])
    #expect(answered == ["finish 1 succeeded"])
  }

  @Test func `At its end, or within the margin, a token is refreshed first`() throws {
    for (name, seconds) in [("single-flight", 300), ("single-flight+margin", 270)]
      as [(String, Int64)]
    {
      let bench = ClientBench(try decisions(name))
      bench.seconds = seconds
      let started = bench.tell(.callStarted(call(1), CallTraits()))
      #expect(started == ["refresh 0 R1", "wait 1"])
    }
  }

  @Test func `Callers share a flight and go on in order once its pair is stored`() throws {
    let bench = ClientBench(try decisions("single-flight"))
    bench.seconds = 400
    let started = (1...3).map { bench.tell(.callStarted(call($0), CallTraits())) }
    let answered = bench.tell(.refreshAnswered(first, .granted(ClientBench.pair(2, end: 700))))
    let late = bench.tell(.callStarted(call(4), CallTraits()))
    let stored = bench.tell(.stored(first))
    let later = bench.tell(.callStarted(call(5), CallTraits()))
    #expect(started == [["refresh 0 R1", "wait 1"], ["wait 2"], ["wait 3"]])
    #expect(answered == ["store 0 R2"])
    // Until the pair is stored the slot is taken, so nobody starts another refresh.
    #expect(late == ["wait 4"])
    #expect(stored == ["send 1 A2", "send 2 A2", "send 3 A2", "send 4 A2"])
    #expect(later == ["send 5 A2"])
  }

  @Test func `A late 401 for a superseded token is only resent`() throws {
    let bench = ClientBench(try decisions("single-flight"))
    _ = bench.tell(.callStarted(call(1), CallTraits()))
    _ = bench.tell(.callStarted(call(2), CallTraits()))
    let early = bench.tell(.callAnswered(call(1), .unauthorized))
    _ = bench.tell(.refreshAnswered(first, .granted(ClientBench.pair(2, end: 700))))
    let stored = bench.tell(.stored(first))
    let late = bench.tell(.callAnswered(call(2), .unauthorized))
    #expect(early == ["refresh 0 R1", "wait 1"])
    #expect(stored == ["send 1 A2"])
    #expect(late == ["send 2 A2"])
  }

  @Test func `A second 401 is given back`() throws {
    let bench = ClientBench(try decisions("single-flight"))
    _ = bench.tell(.callStarted(call(1), CallTraits()))
    _ = bench.tell(.callAnswered(call(1), .unauthorized))
    _ = bench.tell(.refreshAnswered(first, .granted(ClientBench.pair(2, end: 700))))
    _ = bench.tell(.stored(first))
    let again = bench.tell(.callAnswered(call(1), .unauthorized))
    #expect(again == ["finish 1 unauthorized"])
  }

  @Test func `A rejection ends the session once and clears the pair`() throws {
    let bench = ClientBench(try decisions("single-flight"))
    bench.seconds = 400
    _ = bench.tell(.callStarted(call(1), CallTraits()))
    _ = bench.tell(.callStarted(call(2), CallTraits()))
    let rejected = bench.tell(.refreshAnswered(first, .failed(.invalidGrant, retryAfter: 0)))
    let later = bench.tell(.callStarted(call(3), CallTraits()))
    #expect(rejected == ["end", "clear", "notify", "finish 1 signedOut", "finish 2 signedOut"])
    #expect(later == ["finish 3 signedOut"])
  }

  @Test func `A transport error keeps the session`() throws {
    let bench = ClientBench(try decisions("single-flight"))
    bench.seconds = 400
    _ = bench.tell(.callStarted(call(1), CallTraits()))
    let failed = bench.tell(.refreshFailed(first, .transport))
    let next = bench.tell(.callStarted(call(2), CallTraits()))
    #expect(failed == ["finish 1 transport"])
    #expect(next == ["refresh 0 R1", "wait 2"])
  }

  @Test func `A naive client refreshes for each 401, with the token in memory`() throws {
    let bench = ClientBench(try decisions("naive"))
    for number in 1...3 as ClosedRange<Int32> {
      _ = bench.tell(.callStarted(call(number), CallTraits()))
    }
    let one = bench.tell(.callAnswered(call(1), .unauthorized))
    let two = bench.tell(.callAnswered(call(2), .unauthorized))
    _ = bench.tell(.refreshAnswered(first, .granted(ClientBench.pair(2, end: 700))))
    let stored = bench.tell(.stored(first))
    let three = bench.tell(.callAnswered(call(3), .unauthorized))
    let rejected = bench.tell(.refreshAnswered(second, .failed(.invalidGrant, retryAfter: 0)))
    let later = bench.tell(.callStarted(call(4), CallTraits()))
    #expect(one == ["refresh 0 R1", "wait 1"])
    #expect(two == ["refresh 1 R1", "wait 2"])
    #expect(stored == ["send 1 A2"])
    #expect(three == ["refresh 0 R2", "wait 3"])
    #expect(rejected == ["end", "notify", "finish 2 signedOut"])
    // It never clears the pair.
    #expect(later == ["send 4 A2"])
  }

  @Test func `A client that captured its token presents that one`() throws {
    let bench = ClientBench(try decisions("naive-captured"))
    _ = bench.tell(.callStarted(call(1), CallTraits()))
    _ = bench.tell(.callStarted(call(2), CallTraits()))
    _ = bench.tell(.callAnswered(call(1), .unauthorized))
    _ = bench.tell(.refreshAnswered(first, .granted(ClientBench.pair(2, end: 700))))
    _ = bench.tell(.stored(first))
    let late = bench.tell(.callAnswered(call(2), .unauthorized))
    #expect(late == ["refresh 0 R1", "wait 2"])
  }

  @Test func `An actor alone checks, but records no running refresh`() throws {
    let bench = ClientBench(try decisions("actor-only"))
    bench.seconds = 300
    let started = (1...2).map { bench.tell(.callStarted(call($0), CallTraits())) }
    #expect(started == [["refresh 0 R1", "wait 1"], ["refresh 1 R1", "wait 2"]])
  }

  @Test func `A background task spans the refresh up to the store write`() throws {
    let bench = ClientBench(try decisions("background-task"))
    bench.seconds = 400
    let started = bench.tell(.callStarted(call(1), CallTraits()))
    let answered = bench.tell(.refreshAnswered(first, .granted(ClientBench.pair(2, end: 700))))
    let stored = bench.tell(.stored(first))
    #expect(started == ["hold", "refresh 0 R1", "wait 1"])
    #expect(answered == ["store 0 R2"])
    #expect(stored == ["send 1 A2", "release"])
  }

  @Test func `Under a task transport errors are retried twice, and no more once it has expired`()
    throws
  {
    let bench = ClientBench(try decisions("background-task"))
    bench.seconds = 400
    _ = bench.tell(.callStarted(call(1), CallTraits()))
    let pauses = [
      bench.tell(.refreshFailed(first, .transport)), bench.fireTimer(),
      bench.tell(.refreshFailed(first, .transport)), bench.fireTimer(),
      bench.tell(.refreshFailed(first, .transport)),
    ]
    #expect(
      pauses == [
        ["timer 0 500 ms"], ["refresh 0 R1"], ["timer 0 1000 ms"], ["refresh 0 R1"],
        ["finish 1 transport", "release"],
      ])
    _ = bench.tell(.callStarted(call(2), CallTraits()))
    let expired = bench.tell(.backgroundTaskExpired)
    let failed = bench.tell(.refreshFailed(first, .transport))
    #expect(expired == [])
    #expect(failed == ["finish 2 transport"])
  }

  /// Absolute expiry trusts the claim; the others add 300 s to the reading at 20 s or the sending at 12 s.
  @Test(
    arguments: [(.absolute, 300), (.receivedAt, 320), (.sentAt, 312)] as [(ExpiryBasis, Int64)])
  func `The end of a token follows from its basis`(basis: ExpiryBasis, end: Int64) throws {
    var decisions = try decisions("single-flight")
    decisions.expiryBasis = basis
    let bench = ClientBench(decisions)
    bench.client.reset(ClientBench.chance)
    bench.seconds = 20
    _ = bench.tell(
      .signedIn(ClientBench.pair(1, end: 300), afterNanoseconds: 8_000_000_000))
    bench.seconds = end - 1
    let before = bench.tell(.callStarted(call(1), CallTraits()))
    bench.seconds = end
    let after = bench.tell(.callStarted(call(2), CallTraits()))
    #expect(before == ["send 1 A1"])
    #expect(after == ["refresh 0 R1", "wait 2"])
  }

  @Test func `A client that gives a 401 back never refreshes for it`() {
    var decisions = Decisions()
    decisions.afterUnauthorized = .giveBack
    let bench = ClientBench(decisions)
    _ = bench.tell(.callStarted(call(1), CallTraits()))
    let answered = bench.tell(.callAnswered(call(1), .unauthorized))
    #expect(answered == ["finish 1 unauthorized"])
  }

  /// The second and third call share the first one's answer, so that the client never sees their slots.
  @Test func `Calls whose equals a layer kept to itself find their places`() throws {
    let equal = Usage.Moment.Call(traits: CallTraits(key: 1))
    let scenario = Scenario.timeline(
      (0..<3).map { _ in Usage.Moment(.call(equal), at: .seconds(10)) }
        + [Usage.Moment(.call(), at: .seconds(10))])
    var sharing = try strategy("single-flight")
    sharing.decisions.deduplicates = true
    expect(try tally(sharing, scenario), [.calls: 4, .attempts: 2])
  }

  @Test func `A rejection that nobody waits for ends the session of a client that would resend`()
    throws
  {
    let scenario = Scenario.timeline([
      Usage.Moment(.revoke, at: .seconds(10)), Usage.Moment(.refresh, at: .seconds(20)),
    ])
    var resending = try strategy("single-flight")
    resending.decisions.rejection = .resend
    expect(
      try tally(resending, scenario),
      [.refreshes: 1, .rejected: 1, .revokedByRequest: 1, .signOuts: 1])
  }
}
