import SimCore
import Testing

@testable import simrun

struct TraceTextTests {
  private let r1 = RefreshToken(id: 0)

  private func trace(_ facts: [(process: Int, fact: Fact)]) -> Trace {
    var trace = Trace()
    trace.entries = facts.enumerated().map { index, item in
      Trace.Entry(
        instant: Instant(nanoseconds: Int64(index) * 1_000_000_000), fact: item.fact,
        process: item.process)
    }
    return trace
  }

  @Test func `Several processes are told apart by number`() {
    let text = TraceText.lines(
      trace([
        (1, .processKilled(byPerson: false)), (2, .processLaunched), (10, .lockAwaited),
      ]))
    #expect(
      text == """
          0.000000 s   1  system  kills the app: its memory is gone
          1.000000 s   2  system  launches the app, with nothing in its memory
          2.000000 s  10  client  waits for the lock, which another process holds

        """)
  }

  @Test func `A single process needs no number`() {
    let text = TraceText.lines(
      trace([
        (1, .familyBegan(TokenFamily(id: 0), r1, AccessToken(id: 0), user: 2)),
        (1, .storeRead(r1)), (1, .storeRead(nil)),
        (1, .signedOut(.storeWithoutPair, needlessly: true)),
        (1, .pairCrossed(r1)), (1, .processKilled(byPerson: true)), (1, .transferDelivered(3)),
      ]))
    #expect(
      text == """
          0.000000 s  server  mints the first pair of user 2: A1 and R1
          1.000000 s  client  reads R1 in its store
          2.000000 s  client  reads its store, which is empty
          3.000000 s  client  SIGNS THE USER OUT, for want of a stored pair, although the server would have gone on
          4.000000 s  client  stores R1 INTO THE SESSION OF ANOTHER PERSON
          5.000000 s  person  ends the app for good: its memory is gone
          6.000000 s  system  has the answer to refresh 3, for when the app runs again

        """)
  }
}
