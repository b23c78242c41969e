import Testing

@testable import SimCore

/// What repetition and order change, worked out by hand.
///
/// Tokens 1 and 2 are spent at zero for 2 and 3, and pair 1 is in the store.
struct SensitivityTests {
  typealias Kind = Sensitivity.Kind
  typealias Step = Sensitivity.Step

  /// A server under test with its name.
  struct Server: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let policy: ServerPolicy

    init(_ name: String, _ change: (inout ServerPolicy) -> Void = { _ in }) {
      var policy = ServerPolicy()
      change(&policy)
      testDescription = name
      self.policy = policy
    }

    /// A grace of a minute for parents.
    static func grace(
      _ reply: ServerPolicy.Grace.Reply, coversAncestors: Bool = false
    ) -> Server {
      Server("\(reply)\(coversAncestors ? " for ancestors" : "")") {
        $0.parentGrace = .init(window: .lasting(.seconds(60)), reply: reply)
        if coversAncestors { $0.ancestorGrace = $0.parentGrace }
      }
    }

    static let strict = Server("strict")
    static let parentRule = Server("parent rule") { $0.parentGrace.window = .unlimited }
    static let rejectOnly = Server("reject only") { $0.reuse = .rejectOnly }
    static let noRotation = Server("no rotation") { $0.rotation = .never }
    static let all = [
      strict, grace(.sameSuccessor), grace(.sibling), parentRule, rejectOnly, noRotation,
    ]
  }

  private func sensitivity(
    of operation: Sensitivity.Operation, accepting: Sensitivity.Accepting = .ifNewer,
    at server: Server, pause: Duration = .seconds(1)
  ) -> Sensitivity {
    Sensitivity(of: operation, accepting: accepting, at: server.policy, pause: pause)
  }

  /// The numbers of the tokens that would be answered after each sequence of a difference.
  private func answered(_ difference: Sensitivity.Difference?) -> [[Int]] {
    [difference?.afterFirst, difference?.afterSecond].compactMap { $0?.answered.map(\.number) }
  }

  // MARK: The client

  @Test(arguments: Server.all)
  func `Storing the last answer is order-sensitive`(server: Server) {
    let found = sensitivity(of: .store, accepting: .always, at: server)
    #expect(found.kind == .orderSensitive)
    #expect(found.order?.first == [.store(2), .store(3)])
    #expect(found.order?.second == [.store(3), .store(2)])
    #expect(found.order?.afterFirst.storedAccess?.number == 3)
    #expect(found.order?.afterSecond.storedAccess?.number == 2)
    #expect(found.order?.afterFirst.isSessionOn == true)
  }

  /// Token 2 was spent a second ago; without rotation pair 2 has token 1, which lives.
  @Test(arguments: zip(Server.all, [false, true, true, true, false, true]))
  func `An older answer that is stored last ends the session unless its token is still answered`(
    server: Server, isOn: Bool
  ) {
    let found = sensitivity(of: .store, accepting: .always, at: server)
    #expect(found.order?.afterSecond.isSessionOn == isOn)
  }

  @Test(arguments: Server.all)
  func `Storing only a newer answer is robust, and so is signing out beside it`(server: Server) {
    #expect(sensitivity(of: .store, at: server).kind == .robust)
    #expect(sensitivity(of: .signOut, at: server).kind == .robust)
  }

  /// That nothing is sensitive to anything would hold as well if nothing were stored.
  @Test(arguments: [
    ([Step.store(2)], 2), ([.store(2), .store(3)], 3), ([.store(3), .store(2)], 3),
    ([.store(3), .signOut], nil), ([.signOut, .store(3)], nil),
  ])
  func `The newest answer is in the store, and none without a session`(steps: [Step], pair: Int?) {
    let world = SensitivityWorld(ServerPolicy(), .ifNewer, .seconds(1))
    let found = world.outcome(of: steps, every: 0, seenAfter: 0)
    #expect(found.state.storedAccess?.number == pair)
  }

  @Test(arguments: Server.all)
  func `Signing out is idempotent, but an answer stored after it brings the session back`(
    server: Server
  ) {
    let found = sensitivity(of: .signOut, accepting: .always, at: server)
    #expect(found.kind == .orderSensitive)
    #expect(found.order?.first == [.store(3), .signOut])
    #expect(found.order?.afterFirst.storedRefresh == nil)
    #expect(found.order?.afterFirst.isSessionOn == false)
    #expect(found.order?.afterSecond.isSessionOn == true)
  }

  // MARK: The server

  @Test(arguments: Server.all, [Duration.seconds(1), .seconds(120)])
  func `Revoking is idempotent and commutes with everything`(server: Server, pause: Duration) {
    #expect(sensitivity(of: .revoke, at: server, pause: pause).kind == .robust)
    #expect(
      sensitivity(of: .revoke, accepting: .always, at: server, pause: pause).kind == .robust)
  }

  /// A second and two minutes after the exchange that spent the token.
  @Test(arguments: [
    (Server.strict, Kind.repeatSensitive, Kind.repeatSensitive),
    (.grace(.sibling), .doublySensitive, .repeatSensitive),
    (.grace(.siblingSupersedes), .repeatSensitive, .repeatSensitive),
    (.grace(.sameSuccessor), .orderSensitive, .repeatSensitive),
    (.grace(.replayResponse), .orderSensitive, .repeatSensitive),
    (.grace(.currentActive), .orderSensitive, .repeatSensitive),
    (.grace(.presentedToken), .orderSensitive, .repeatSensitive),
    (.grace(.sibling, coversAncestors: true), .repeatSensitive, .repeatSensitive),
    (.grace(.siblingSupersedes, coversAncestors: true), .repeatSensitive, .repeatSensitive),
    (.grace(.sameSuccessor, coversAncestors: true), .robust, .repeatSensitive),
    (.grace(.currentActive, coversAncestors: true), .robust, .repeatSensitive),
    (.parentRule, .doublySensitive, .doublySensitive), (.rejectOnly, .robust, .robust),
    (.noRotation, .robust, .robust),
  ])
  func `How redeeming takes repetition and order`(server: Server, soon: Kind, late: Kind) {
    #expect(sensitivity(of: .redeem, at: server).kind == soon)
    #expect(sensitivity(of: .redeem, at: server, pause: .seconds(120)).kind == late)
  }

  @Test func `A strict server revokes the session at the repetition`() {
    let found = sensitivity(of: .redeem, at: .strict)
    #expect(found.repetition?.first == [.redeem(3)])
    #expect(found.repetition?.second == [.redeem(3), .redeem(3)])
    #expect(answered(found.repetition) == [[4], []])
    #expect(found.repetition?.afterFirst.isRevoked == false)
    #expect(found.repetition?.afterSecond.isRevoked == true)
    #expect(found.isRepetitionRefused)
  }

  /// Token 3, spent twice within the window, has the children 4 and 5.
  ///
  /// A retry of 2 mints a sibling of 3; after 3 was redeemed, token 2 is no parent of anything live.
  @Test(arguments: [Server.grace(.sibling), .parentRule])
  func `A sibling is one more token, and a retry that is overtaken is theft`(server: Server) {
    let found = sensitivity(of: .redeem, at: server)
    #expect(answered(found.repetition) == [[3, 4], [3, 4, 5]])
    #expect(found.order?.first == [.redeem(2), .redeem(3)])
    #expect(answered(found.order) == [[2, 3, 4, 5], []])
    #expect(found.order?.afterSecond.isRevoked == true)
    #expect(!found.isRepetitionRefused)
  }

  /// Redeeming 3 spends the only child of 2, which then is a parent no more.
  @Test func `The same successor is given again until it is redeemed itself`() {
    let found = sensitivity(of: .redeem, at: .grace(.sameSuccessor))
    #expect(found.repetition == nil)
    #expect(!found.isRepetitionRefused)
    #expect(answered(found.order) == [[3, 4], []])
  }

  /// The window is open strictly less than its length.
  @Test(arguments: [(Duration.nanoseconds(59_999_999_999), true), (.seconds(60), false)])
  func `The repetition is harmless up to the end of the window`(pause: Duration, isIn: Bool) {
    let found = sensitivity(of: .redeem, at: .grace(.sameSuccessor), pause: pause)
    #expect((found.repetition == nil) == isIn)
  }

  @Test func `A grace that answers once is used up by the repetition`() {
    let once = Server("once") {
      $0.parentGrace = .init(window: .unlimited, uses: .atMost(1), reply: .sameSuccessor)
    }
    let found = sensitivity(of: .redeem, at: once)
    #expect(answered(found.repetition) == [[3, 4], [4]])
  }

  @Test(arguments: [(Server.rejectOnly, true), (.noRotation, false)])
  func `A state that stays the same does not mean that the repetition is answered`(
    server: Server, isRefused: Bool
  ) {
    #expect(sensitivity(of: .redeem, at: server).isRepetitionRefused == isRefused)
  }

  /// Redeemed first, token 3 leaves a token 4, which can be revived; killed first, it is answered with itself.
  @Test func `A revocation does not commute with redeeming where a grace revives what it killed`() {
    let revivable = Server("revivable") {
      $0.ancestorGrace = .init(window: .unlimited, reply: .presentedToken)
      $0.graceCoversRevoked = true
    }
    let world = SensitivityWorld(revivable.policy, .ifNewer, .seconds(1))
    let found = world.order(of: .redeem(3), and: .revoke)
    #expect(answered(found) == [[1, 2, 3, 4], [1, 2, 3]])
    #expect(
      SensitivityWorld(ServerPolicy(), .ifNewer, .seconds(1)).order(of: .redeem(3), and: .revoke)
        == nil)
  }
}
