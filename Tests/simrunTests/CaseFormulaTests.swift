import SimCore
import Strategies
import Testing

@testable import simrun

/// The cases with other numbers than their reports have, held against closed forms.
struct CaseFormulaTests {
  /// The longest time from the start of a call to the sending of its last attempt.
  private func longestWait(_ tally: RunTally) -> Duration {
    .nanoseconds(tally.longestWait)
  }

  /// An instant and those around it.
  private static func around(_ instant: Duration) -> [Duration] {
    [
      instant - .milliseconds(20), instant - .nanoseconds(1), instant, instant + .nanoseconds(1),
      instant + .milliseconds(20),
    ]
  }

  // MARK: B01 and B04, calls whose 401s are all read before the first refresh is answered

  /// A spread below the round trip of 100 ms leaves all refreshes with the same token.
  private static let spreads = [0, 50, 99].map { Duration.milliseconds($0) }

  @Test(arguments: [1, 2, 5, 17, 100], spreads)
  func `B01, N calls spend one token N times, and all but the first fail`(n: Int, spread: Duration)
    throws
  {
    let tally = try Case.tally("B01", "buggy") {
      $0.scenario.usage.callers = n
      $0.scenario.usage.spread = spread
    }
    let ends = min(1, n - 1)
    expect(
      tally,
      [
        .calls: n, .attempts: n + 1, .unauthorized: n, .refreshes: n, .rotations: 1,
        .rejected: n - 1, .reuses: n - 1, .duplicatesConcurrent: n - 1, .failedCalls: n - 1,
        .revocations: ends, .signOuts: ends, .falseSignOuts: 0, .signOutNotices: n - 1,
      ])
  }

  @Test(arguments: [1, 2, 3, 5, 40], [1, 2, 3, 7])
  func `B01, a shared cap of c attempts rejects fewer and saves no call`(n: Int, cap: Int) throws {
    let tally = try Case.tally("B01", "sharedCap") {
      $0.scenario.usage.callers = n
      $0.strategies[0].decisions.quota = .init(refreshes: cap, window: .seconds(3600))
    }
    let refreshes = min(cap, n)
    expect(
      tally,
      [
        .unauthorized: n, .refreshes: refreshes, .rotations: 1, .rejected: refreshes - 1,
        .failedCalls: n - 1, .signOuts: min(1, refreshes - 1),
      ])
  }

  @Test(arguments: ["B01", "B04"], [1, 2, 5, 17, 100])
  func `B01 and B04, callers who share a refresh need one`(file: String, n: Int) throws {
    for spread in Self.spreads {
      let tally = try Case.tally(file, "fixed") {
        $0.scenario.usage.callers = n
        $0.scenario.usage.spread = spread
      }
      expect(
        tally,
        [
          .calls: n, .attempts: 2 * n, .unauthorized: n, .refreshes: 1, .rotations: 1,
          .rejected: 0, .duplicates: 0, .failedCalls: 0, .signOuts: 0,
        ])
    }
  }

  @Test(arguments: [1, 2, 5, 17, 100], spreads)
  func `B04, N - 1 losers fail and sign the user out of a living session`(n: Int, spread: Duration)
    throws
  {
    let tally = try Case.tally("B04", "buggy") {
      $0.scenario.usage.callers = n
      $0.scenario.usage.spread = spread
    }
    let ends = min(1, n - 1)
    expect(
      tally,
      [
        .attempts: n + 1, .unauthorized: n, .refreshes: n, .rotations: 1, .rejected: n - 1,
        .revocations: 0, .failedCalls: n - 1, .signOuts: ends, .falseSignOuts: ends,
        .signOutNotices: ends,
      ])
  }

  @Test(arguments: [1, 2, 5, 17], spreads)
  func `B04, losers who leave the store alone fail without a sign-out`(n: Int, spread: Duration)
    throws
  {
    let tally = try Case.tally("B04", "losersKeepThePair") {
      $0.scenario.usage.callers = n
      $0.scenario.usage.spread = spread
    }
    expect(
      tally,
      [
        .attempts: n + 1, .refreshes: n, .rotations: 1, .rejected: n - 1, .failedCalls: n - 1,
        .signOuts: 0,
      ])
  }

  /// The losers are told at 150 ms + 50 ms; the winner's pair is there if its answer takes no longer.
  @Test(arguments: [2, 5, 17], around(.milliseconds(50)))
  func `B04, losers adopt the winner's pair if it is there before they are told`(
    n: Int, wayBack: Duration
  ) throws {
    let tally = try Case.tally("B04", "losersAdopt") {
      $0.scenario.usage.callers = n
      var pin = Usage.Pin(.refresh(1))
      pin.downlink = wayBack
      $0.scenario.usage.pins = [pin]
    }
    let isThere = wayBack <= .milliseconds(50)
    expect(
      tally,
      [
        .attempts: isThere ? 2 * n : n + 1, .refreshes: n, .rotations: 1, .rejected: n - 1,
        .failedCalls: isThere ? 0 : n - 1, .signOuts: isThere ? 0 : 1,
        // The pair arrives in a session that is over.
        .resurrections: isThere ? 0 : 1,
      ])
  }

  // MARK: B05, callers one after the other

  /// The callers that start no later than the answer to the first is read.
  private func early(_ n: Int, gap: Duration, roundTrip: Duration) -> Int {
    min(n, 1 + Int(roundTrip / gap))
  }

  private func changeB05(
    _ variant: inout Experiment.Variant, _ n: Int, gap: Duration, roundTrip: Duration
  ) {
    variant.scenario.usage.timeline = [
      Usage.Moment(.call(), at: .seconds(21_000), times: n, every: gap)
    ]
    variant.scenario.network.uplink = .constant(roundTrip / 2)
    variant.scenario.network.downlink = .constant(roundTrip / 2)
  }

  private static let gaps = [3, 20, 100, 115, 230, 459, 460, 461].map { Duration.milliseconds($0) }

  @Test(arguments: [1, 2, 102], gaps)
  func `B05, whoever starts before the first answer is read refreshes`(n: Int, gap: Duration) throws
  {
    for roundTrip in [Duration.milliseconds(100), .milliseconds(460), .seconds(2)] {
      let early = early(n, gap: gap, roundTrip: roundTrip)
      let tally = try Case.tally("B05", "buggy") {
        changeB05(&$0, n, gap: gap, roundTrip: roundTrip)
      }
      expect(
        tally,
        [
          .calls: n, .refreshes: early, .rotations: 1, .rejected: early - 1,
          .failedCalls: early - 1, .attempts: n - (early - 1), .unauthorized: 0,
          .waitedCalls: early, .signOuts: min(1, early - 1), .revocations: min(1, early - 1),
        ])
    }
  }

  @Test(arguments: [1, 2, 102], gaps)
  func `B05, whoever starts before the one answer is read waits for it`(n: Int, gap: Duration)
    throws
  {
    for roundTrip in [Duration.milliseconds(100), .milliseconds(460), .seconds(2)] {
      let tally = try Case.tally("B05", "fixed") {
        changeB05(&$0, n, gap: gap, roundTrip: roundTrip)
      }
      expect(
        tally,
        [
          .calls: n, .attempts: n, .refreshes: 1, .rotations: 1, .rejected: 0, .failedCalls: 0,
          .waitedCalls: early(n, gap: gap, roundTrip: roundTrip), .signOuts: 0,
        ])
      #expect(longestWait(tally) == roundTrip)
    }
  }

  // MARK: B07, stragglers

  /// N calls with the dead token, whose 401s are read `gap` apart.
  private func changeB07(
    _ variant: inout Experiment.Variant, _ n: Int, gap: Duration, refresh: Duration
  ) {
    variant.scenario.usage.callers = n
    variant.scenario.network.uplink = .constant(refresh / 2)
    variant.scenario.network.downlink = .constant(refresh / 2)
    variant.scenario.usage.pins = (0..<n).map { index in
      var pin = Usage.Pin(.call(index + 1, attempt: 1))
      pin.uplink = (refresh + gap * index) / 2
      pin.downlink = pin.uplink
      return pin
    }
  }

  private static let straggling = [2, 32, 50, 60, 100, 102, 250, 400].map {
    Duration.milliseconds($0)
  }

  /// A refresh serves the 401 that began it and those that are read until it is answered.
  @Test(arguments: [1, 2, 4, 5, 30], straggling)
  func `B07, each refresh serves the stragglers that are read while it runs`(n: Int, gap: Duration)
    throws
  {
    for length in [60, 100, 300].map({ Duration.milliseconds($0) }) {
      let served = 1 + Int(length / gap)
      let refreshes = (n + served - 1) / served
      let tally = try Case.tally("B07", "buggy") { changeB07(&$0, n, gap: gap, refresh: length) }
      expect(
        tally,
        [
          .attempts: 2 * n, .unauthorized: n, .refreshes: refreshes, .rotations: refreshes,
          .rejected: 0, .duplicates: 0, .needless: refreshes - 1, .failedCalls: 0,
          .waitedCalls: n,
        ])
    }
  }

  @Test(arguments: [1, 2, 4, 5, 30], straggling)
  func `B07, a comparison of tokens leaves one refresh per dead token`(n: Int, gap: Duration) throws
  {
    for length in [60, 100, 300].map({ Duration.milliseconds($0) }) {
      let tally = try Case.tally("B07", "fixed") { changeB07(&$0, n, gap: gap, refresh: length) }
      expect(
        tally,
        [
          .attempts: 2 * n, .unauthorized: n, .refreshes: 1, .rotations: 1, .rejected: 0,
          .needless: 0, .failedCalls: 0, .waitedCalls: min(n, 1 + Int(length / gap)),
        ])
    }
  }

  // MARK: B09, a queue

  private func b09(_ name: String, _ n: Int, _ roundTrip: Duration) throws -> RunTally {
    try Case.tally("B09", name) {
      $0.scenario.usage.callers = n
      $0.scenario.network.uplink = .constant(roundTrip / 2)
      $0.scenario.network.downlink = .constant(roundTrip / 2)
    }
  }

  private static let roundTrips = [20, 100, 1000].map { Duration.milliseconds($0) }

  @Test(arguments: [1, 2, 3, 8, 25], roundTrips)
  func `B09, a queue refreshes N times, and the last waits for all of them`(
    n: Int, roundTrip: Duration
  ) throws {
    let tally = try b09("buggy", n, roundTrip)
    expect(
      tally,
      [
        .attempts: 2 * n, .unauthorized: n, .refreshes: n, .rotations: n, .rejected: 0,
        .duplicates: 0, .failedCalls: 0, .signOuts: 0, .waitedCalls: n,
      ])
    #expect(longestWait(tally) == roundTrip * (n + 1))
  }

  @Test(arguments: [1, 2, 3, 8, 25], roundTrips)
  func `B09, a queue of captured tokens has all but the first rejected`(
    n: Int, roundTrip: Duration
  ) throws {
    let ends = min(1, n - 1)
    expect(
      try b09("captured", n, roundTrip),
      [
        .attempts: n + 1, .refreshes: n, .rotations: 1, .rejected: n - 1, .failedCalls: n - 1,
        .duplicates: n - 1, .duplicatesStale: n - 1, .revocations: ends, .signOuts: ends,
      ])
    expect(
      try b09("capturedButCleared", n, roundTrip),
      [
        .attempts: n + 1, .refreshes: min(2, n), .rotations: 1, .rejected: ends,
        .failedCalls: n - 1, .duplicatesStale: ends, .revocations: ends, .signOuts: ends,
      ])
  }

  @Test(arguments: [1, 2, 3, 8, 25], roundTrips)
  func `B09, a queue that compares tokens refreshes once`(n: Int, roundTrip: Duration) throws {
    let tally = try b09("fixed", n, roundTrip)
    expect(
      tally,
      [
        .attempts: 2 * n, .unauthorized: n, .refreshes: 1, .rotations: 1, .rejected: 0,
        .failedCalls: 0, .signOuts: 0, .waitedCalls: n,
      ])
    #expect(longestWait(tally) == roundTrip * 2)
  }

  // MARK: B24, B25 and B27, windows

  /// R1 is spent at 50 ms, and its window is open strictly less than its length.
  @Test(arguments: ["buggy", "fixed"], [1, 10, 60, 600].map { Duration.seconds($0) })
  func `B24, a retry is answered iff it comes less than the window after the first`(
    name: String, window: Duration
  ) throws {
    for sinceSpent in Self.around(window) {
      // Both refreshes take the same way, so it is sent as long after the first as it arrives.
      let sent = sinceSpent
      let tally = try Case.tally("B24", name) {
        $0.scenario.server.parentGrace.window = .lasting(window)
        $0.scenario.usage.timeline = [
          .init(.refresh, at: .zero), .init(.leave, at: .milliseconds(60)),
          .init(.suspend, at: .milliseconds(60)), .init(.return, at: sent),
          .init(.refresh, at: sent), .init(.call(), at: sent + .seconds(1)),
        ]
      }
      let isAnswered = sinceSpent < window
      expect(
        tally,
        [
          .refreshes: 2, .rotations: 1, .graced: isAnswered ? 1 : 0, .rejected: isAnswered ? 0 : 1,
          .revocations: isAnswered ? 0 : 1, .signOuts: isAnswered ? 0 : 1, .falseSignOuts: 0,
          .failedCalls: isAnswered ? 0 : 1, .lostRotations: 1, .duplicatesReplay: 1,
        ])
    }
  }

  /// R1 is spent at 100 ms and presented again 100 ms after the timeout and the pause.
  @Test(
    arguments: [1, 3, 5].map { Duration.seconds($0) }, [10, 30, 90].map { Duration.seconds($0) })
  func `B25, timeout and pause together must be shorter than the window`(
    timeout: Duration, window: Duration
  ) throws {
    for sum in Self.around(window) + [timeout] {
      let tally = try Case.tally("B25", "fixed") {
        $0.scenario.client.timeout = timeout
        $0.scenario.server.parentGrace.window = .lasting(window)
        $0.strategies[0].decisions.retries = [sum - timeout]
      }
      let isAnswered = sum < window
      expect(
        tally,
        [
          .refreshesSent: 2, .refreshes: 2, .rotations: 1, .graced: isAnswered ? 1 : 0,
          .rejected: isAnswered ? 0 : 1, .revocations: isAnswered ? 0 : 1,
          .signOuts: isAnswered ? 0 : 1, .falseSignOuts: 0, .lostRotations: 1,
          .duplicatesReplay: 1, .duplicatesConcurrent: 0,
        ])
    }
  }

  /// The answer is read after 100 ms + 5100 ms.
  @Test(arguments: ["buggy", "fixed"], around(.milliseconds(5200)))
  func `B25, a client that waits as long as the answer takes asks once`(
    name: String, timeout: Duration
  ) throws {
    let tally = try Case.tally("B25", name) { $0.scenario.client.timeout = timeout }
    let isRead = timeout >= .milliseconds(5200)
    expect(
      tally,
      [
        .refreshes: isRead ? 1 : 2, .rotations: 1, .lostRotations: isRead ? 0 : 1,
        .duplicates: isRead ? 0 : 1, .signOuts: isRead || name == "fixed" ? 0 : 1,
      ])
  }

  @Test(
    arguments: ["strict", "oneMinute", "fixed"],
    around(.seconds(60)) + [.seconds(20), .seconds(3000), .seconds(10 * 86_400)])
  func `B27, the next start finds the session if the window is still open`(
    name: String, start: Duration
  ) throws {
    let tally = try Case.tally("B27", name) {
      $0.scenario.usage.timeline = [
        .init(.refresh, at: .zero), .init(.leave, at: .seconds(1)),
        .init(.suspend, at: .seconds(1)),
        .init(.return, at: start), .init(.refresh, at: start),
        .init(.call(), at: start + .seconds(1)),
      ]
      $0.scenario.usage.pins.removeLast()
    }
    let isAnswered = name == "fixed" || name == "oneMinute" && start < .seconds(60)
    expect(
      tally,
      [
        .refreshes: 2, .rotations: 1, .graced: isAnswered ? 1 : 0, .rejected: isAnswered ? 0 : 1,
        .revocations: isAnswered ? 0 : 1, .signOuts: isAnswered ? 0 : 1, .falseSignOuts: 0,
        .lostRotations: 1, .unauthorized: 0, .failedCalls: isAnswered ? 0 : 1,
      ])
  }

  /// R1 is presented for the last time at 86,500 s; the call with the new access token takes the same way, and
  /// of two at the same instant it leaves first.
  @Test(arguments: around(.seconds(86_500)) + [.seconds(86_401), .seconds(86_600)])
  func `B27, the predecessor is a reuse once the successor was used`(used: Duration) throws {
    let tally = try Case.tally("B27", "fixed") {
      $0.scenario.usage.timeline.removeLast()
      $0.scenario.usage.timeline.append(.init(.call(), at: used))
    }
    let isReuse = used <= .seconds(86_500)
    expect(
      tally,
      [
        .refreshes: 3, .rotations: 1, .graced: isReuse ? 1 : 2, .rejected: isReuse ? 1 : 0,
        .revocations: isReuse ? 1 : 0, .signOuts: isReuse ? 1 : 0, .failedCalls: isReuse ? 1 : 0,
        .unauthorized: 1, .lostRotations: 1,
      ])
    // Spent at 50 ms, covered until the call that leaves at `used` arrives, or else the one that presented R1,
    // which is sent again with the answer, a round trip of 100 ms later.
    #expect(Duration.nanoseconds(tally.exposure) == min(used, .milliseconds(86_500_100)))
  }

  // MARK: B32, a suspension

  /// The answer is read at 100 ms; an app that is due for suspension at that very instant still reads it.
  @Test(arguments: around(.milliseconds(100)) + [.milliseconds(51), .milliseconds(60)])
  func `B32, the answer is lost iff the suspension comes first`(left: Duration) throws {
    let tally = try Case.tally("B32", "buggy") {
      $0.scenario.usage.timeline[1] = .init(.leave, at: left)
    }
    let isLost = left < .milliseconds(100)
    expect(
      tally,
      [
        .refreshes: isLost ? 2 : 1, .rotations: 1, .rejected: isLost ? 1 : 0,
        .revocations: isLost ? 1 : 0, .signOuts: isLost ? 1 : 0, .falseSignOuts: 0,
        .lostRotations: isLost ? 1 : 0, .failedCalls: isLost ? 1 : 0,
      ])
  }

  /// The person leaves at 60 ms, and the background task lasts until then plus its budget.
  @Test(arguments: [0, 20, 40, 1000, 30_000].map { Duration.milliseconds($0) })
  func `B32, a background task saves the answers that come within its budget`(budget: Duration)
    throws
  {
    for read in Self.around(.milliseconds(60) + budget) where read > .milliseconds(60) {
      let tally = try Case.tally("B32", "windowTooShort") {
        $0.scenario.lifecycle.backgroundBudget = budget
        var pin = Usage.Pin(.refresh(1))
        pin.downlink = read - .milliseconds(50)
        $0.scenario.usage.pins = [pin]
      }
      let isLost = read > .milliseconds(60) + budget
      expect(
        tally,
        [
          .refreshes: isLost ? 2 : 1, .rotations: 1, .rejected: isLost ? 1 : 0,
          .revocations: isLost ? 1 : 0, .signOuts: isLost ? 1 : 0, .falseSignOuts: 0,
          .lostRotations: isLost ? 1 : 0, .failedCalls: isLost ? 1 : 0,
        ])
    }
  }
}
