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

  // MARK: Sign-outs

  /// A week in which process 2 spends R1 at 172,805 s, and process 1 is signed out two seconds later.
  private func week() -> Trace {
    var trace = Trace()
    let day = Int64(2 * 86_400)
    let told: [(Int64, Int, Fact)] = [
      (0, 1, .screenOpened), (day, 2, .wokenInBackground), (day + 4, 2, .refreshSent(1, r1)),
      (day + 5, 2, .refreshJudged(1, r1, .reissued(AccessToken(id: 1)))),
      (day + 6, 3, .wokenInBackground),
      (day + 7, 1, .signedOut(.rejected, needlessly: false)), (day + 7, 1, .signOutNotified),
      (day + 8, 2, .appSuspended), (day + 9, 2, .signedOut(.rejected, needlessly: false)),
    ]
    trace.entries = told.map {
      Trace.Entry(instant: Instant(nanoseconds: $0 * 1_000_000_000), fact: $2, process: $1)
    }
    let damage = SignOut.Damage(
      instant: Instant(nanoseconds: (day + 5) * 1_000_000_000), process: 2, refresh: 1)
    trace.signOuts = [(1, day + 7), (2, day + 9)].map {
      SignOut(
        process: $0, cause: .otherProcess, damage: damage,
        symptom: Instant(nanoseconds: $1 * 1_000_000_000))
    }
    return trace
  }

  @Test func `A long trace tells what led to the first sign-out, and its cause`() {
    let trace = week()
    #expect(
      TraceText.lines(trace, .aroundSignOut(trace, ofOneClient: false)) == """
          [2 lines of the first 2 days are left out; --from 0s shows all]
          172,804.000000 s  2  client  sends refresh 1 with R1
          172,805.000000 s  2  server  refresh 1: keeps R1, mints A2
          172,806.000000 s  3  system  runs the app in the background
          172,807.000000 s  1  client  SIGNS THE USER OUT
                               why     otherProcess: another process of the device had refreshed
                                       sealed at 172,805.000000 s of process 2: server, refresh 1: keeps R1, mints A2
                            1  app     is told that the session is gone
          [2 lines after this, with 1 more sign-out, are left out; --from 0s shows all]

        """)
    let ofOne = TraceText.lines(trace, .aroundSignOut(trace, ofOneClient: true))
    #expect(!ofOne.contains("172,806"))
    #expect(ofOne.contains("of the first 2 days, and whatever other clients do, are left out"))
  }

  @Test func `A trace may be cut at two instants`() {
    let trace = week()
    func lines(_ from: Int64?, _ until: Int64?) -> [Substring] {
      TraceText.lines(
        trace,
        .between(
          from.map { Instant(nanoseconds: $0 * 1_000_000_000) },
          until.map { Instant(nanoseconds: $0 * 1_000_000_000) }, in: trace)
      ).split(separator: "\n")
    }
    // Nine facts, and two lines for each of the two causes.
    #expect(lines(nil, nil).count == 13)
    #expect(lines(172_806, 172_806).count == 3)
    #expect(
      lines(0, 10).last
        == "  [8 lines after this, with 2 more sign-outs, are left out; --from 0s shows all]")
    #expect(
      lines(200_000, nil) == ["  [9 lines of the first 2 days are left out; --from 0s shows all]"])
  }
}
