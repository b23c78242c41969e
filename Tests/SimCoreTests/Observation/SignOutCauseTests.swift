import SimCore
import Testing

/// The cause of a sign-out, with its damage and symptom, from facts written by hand.
///
/// Instants are milliseconds.
struct SignOutCauseTests {
  private let r1 = Hand.r1
  private let r2 = Hand.r2
  private let r3 = Hand.r3

  /// Process 1 spends R1 for R2 at 15.
  private func spending(_ process: Int32 = 0, sent: Int64 = 10) -> [Told] {
    Hand.exchange(process, 1, Hand.r1, sent: sent, judged: 15, Hand.rotated(Hand.r2))
  }

  /// Process 1 presents R1 again and is signed out at 60.
  private func again(_ process: Int32 = 0, _ number: Int32 = 2) -> [Told] {
    Hand.rejection(process, number, Hand.r1, sent: 50, judged: 55, read: 60, reuse: true)
  }

  private func expect(
    _ facts: [Told], _ signOuts: [SignOut], devices: [Int32] = [0], stores: [Int32]? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let found = told(facts, devices: devices, stores: stores)
    #expect(found.signOuts == signOuts, sourceLocation: location)
    for cause in SignOutCause.allCases {
      let count = signOuts.count { $0.cause == cause }
      #expect(found.tally[cause] == count, "\(cause)", sourceLocation: location)
    }
    #expect(found.tally[.signOuts] == signOuts.count, sourceLocation: location)
  }

  // MARK: Not because of the token

  @Test func `Another error that is taken for the end is a mistake`() {
    expect(
      Hand.login(0) + Hand.exchange(0, 1, r1, sent: 10, judged: 15, .refused(.serverError)) + [
        (20, 0, .refreshAnswered(1, .serverError)), (25, 0, .signedOut(.failed, needlessly: true)),
      ], [Hand.signOut(1, .mistakenError, damage: 20, of: 1, refresh: nil, symptom: 25)])
  }

  @Test func `A store that could not be read is a mistake`() {
    expect(
      Hand.login(0) + [
        (5, 0, .storeUnreadable), (6, 0, .signedOut(.storeWithoutPair, needlessly: true)),
      ], [Hand.signOut(1, .mistakenError, damage: 5, of: 1, refresh: nil, symptom: 6)])
  }

  /// Process 1 is signed out at 60 and clears the store, in which process 2 finds nothing at 70.
  private func emptied(by reading: Fact) -> [Told] {
    Hand.login(0, 1) + spending() + [(40, 0, .refreshFailed(1, .timeout))] + again() + [
      (60, 0, .storeCleared), (70, 1, reading),
      (71, 1, .signedOut(.storeWithoutPair, needlessly: false)),
    ]
  }

  @Test func `Who finds the store emptied by a sign-out takes over its cause`() {
    let first = Hand.signOut(1, .clientTimeout, damage: 15, of: 1, refresh: 1, symptom: 60)
    expect(
      emptied(by: .storeRead(nil)),
      [first, Hand.signOut(2, .clientTimeout, damage: 15, of: 1, refresh: 1, symptom: 71)],
      devices: [0, 0])
    let mistake = Hand.signOut(2, .mistakenError, damage: 70, of: 2, refresh: nil, symptom: 71)
    expect(emptied(by: .storeUnreadable), [first, mistake], devices: [0, 0])
    expect(emptied(by: .storeRead(nil)), [first, mistake], devices: [0, 0], stores: [0, 1])
  }

  @Test func `Who finds the store emptied by the person was signed out elsewhere`() {
    expect(
      Hand.login(0, 1) + [
        (10, 0, .signedOutByPerson), (11, 0, .storeCleared), (20, 1, .storeRead(nil)),
        (20, 1, .signedOut(.storeWithoutPair, needlessly: false)),
      ], [Hand.signOut(2, .revokedElsewhere, damage: 11, of: 1, refresh: nil, symptom: 20)],
      devices: [0, 0])
  }

  // MARK: An unspent token

  @Test func `An unspent token of a living family has reached its end`() {
    expect(
      Hand.login(0) + Hand.rejection(0, 1, r1, sent: 10, judged: 15, read: 20, reuse: false),
      [Hand.signOut(1, .endOfLife, damage: 15, of: 1, refresh: 1, symptom: 20)])
  }

  @Test func `An unspent token of a family that was revoked on request`() {
    expect(
      Hand.login(0) + [(5, 0, .familyRevoked(Hand.family, .request))]
        + Hand.rejection(0, 1, r1, sent: 10, judged: 15, read: 20, reuse: false),
      [Hand.signOut(1, .revokedElsewhere, damage: 5, of: 1, refresh: nil, symptom: 20)])
  }

  /// Device 2 presents a copy of R1 that device 1 has spent; then device 1 learns that R2 is dead.
  @Test func `An unspent token of a family that a reuse killed has the cause of that reuse`() {
    expect(
      Hand.login(0, 1) + spending() + [(20, 0, .refreshAnswered(1, nil))]
        + Hand.exchange(1, 1, r1, sent: 30, judged: 35, .rejected(reuse: true)) + [
          (35, 1, .familyRevoked(Hand.family, .reuse)), (40, 1, .refreshAnswered(1, .invalidGrant)),
          (40, 1, .signedOut(.rejected, needlessly: false)),
        ] + Hand.rejection(0, 2, r2, sent: 50, judged: 55, read: 60, reuse: false),
      [
        Hand.signOut(2, .otherDevice, damage: 15, of: 1, refresh: 1, symptom: 40),
        Hand.signOut(1, .otherDevice, damage: 15, of: 1, refresh: 1, symptom: 60),
      ], devices: [0, 1])
  }

  /// A grace revives the family with R2 after the revocation.
  @Test func `A token minted after a revocation did not die of it`() {
    expect(
      Hand.login(0) + [(5, 0, .familyRevoked(Hand.family, .request))]
        + Hand.exchange(
          0, 1, r1, sent: 10, judged: 15, .graced(r2, AccessToken(id: 1), forked: true)) + [
          (20, 0, .refreshAnswered(1, nil))
        ] + Hand.rejection(0, 2, r2, sent: 50, judged: 55, read: 60, reuse: false),
      [Hand.signOut(1, .endOfLife, damage: 55, of: 1, refresh: 2, symptom: 60)])
  }

  // MARK: Exchanges that overlap

  @Test(arguments: [
    ([0] as [Int32], 0 as Int32, SignOutCause.concurrentDuplicate), ([0, 0], 1, .otherProcess),
    ([0, 1], 1, .otherDevice),
  ])
  func `A token spent by an exchange in flight`(
    devices: [Int32], process: Int32, cause: SignOutCause
  ) {
    let number: Int32 = process == 0 ? 2 : 1
    expect(
      Hand.login(0, process) + [
        (10, 0, .refreshSent(1, r1)), (12, process, .refreshSent(number, r1)),
        (15, 0, .refreshJudged(1, r1, Hand.rotated(r2))),
        (16, process, .refreshJudged(number, r1, .rejected(reuse: true))),
        (16, process, .familyRevoked(Hand.family, .reuse)), (20, 0, .refreshAnswered(1, nil)),
        (21, process, .refreshAnswered(number, .invalidGrant)),
        (21, process, .signedOut(.rejected, needlessly: false)),
      ],
      [Hand.signOut(Int(process) + 1, cause, damage: 15, of: 1, refresh: 1, symptom: 21)],
      devices: devices)
  }

  @Test func `The exchange that spends the token may have overtaken the other`() {
    expect(
      Hand.login(0) + [
        (10, 0, .refreshSent(1, r1)), (12, 0, .refreshSent(2, r1)),
        (15, 0, .refreshJudged(2, r1, Hand.rotated(r2))), (17, 0, .refreshAnswered(2, nil)),
        (18, 0, .refreshJudged(1, r1, .rejected(reuse: true))),
        (20, 0, .refreshAnswered(1, .invalidGrant)),
        (20, 0, .signedOut(.rejected, needlessly: false)),
      ], [Hand.signOut(1, .concurrentDuplicate, damage: 15, of: 1, refresh: 2, symptom: 20)])
  }

  /// Of two first uses the later one supersedes R2, which the process got last.
  @Test func `A token that a race superseded`() {
    expect(
      Hand.login(0) + [
        (10, 0, .refreshSent(1, r1)), (12, 0, .refreshSent(2, r1)),
        (15, 0, .refreshJudged(1, r1, Hand.rotated(r2))),
        (18, 0, .refreshJudged(2, r1, Hand.rotated(r3))), (20, 0, .refreshAnswered(2, nil)),
        (21, 0, .refreshAnswered(1, nil)),
      ] + Hand.rejection(0, 3, r2, sent: 50, judged: 55, read: 60, reuse: true),
      [Hand.signOut(1, .serverRace, damage: 18, of: 1, refresh: 2, symptom: 60)])
  }

  @Test func `A sibling that a grace superseded, of an answer that was never read`() {
    expect(
      Hand.login(0) + spending() + [(20, 0, .refreshAnswered(1, nil))]
        + Hand.exchange(
          0, 2, r1, sent: 30, judged: 35, .graced(r3, AccessToken(id: 2), forked: true))
        + [(36, 0, .refreshLost(2, .answer)), (40, 0, .refreshFailed(2, .timeout))]
        + Hand.rejection(0, 3, r2, sent: 50, judged: 55, read: 60, reuse: true),
      [Hand.signOut(1, .lostAnswer, damage: 35, of: 1, refresh: 2, symptom: 60)])
  }
}
