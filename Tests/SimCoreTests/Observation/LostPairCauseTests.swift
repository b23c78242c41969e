import SimCore
import Testing

/// Sign-outs of clients that never had, or no longer have, the successor of the token that they present.
struct LostPairCauseTests {
  private static let r1 = Hand.r1
  private static let r2 = Hand.r2
  private static let r3 = Hand.r3

  /// Process 1 has R1 in memory and store and spends it at 15.
  private static let spending: [Told] =
    Hand.login(0) + Hand.exchange(0, 1, r1, sent: 10, judged: 15, Hand.rotated(r2))

  /// It presents R1 again and is signed out at 60.
  private static let again = Hand.rejection(
    0, 2, r1, sent: 50, judged: 55, read: 60, reuse: true)

  private func cause(_ between: [Told]) -> [SignOut] {
    told(Self.spending + between + Self.again).signOuts
  }

  private func signOut(_ cause: SignOutCause) -> [SignOut] {
    [Hand.signOut(1, cause, damage: 15, of: 1, refresh: 1, symptom: 60)]
  }

  // MARK: Answers that nobody read

  @Test(
    arguments: [
      ([(18, 0, .refreshLost(1, .answer)), (40, 0, .refreshFailed(1, .timeout))], .lostAnswer),
      ([(40, 0, .refreshFailed(1, .timeout))], .clientTimeout),
      // Lost when nobody waited for it any more.
      (
        [(16, 0, .refreshFailed(1, .timeout)), (18, 0, .refreshLost(1, .answer))], .clientTimeout
      ),
      ([(20, 0, .refreshAbandoned(1))], .cancelled),
      ([(20, 0, .networkMissing), (20, 0, .refreshFailed(1, .transport))], .lostAnswer),
      (
        [
          (16, 0, .appSuspended), (40, 0, .appReturned(afterSuspension: true)),
          (40, 0, .refreshFailed(1, .transport)),
        ], .suspension
      ),
      (
        [
          (16, 0, .processKilled(byPerson: true)), (30, 0, .processLaunched),
          (30, 0, .storeRead(r1)),
        ],
        .kill
      ),
      // The system removes an app that it had stopped, hours later.
      (
        [
          (16, 0, .appSuspended), (30, 0, .processKilled(byPerson: false)),
          (40, 0, .processLaunched), (40, 0, .storeRead(r1)),
        ], .suspension
      ),
      (
        [
          (16, 0, .appSuspended), (17, 0, .appReturned(afterSuspension: true)),
          (18, 0, .processKilled(byPerson: false)), (30, 0, .processLaunched),
          (30, 0, .storeRead(r1)),
        ], .kill
      ),
      // The server had rotated, and then failed.
      ([(20, 0, .refreshAnswered(1, .serverError))], .lostAnswer),
    ] as [([Told], SignOutCause)])
  func `The answer of the exchange was never read`(between: [Told], cause: SignOutCause) {
    #expect(self.cause(between) == signOut(cause))
  }

  @Test func `A suspension before the refresh has nothing to do with its failure`() {
    let facts: [Told] =
      Hand.login(0) + [
        (1, 0, .appSuspended), (5, 0, .appReturned(afterSuspension: true)),
      ] + Hand.exchange(0, 1, Self.r1, sent: 10, judged: 15, Hand.rotated(Self.r2)) + [
        (20, 0, .refreshFailed(1, .transport))
      ] + Self.again
    #expect(told(facts).signOuts == signOut(.lostAnswer))
  }

  @Test func `An answer that the system kept for the next launch was read`() {
    let found = cause([
      (16, 0, .processKilled(byPerson: false)), (20, 0, .transferDelivered(1)),
      (30, 0, .processLaunched), (30, 0, .storeRead(Self.r1)), (31, 0, .refreshAnswered(1, nil)),
      (32, 0, .pairStored(Self.r2, stale: false)),
    ])
    #expect(found == signOut(.outdatedToken))
  }

  @Test func `A retry that overtakes the refresh that was given up`() {
    let facts: [Told] =
      Hand.login(0) + [
        (10, 0, .refreshSent(1, Self.r1)), (20, 0, .refreshFailed(1, .timeout)),
        (25, 0, .refreshSent(2, Self.r1)),
        (30, 0, .refreshJudged(2, Self.r1, Hand.rotated(Self.r2))),
        (32, 0, .refreshAnswered(2, nil)), (32, 0, .pairStored(Self.r2, stale: false)),
        (40, 0, .refreshJudged(1, Self.r1, .rejected(reuse: true))),
        (40, 0, .familyRevoked(Hand.family, .reuse)),
      ] + Hand.rejection(0, 3, Self.r2, sent: 50, judged: 55, read: 60, reuse: false)
    #expect(
      told(facts).signOuts == [
        Hand.signOut(1, .clientTimeout, damage: 30, of: 1, refresh: 2, symptom: 60)
      ])
  }

  @Test func `A server that spends first and dies has lost the answer`() {
    let facts: [Told] =
      Hand.login(0) + Hand.exchange(0, 1, Self.r1, sent: 10, judged: 15, .refused(.serverError))
      + [(20, 0, .refreshAnswered(1, .serverError))] + Self.again
    #expect(told(facts).signOuts == signOut(.lostAnswer))
  }

  // MARK: Answers that the process read

  private static let read: [Told] = [(20, 0, .refreshAnswered(1, nil))]
  private static let relaunch: [Told] = [
    (30, 0, .processKilled(byPerson: false)), (40, 0, .processLaunched), (40, 0, .storeRead(r1)),
  ]

  @Test(
    arguments: [
      // Captured before, whether stored or not.
      (read + [(20, 0, .pairStored(r2, stale: false))], .outdatedToken), (read, .outdatedToken),
      (read + [(21, 0, .pairNotStored(r2))] + relaunch, .lostWrite),
      (read + [(30, 0, .writeLost(r2))] + relaunch, .kill),
      // It was in memory only.
      (read + relaunch, .kill),
      (
        read + [
          (21, 0, .pairStored(r2, stale: false)), (22, 0, .pairStored(r1, stale: true)),
        ] + relaunch, .staleWrite
      ),
      (
        read + [(21, 0, .pairStored(r2, stale: false)), (22, 0, .storeOverwritten(r1))] + relaunch,
        .staleWrite
      ),
      // It looks into its store before it sends, and believes it.
      (
        read + [
          (21, 0, .pairStored(r2, stale: false)), (22, 0, .storeOverwritten(r1)),
          (49, 0, .storeRead(r1)),
        ], .staleWrite
      ),
      // Written at the second attempt.
      (
        read + [(21, 0, .pairNotStored(r2)), (22, 0, .pairStored(r2, stale: false))], .outdatedToken
      ),
    ] as [([Told], SignOutCause)])
  func `The process had read the successor`(between: [Told], cause: SignOutCause) {
    #expect(self.cause(between) == signOut(cause))
  }

  // MARK: Answers that another process read

  @Test(arguments: [
    ([0, 0] as [Int32], [] as [Told], SignOutCause.otherProcess), ([0, 1], [], .otherDevice),
    // It found R2 in the store and presents R1 all the same.
    ([0, 0], [(30, 1, .storeRead(r2))], .outdatedToken),
    // Its store was set back after that.
    (
      [0, 0], [(30, 1, .storeRead(r2)), (35, 1, .storeOverwritten(r1)), (40, 1, .storeRead(r1))],
      .staleWrite
    ),
  ])
  func `The successor was read elsewhere`(
    devices: [Int32], between: [Told], cause: SignOutCause
  ) {
    let facts: [Told] =
      Hand.login(0, 1) + Hand.exchange(0, 1, Self.r1, sent: 10, judged: 15, Hand.rotated(Self.r2))
      + Self.read + [(20, 0, .pairStored(Self.r2, stale: false))] + between
      + Hand.rejection(1, 1, Self.r1, sent: 50, judged: 55, read: 60, reuse: true)
    #expect(
      told(facts, devices: devices).signOuts == [
        Hand.signOut(2, cause, damage: 15, of: 1, refresh: 1, symptom: 60)
      ])
  }
}
