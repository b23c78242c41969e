import Testing

@testable import SimCore

/// The tables of a tallier follow what is open at once, not the length of a run.
struct TallierMemoryTests {
  private let a1 = Hand.a1

  /// A call that is sent and answered 401 at the resource.
  private func call(_ number: Int32, _ process: Int32, at start: Int64) -> [Told] {
    [
      (start, process, .callStarted(number)),
      (start, process, .attemptSent(number, attempt: 1, a1)),
      (start + 1, process, .attemptJudged(number, attempt: 1, a1, .unauthorized)),
      (start + 2, process, .callEnded(number, .unauthorized)),
    ]
  }

  @Test(arguments: [1, 3] as [Int32])
  func `Calls one after the other, of any number, take no more room`(processes: Int32) {
    var tallier = Tallier(devices: (0..<processes).map { $0 })
    for number in 1...100_000 as ClosedRange<Int32> {
      if number % 10 == 0 { tallier.tell([(Int64(number) * 10, 0, .screenOpened)]) }
      for process in 0..<processes {
        tallier.tell(call(number, process, at: Int64(number) * 10))
      }
    }
    tallier.finish()
    #expect(tallier.calls.capacity == 16)
    #expect(tallier.calls.count == 0)
    #expect(tallier.openings.slots.count <= 2)
    #expect(tallier.tally[.firstUnauthorized] == 100_000 * Int(processes))
    #expect(tallier.tally[.openingsUnauthorized] == 10_000)
    #expect(tallier.waits.count == 100_000 * Int(processes))
  }

  @Test func `A call that stays open does not hold back the others`() {
    var tallier = Tallier()
    tallier.tell([(0, 0, .callStarted(1))])
    for number in 2...10_000 as ClosedRange<Int32> {
      tallier.tell(call(number, 0, at: Int64(number) * 10))
    }
    tallier.tell([
      (1_000_000, 0, .attemptSent(1, attempt: 1, a1)), (1_000_001, 0, .callEnded(1, .succeeded)),
    ])
    #expect(tallier.calls.capacity == 16)
    #expect(tallier.tally.longestWait == 1_000_000_000_000)
  }

  @Test func `Many calls of many processes are told apart`() {
    let processes: Int32 = 100
    var tallier = Tallier(devices: (0..<processes).map { $0 })
    for number in 1...50 as ClosedRange<Int32> {
      for process in 0..<processes {
        tallier.tell([(Int64(number * 1000 + process), process, .callStarted(number))])
      }
    }
    // Each call waits as long in milliseconds as its number and process say.
    for number in 1...50 as ClosedRange<Int32> {
      for process in 0..<processes {
        let start = Int64(number * 1000 + process)
        tallier.observe(
          .attemptSent(number, attempt: 1, a1),
          at: Instant(nanoseconds: (2 * start) * 1_000_000), by: process)
        tallier.observe(
          .callEnded(number, .succeeded), at: Instant(nanoseconds: (2 * start) * 1_000_000),
          by: process)
      }
    }
    #expect(tallier.waits.count == 5000)
    #expect(tallier.tally.longestWait == 50_099_000_000)
    // The mean of 1000 n + p over n in 1...50 and p in 0...99 is 25,500 + 49.5.
    #expect(tallier.waits.mean == .microseconds(25_549_500))
  }

  /// The call is cancelled, and its attempt is answered 401 all the same.
  @Test func `A 401 that comes after the end of its call counts for its opening`() {
    var tallier = Tallier()
    tallier.tell([
      (0, 0, .screenOpened), (1, 0, .callStarted(1)), (1, 0, .attemptSent(1, attempt: 1, a1)),
      (2, 0, .callEnded(1, .cancelled)), (3, 0, .screenOpened),
    ])
    #expect(tallier.calls.count == 1)
    tallier.tell([(4, 0, .attemptJudged(1, attempt: 1, a1, .unauthorized))])
    #expect(tallier.tally[.openingsUnauthorized] == 1)
    #expect(tallier.calls.count == 0)
    // That opening is forgotten; the second is still to come.
    tallier.tell(call(2, 0, at: 10))
    #expect(tallier.tally[.openingsUnauthorized] == 2)
  }

  @Test func `Attempts that are lost or meet no network are not waited for`() {
    var tallier = Tallier()
    tallier.tell([
      (0, 0, .callStarted(1)), (1, 0, .attemptSent(1, attempt: 1, a1)), (1, 0, .networkMissing),
      (1, 0, .attemptFailed(1, attempt: 1, .transport)), (1, 0, .callEnded(1, .transport)),
      (2, 0, .callStarted(2)), (2, 0, .attemptSent(2, attempt: 1, a1)),
      (3, 0, .attemptLost(2, attempt: 1, .request)), (4, 0, .callEnded(2, .timeout)),
      (5, 0, .callStarted(3)), (5, 0, .attemptSent(3, attempt: 1, a1)),
      (6, 0, .attemptJudged(3, attempt: 1, a1, .ok)), (7, 0, .networkMissing),
      (8, 0, .callEnded(3, .transport)),
    ])
    #expect(tallier.calls.count == 0)
  }

  @Test func `A new run knows nothing of the last but what its calls waited`() {
    var tallier = Tallier(devices: [0, 0])
    tallier.tell(
      Hand.login(0, 1) + [(1, 0, .screenOpened)] + call(1, 0, at: 2) + [
        (5, 1, .callStarted(1)), (6, 0, .signedOutByPerson), (6, 0, .storeCleared),
      ])
    tallier.reset()
    tallier.tell(
      [(0, 1, .callStarted(1)), (0, 1, .pairStored(Hand.r2, stale: false))] + call(1, 0, at: 2))
    tallier.finish()
    #expect(tallier.tally[.calls] == 2)
    #expect(tallier.tally[.resurrections] == 0)
    #expect(tallier.tally[.openingsUnauthorized] == 0)
    #expect(tallier.waits.count == 2)
  }
}
