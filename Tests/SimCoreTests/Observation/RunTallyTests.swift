import SimCore
import Testing

/// Metrics folded from facts written by hand.
struct RunTallyTests {
  private let r1 = RefreshToken(id: 0)
  private let r2 = RefreshToken(id: 1)
  private let a1 = AccessToken(id: 0)
  private let a2 = AccessToken(id: 1)

  private func tally(_ facts: [(milliseconds: Int64, fact: Fact)]) -> RunTally {
    var tallier = Tallier()
    for (milliseconds, fact) in facts {
      tallier.observe(fact, at: Instant(nanoseconds: milliseconds * 1_000_000))
    }
    tallier.finish()
    return tallier.tally
  }

  @Test func `There is room for every metric`() {
    let tally = tally([(0, .screenOpened)])
    for metric in Metric.allCases { #expect(tally[metric] == (metric == .openings ? 1 : 0)) }
  }

  @Test func `A call that meets a 401, waits, and succeeds`() {
    let tally = tally([
      (0, .screenOpened), (10, .callStarted(1)), (10, .attemptSent(1, attempt: 1, a1)),
      (20, .attemptJudged(1, attempt: 1, a1, .unauthorized)),
      (30, .attemptAnswered(1, attempt: 1, .unauthorized)), (30, .refreshSent(1, r1)),
      (30, .callWaits(1)), (40, .refreshArrived(1, r1)),
      (50, .refreshJudged(1, r1, .rotated(r2, a2, lifeLeft: 600_000_000))),
      (60, .refreshAnswered(1, nil)), (60, .attemptSent(1, attempt: 2, a2)),
      (70, .attemptJudged(1, attempt: 2, a2, .unauthorized)),
      (80, .callEnded(1, .unauthorized)),
    ])
    let counts: [Metric: Int] = [
      .openings: 1, .calls: 1, .attempts: 2, .unauthorized: 2, .firstUnauthorized: 1,
      .openingsUnauthorized: 1, .failedCalls: 1, .waitedCalls: 1, .refreshesSent: 1,
      .refreshes: 1, .rotations: 1, .needless: 1, .refreshPeak: 1,
    ]
    for metric in Metric.allCases { #expect(tally[metric] == counts[metric] ?? 0, "\(metric)") }
    #expect(tally.longestWait == 50_000_000)
    #expect(tally.lifeUnused == 600_000_000)
  }

  @Test func `A duplicate is concurrent while the earlier refresh is in flight`() {
    let tally = tally([
      (0, .refreshSent(1, r1)), (5, .refreshSent(2, r1)), (10, .refreshArrived(1, r1)),
      (11, .refreshArrived(2, r1)),
      (15, .refreshJudged(1, r1, .rotated(r2, a2, lifeLeft: 0))),
      (16, .refreshJudged(2, r1, .rejected(reuse: true))),
      (20, .refreshAnswered(1, nil)),
    ])
    #expect(tally[.duplicates] == 1)
    #expect(tally[.duplicatesConcurrent] == 1)
  }

  @Test func `A duplicate after an answer that was never read is a replay`() {
    let tally = tally([
      (0, .refreshSent(1, r1)), (10, .refreshArrived(1, r1)),
      (15, .refreshJudged(1, r1, .rotated(r2, a2, lifeLeft: 0))),
      (20, .refreshFailed(1, .transport)), (30, .refreshSent(2, r1)),
      (40, .refreshArrived(2, r1)), (45, .refreshJudged(2, r1, .rejected(reuse: true))),
    ])
    #expect(tally[.duplicatesReplay] == 1)
    #expect(tally[.lostRotations] == 1)
  }

  @Test func `A replay that overtakes the refresh it repeats is a replay`() {
    let tally = tally([
      (0, .refreshSent(1, r1)), (500, .refreshFailed(1, .timeout)), (1000, .refreshSent(2, r1)),
      (1800, .refreshArrived(2, r1)), (2000, .refreshJudged(2, r1, .rotated(r2, a2, lifeLeft: 0))),
      (2200, .refreshAnswered(2, nil)), (5000, .refreshArrived(1, r1)),
      (5000, .refreshJudged(1, r1, .rejected(reuse: true))),
    ])
    #expect(tally[.duplicates] == 1)
    #expect(tally[.duplicatesReplay] == 1)
  }

  @Test func `A duplicate after a read answer is stale`() {
    let tally = tally([
      (0, .refreshSent(1, r1)), (10, .refreshArrived(1, r1)),
      (15, .refreshJudged(1, r1, .rotated(r2, a2, lifeLeft: 0))),
      (20, .refreshAnswered(1, nil)), (30, .refreshSent(2, r1)),
      (40, .refreshArrived(2, r1)), (45, .refreshJudged(2, r1, .rejected(reuse: true))),
    ])
    #expect(tally[.duplicatesStale] == 1)
    #expect(tally[.lostRotations] == 0)
  }

  @Test func `The peak counts refreshes within one whole second`() {
    let tally = tally([
      (0, .refreshSent(1, r1)), (0, .refreshSent(2, r2)), (0, .refreshSent(3, r2)),
      (900, .refreshArrived(1, r1)), (1000, .refreshArrived(2, r2)),
      (1999, .refreshArrived(3, r2)),
    ])
    #expect(tally[.refreshPeak] == 2)
  }

  @Test func `A rotation with exactly half its life left is not needless`() {
    let tally = tally([
      (0, .refreshSent(1, r1)), (1, .refreshArrived(1, r1)),
      (2, .refreshJudged(1, r1, .rotated(r2, a2, lifeLeft: 500_000_000))),
    ])
    #expect(tally[.needless] == 0)
  }

  @Test func `A refusal is neither a rejection nor a reuse`() {
    let tally = tally([
      (0, .refreshSent(1, r1)), (1, .refreshArrived(1, r1)),
      (2, .refreshJudged(1, r1, .refused(.serverError))),
    ])
    #expect(tally[.refreshes] == 1)
    #expect(tally[.refused] == 1)
    #expect(tally[.rejected] + tally[.reuses] + tally[.lostRotations] == 0)
  }
}
