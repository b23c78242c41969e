import SimCore
import Testing

/// What becomes of pairs in the memory and the stores of several processes.
///
/// Instants are milliseconds.
struct PairMetricsTests {
  private static let r1 = Hand.r1
  private static let r2 = Hand.r2
  private static let r3 = Hand.r3

  /// Process 1 gets R2 for R1, and later R3 for R2; what happens to R2 in between is left open.
  private func rotatingTwice(_ between: [Told]) -> [Told] {
    Hand.login(0) + Hand.exchange(0, 1, Self.r1, sent: 10, judged: 15, Hand.rotated(Self.r2))
      + [(20, 0, .refreshAnswered(1, nil))] + between
      + Hand.exchange(0, 2, Self.r2, sent: 50, judged: 55, Hand.rotated(Self.r3))
      + [(60, 0, .refreshAnswered(2, nil))]
  }

  @Test(
    arguments: [
      ([(20, 0, .pairStored(r2, stale: false))], 0), ([], 1), ([(20, 0, .pairNotStored(r2))], 1),
      // Overwritten by an older one before it was dropped.
      ([(20, 0, .pairStored(r2, stale: false)), (30, 0, .pairStored(r1, stale: true))], 1),
      // Removed on purpose.
      ([(20, 0, .pairStored(r2, stale: false)), (30, 0, .storeCleared)], 0),
      // Dropped in the kill; after it R3 is read by a process that holds R1 again.
      ([(30, 0, .processKilled(byPerson: true)), (31, 0, .storeRead(r1))], 1),
    ] as [([Told], Int)])
  func `A pair that was in no store when it was dropped`(between: [Told], unsaved: Int) {
    #expect(told(rotatingTwice(between)).tally[.unsaved] == unsaved)
  }

  @Test func `A pair is dropped by the last process that holds it`() {
    // Process 2 has R2 from the store, which is then set back; process 1 drops R2 at 60, process 2 at 70.
    let shared = rotatingTwice([
      (20, 0, .pairStored(Self.r2, stale: false)), (25, 1, .storeRead(Self.r2)),
      (30, 1, .storeOverwritten(Self.r1)),
    ])
    #expect(told(shared, devices: [0, 0]).tally[.unsaved] == 0)
    let dropped = shared + [(70, 1, .signedOutByPerson)]
    #expect(told(dropped, devices: [0, 0]).tally[.unsaved] == 1)
  }

  @Test func `An older pair that is read drops nothing`() {
    let facts: [Told] =
      Hand.login(0) + Hand.exchange(0, 1, Self.r1, sent: 10, judged: 15, Hand.rotated(Self.r2))
      + [(20, 0, .refreshAnswered(1, nil)), (30, 0, .storeRead(Self.r1))]
    #expect(told(facts).tally[.unsaved] == 0)
    #expect(told(facts + [(40, 0, .signedOutByPerson)]).tally[.unsaved] == 1)
  }

  @Test func `A pair in the store of another device is saved`() {
    let facts = rotatingTwice([(30, 1, .storeOverwritten(Self.r2))])
    #expect(told(facts, devices: [0, 1]).tally[.unsaved] == 0)
  }

  // MARK: After a sign-out

  private func afterSignOut(_ last: Fact, by process: Int32, stores: [Int32]) -> Int {
    let facts: [Told] =
      Hand.login(0, 1) + [
        (10, 0, .signedOutByPerson), (10, 0, .storeCleared), (20, process, last),
      ]
    return told(facts, devices: [0, 0], stores: stores).tally[.resurrections]
  }

  @Test func `Tokens written after a sign-out, by the process or into the store that it cleared`() {
    let write = Fact.pairStored(Self.r2, stale: false)
    #expect(afterSignOut(write, by: 0, stores: [0, 0]) == 1)
    #expect(afterSignOut(write, by: 1, stores: [0, 0]) == 1)
    #expect(afterSignOut(write, by: 1, stores: [0, 1]) == 0)
    #expect(afterSignOut(.signedIn(Self.r2, AccessToken(id: 1)), by: 0, stores: [0, 0]) == 0)
  }

  @Test func `A login ends the time after a sign-out for all that share its store`() {
    let facts: [Told] =
      Hand.login(0, 1) + [
        (10, 0, .signedOutByPerson), (10, 0, .storeCleared),
        (20, 0, .signedIn(Self.r2, AccessToken(id: 1))), (30, 1, .storeRead(Self.r2)),
        (40, 1, .pairStored(Self.r3, stale: false)),
      ]
    #expect(told(facts, devices: [0, 0]).tally[.resurrections] == 0)
  }

  @Test func `A pair of another person in the store is counted`() {
    #expect(told([(0, 0, .pairCrossed(Self.r1))]).tally[.crossings] == 1)
  }

  // MARK: Duplicates

  /// Process 1 spends R1 and never reads the answer; then another, or itself, presents R1.
  private func duplicate(by process: Int32, sent: Int64) -> RunTally {
    let number: Int32 = process == 0 ? 2 : 1
    return told(
      Hand.login(0, 1) + [
        (10, 0, .refreshSent(1, Self.r1)),
        (15, 0, .refreshJudged(1, Self.r1, Hand.rotated(Self.r2))),
      ]
        + (sent < 20
          ? [(sent, process, .refreshSent(number, Self.r1)), (20, 0, .refreshFailed(1, .timeout))]
          : [(20, 0, .refreshFailed(1, .timeout)), (sent, process, .refreshSent(number, Self.r1))])
        + [(90, process, .refreshJudged(number, Self.r1, .rejected(reuse: true)))],
      devices: [0, 1]
    ).tally
  }

  @Test func `Only who sent the earlier refresh can replay it`() {
    #expect(duplicate(by: 0, sent: 30)[.duplicatesReplay] == 1)
    #expect(duplicate(by: 1, sent: 30)[.duplicatesStale] == 1)
    #expect(duplicate(by: 0, sent: 19)[.duplicatesConcurrent] == 1)
    #expect(duplicate(by: 1, sent: 19)[.duplicatesConcurrent] == 1)
    #expect(duplicate(by: 1, sent: 20)[.duplicates] == 1)
  }

  @Test func `A pair that nobody read is lost whoever asked for it`() {
    let facts: [Told] =
      Hand.login(0, 1)
      + Hand.exchange(1, 1, Self.r1, sent: 10, judged: 15, Hand.rotated(Self.r2))
      + Hand.exchange(0, 1, Self.r2, sent: 20, judged: 25, Hand.rotated(Self.r3))
      + [(30, 0, .refreshAnswered(1, nil))]
    #expect(told(facts, devices: [0, 1]).tally[.lostRotations] == 1)
  }
}
