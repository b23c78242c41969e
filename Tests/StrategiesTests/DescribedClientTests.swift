import SimCore
import Strategies
import Testing

/// The engine as a table of events and effects, without a world.
struct DescribedClientTests {
  /// A client that is told events one by one, and its effects in words.
  private final class Bench {
    var client: DescribedClient
    var seconds: Int64 = 0
    private var timer = TimerID(name: -1)

    init(_ decisions: Decisions) {
      client = DescribedClient(decisions)
      client.reset(Bench.chance)
      _ = tell(.signedIn(Bench.pair(1, end: 300), afterNanoseconds: 0))
    }

    static let chance = ClientChance(
      RandomStream(RandomRun(seed: 1, run: 0), cause: .clientJitter))

    static func time(_ seconds: Int64) -> ClockReading {
      let time = WallTime(nanoseconds: seconds * 1_000_000_000)
      return ClockReading(wall: time, continuous: time, suspending: time)
    }

    static func pair(_ number: Int32, end: Int64) -> TokenResponse {
      TokenResponse(
        accessToken: AccessToken(id: number - 1), refreshToken: RefreshToken(id: number - 1),
        expiresIn: 300, expiry: WallTime(nanoseconds: end * 1_000_000_000))
    }

    func tell(_ event: ClientEvent) -> [String] {
      var effects = ClientEffects()
      client.handle(
        event, now: Bench.time(seconds), effects: &effects)
      for case .setTimer(let id, _, _) in effects.elements { timer = id }
      return effects.elements.map(Bench.words)
    }

    /// The timer that was set last goes off.
    func fireTimer() -> [String] { tell(.timerFired(timer)) }

    static func words(_ effect: ClientEffect) -> String {
      switch effect {
      case .send(let call, let token): "send \(call.number) \(token.map { "A\($0.number)" } ?? "-")"
      case .wait(let call): "wait \(call.number)"
      case .finish(let call, let outcome): "finish \(call.number) \(outcome)"
      case .refresh(let id, let token): "refresh \(id.slot) R\(token.number)"
      case .store(let id, _, let refresh, _): "store \(id.slot) R\(refresh.number)"
      case .clearStore: "clear"
      case .setTimer(let id, let nanoseconds, _):
        "timer \(id.name & 0xff) \(nanoseconds / 1_000_000) ms"
      case .pause(let call, let nanoseconds):
        "pause \(call.number) \(nanoseconds / 1_000_000) ms"
      case .abandonRefresh(let id): "abandon \(id.slot)"
      case .cutRefreshChain: "cut"
      case .storeLogin(_, let refresh, _): "store login R\(refresh.number)"
      case .readStore(let id): "read \(id.name)"
      case .recordRefresh: "record"
      case .acquireLock: "lock"
      case .releaseLock: "unlock"
      case .revoke(let token): "revoke R\(token.number)"
      case .holdBackgroundTask: "hold"
      case .releaseBackgroundTask: "release"
      case .endSession(_): "end"
      case .notifySignOut: "notify"
      }
    }
  }

  private func call(_ number: Int32) -> CallID { CallID(number: number, slot: number - 1) }

  private let first = RefreshID(slot: 0)
  private let second = RefreshID(slot: 1)

  private func decisions(_ name: String) throws -> Decisions { try strategy(name).decisions }

  @Test func `A token with time left is used`() throws {
    let bench = Bench(try decisions("single-flight"))
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
      let bench = Bench(try decisions(name))
      bench.seconds = seconds
      let started = bench.tell(.callStarted(call(1), CallTraits()))
      #expect(started == ["refresh 0 R1", "wait 1"])
    }
  }

  @Test func `Callers share a flight and go on in order once its pair is stored`() throws {
    let bench = Bench(try decisions("single-flight"))
    bench.seconds = 400
    let started = (1...3).map { bench.tell(.callStarted(call($0), CallTraits())) }
    let answered = bench.tell(.refreshAnswered(first, .granted(Bench.pair(2, end: 700))))
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
    let bench = Bench(try decisions("single-flight"))
    _ = bench.tell(.callStarted(call(1), CallTraits()))
    _ = bench.tell(.callStarted(call(2), CallTraits()))
    let early = bench.tell(.callAnswered(call(1), .unauthorized))
    _ = bench.tell(.refreshAnswered(first, .granted(Bench.pair(2, end: 700))))
    let stored = bench.tell(.stored(first))
    let late = bench.tell(.callAnswered(call(2), .unauthorized))
    #expect(early == ["refresh 0 R1", "wait 1"])
    #expect(stored == ["send 1 A2"])
    #expect(late == ["send 2 A2"])
  }

  @Test func `A second 401 is given back`() throws {
    let bench = Bench(try decisions("single-flight"))
    _ = bench.tell(.callStarted(call(1), CallTraits()))
    _ = bench.tell(.callAnswered(call(1), .unauthorized))
    _ = bench.tell(.refreshAnswered(first, .granted(Bench.pair(2, end: 700))))
    _ = bench.tell(.stored(first))
    let again = bench.tell(.callAnswered(call(1), .unauthorized))
    #expect(again == ["finish 1 unauthorized"])
  }

  @Test func `A rejection ends the session once and clears the pair`() throws {
    let bench = Bench(try decisions("single-flight"))
    bench.seconds = 400
    _ = bench.tell(.callStarted(call(1), CallTraits()))
    _ = bench.tell(.callStarted(call(2), CallTraits()))
    let rejected = bench.tell(.refreshAnswered(first, .failed(.invalidGrant, retryAfter: 0)))
    let later = bench.tell(.callStarted(call(3), CallTraits()))
    #expect(rejected == ["end", "clear", "notify", "finish 1 signedOut", "finish 2 signedOut"])
    #expect(later == ["finish 3 signedOut"])
  }

  @Test func `A transport error keeps the session`() throws {
    let bench = Bench(try decisions("single-flight"))
    bench.seconds = 400
    _ = bench.tell(.callStarted(call(1), CallTraits()))
    let failed = bench.tell(.refreshFailed(first, .transport))
    let next = bench.tell(.callStarted(call(2), CallTraits()))
    #expect(failed == ["finish 1 transport"])
    #expect(next == ["refresh 0 R1", "wait 2"])
  }

  @Test func `A naive client refreshes for each 401, with the token in memory`() throws {
    let bench = Bench(try decisions("naive"))
    for number in 1...3 as ClosedRange<Int32> {
      _ = bench.tell(.callStarted(call(number), CallTraits()))
    }
    let one = bench.tell(.callAnswered(call(1), .unauthorized))
    let two = bench.tell(.callAnswered(call(2), .unauthorized))
    _ = bench.tell(.refreshAnswered(first, .granted(Bench.pair(2, end: 700))))
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
    let bench = Bench(try decisions("naive-captured"))
    _ = bench.tell(.callStarted(call(1), CallTraits()))
    _ = bench.tell(.callStarted(call(2), CallTraits()))
    _ = bench.tell(.callAnswered(call(1), .unauthorized))
    _ = bench.tell(.refreshAnswered(first, .granted(Bench.pair(2, end: 700))))
    _ = bench.tell(.stored(first))
    let late = bench.tell(.callAnswered(call(2), .unauthorized))
    #expect(late == ["refresh 0 R1", "wait 2"])
  }

  @Test func `An actor alone checks, but records no running refresh`() throws {
    let bench = Bench(try decisions("actor-only"))
    bench.seconds = 300
    let started = (1...2).map { bench.tell(.callStarted(call($0), CallTraits())) }
    #expect(started == [["refresh 0 R1", "wait 1"], ["refresh 1 R1", "wait 2"]])
  }

  @Test func `A background task spans the refresh up to the store write`() throws {
    let bench = Bench(try decisions("background-task"))
    bench.seconds = 400
    let started = bench.tell(.callStarted(call(1), CallTraits()))
    let answered = bench.tell(.refreshAnswered(first, .granted(Bench.pair(2, end: 700))))
    let stored = bench.tell(.stored(first))
    #expect(started == ["hold", "refresh 0 R1", "wait 1"])
    #expect(answered == ["store 0 R2"])
    #expect(stored == ["send 1 A2", "release"])
  }

  @Test func `Under a task transport errors are retried twice, and no more once it has expired`()
    throws
  {
    let bench = Bench(try decisions("background-task"))
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
    let bench = Bench(decisions)
    bench.client.reset(Bench.chance)
    bench.seconds = 20
    _ = bench.tell(
      .signedIn(Bench.pair(1, end: 300), afterNanoseconds: 8_000_000_000))
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
    let bench = Bench(decisions)
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
