import SimCore
import Strategies
import Testing

/// Published claims with exact counts.
struct ClaimsTests {
  /// A refresh is sent at 1000 s; the person leaves 4 s later and comes back two hours after that.
  private func suspended(answerAfter seconds: Int, suspendAfter: Duration = .seconds(1)) -> Scenario
  {
    .timeline([
      .init(.call(), at: .seconds(1000)), .init(.leave, at: .seconds(1004)),
      .init(.return, at: .seconds(8200)), .init(.call(), at: .seconds(8200)),
    ]) {
      $0.server.processing = .constant(.seconds(seconds) - .milliseconds(100))
      $0.lifecycle.suspendAfter = .constant(suspendAfter)
    }
  }

  @Test(arguments: ["single-flight", "single-flight+margin"])
  func `E1, an answer that nobody read signs the user out hours later`(name: String) throws {
    let tally = try tally(try strategy(name), suspended(answerAfter: 15))
    expect(
      tally,
      [
        .refreshes: 2, .rotations: 1, .rejected: 1, .reuses: 1, .duplicates: 1,
        .duplicatesReplay: 1, .lostRotations: 1, .revocations: 1, .signOuts: 1, .failedCalls: 2,
      ])
  }

  /// The call of the first screen waits, is sent when the task is over, and dies in the suspension that follows.
  @Test func `E3, a background task brings the answer home`() throws {
    let entries = try facts(try strategy("background-task"), suspended(answerAfter: 15))
    let tally = try tally(try strategy("background-task"), suspended(answerAfter: 15))
    expect(tally, [.refreshes: 2, .rotations: 2, .failedCalls: 1])
    let presented = entries.compactMap { entry -> Int? in
      if case .refreshSent(_, let token) = entry.fact { token.number } else { nil }
    }
    #expect(presented == [1, 2])
    let stored = entries.first { if case .pairStored = $0.fact { true } else { false } }
    #expect(stored?.instant.since(.zero) == .seconds(1015))
  }

  /// The budget ends at 1034 s, so an answer at 1033 s is read.
  @Test func `E4, an answer within the window is read`() throws {
    let tally = try tally(try strategy("background-task"), suspended(answerAfter: 33))
    expect(tally, [.rotations: 2, .failedCalls: 1])
  }

  @Test func `E4, an answer after the window is lost again`() throws {
    let tally = try tally(try strategy("background-task"), suspended(answerAfter: 35))
    expect(
      tally,
      [
        .rotations: 1, .rejected: 1, .reuses: 1, .duplicates: 1, .duplicatesReplay: 1,
        .lostRotations: 1, .revocations: 1, .signOuts: 1, .failedCalls: 2,
      ])
  }

  @Test func `E4, a parent rule without limit saves the late answer`() throws {
    var scenario = suspended(answerAfter: 35)
    scenario.server.parentGrace.window = .unlimited
    let tally = try tally(try strategy("background-task"), scenario)
    expect(tally, [.graced: 1, .forks: 1, .duplicates: 1, .lostRotations: 1, .failedCalls: 1])
  }

  /// Back in the foreground the client still counts on its task and sends the spent token again.
  @Test func `A suspension by force spares no task`() throws {
    let scenario = Scenario.timeline([
      .init(.call(), at: .seconds(1000)), .init(.leave, at: .seconds(1000)),
      .init(.suspend, at: .milliseconds(1_000_060)), .init(.return, at: .seconds(1120)),
      .init(.call(), at: .seconds(1120)),
    ])
    expect(
      try tally(try strategy("background-task"), scenario),
      [
        .refreshes: 2, .rejected: 1, .reuses: 1, .duplicates: 1, .lostRotations: 1,
        .revocations: 1, .signOuts: 1, .failedCalls: 2,
      ])
  }

  @Test func `A call that times out fails, and its late answer changes nothing`() throws {
    let scenario = Scenario.timeline([.init(.call(), at: .zero)]) {
      $0.network.downlink = .constant(.seconds(5))
      $0.client.timeout = .seconds(5)
    }
    let entries = try facts(try strategy("single-flight"), scenario)
    let ends = entries.compactMap { entry -> (CallOutcome, Duration)? in
      if case .callEnded(_, let outcome) = entry.fact {
        (outcome, entry.instant.since(.zero))
      } else {
        nil
      }
    }
    #expect(ends.map(\.0) == [.timeout])
    #expect(ends.map(\.1) == [.seconds(5)])
  }

  @Test func `An answer at the deadline is in time`() throws {
    let scenario = Scenario.timeline([.init(.call(), at: .zero)]) {
      $0.client.timeout = .milliseconds(100)
    }
    expect(try tally(try strategy("single-flight"), scenario), [.failedCalls: 0])
  }

  @Test func `A call in the middle of a suspension starts when the app runs again`() throws {
    let scenario = Scenario.timeline([
      .init(.leave, at: .seconds(1)), .init(.suspend, at: .seconds(2)),
      .init(.call(), at: .seconds(3)), .init(.return, at: .seconds(10)),
    ])
    let entries = try facts(try strategy("naive"), scenario)
    let start = entries.first { if case .callStarted = $0.fact { true } else { false } }
    #expect(start?.instant.since(.zero) == .seconds(10))
  }

  @Test func `A call that is never resumed is reported stuck`() throws {
    let scenario = Scenario.timeline([
      .init(.call(), at: .zero), .init(.leave, at: .zero), .init(.suspend, at: .zero),
    ])
    expect(try tally(try strategy("naive"), scenario), [.stuckCalls: 1, .failedCalls: 0])
  }

  @Test func `Calls that fall due in a suspension without an end are stuck`() throws {
    let scenario = Scenario.timeline([
      .init(.call(), at: .seconds(1)), .init(.suspend, at: .seconds(3)),
      .init(.call(), at: .seconds(5)), .init(.call(), at: .seconds(6)),
    ])
    expect(try tally(try strategy("naive"), scenario), [.calls: 3, .stuckCalls: 2])
  }

  @Test func `Without rotation a token presented again is no duplicate`() throws {
    let calls = (0..<3).map { Usage.Moment(.call(), at: .seconds(600 * $0)) }
    let scenario = Scenario.timeline(calls) { $0.server.rotation = .never }
    expect(try tally(try strategy("single-flight"), scenario), [.refreshes: 2, .reissues: 2])
  }

  @Test func `Two refreshes at once are duplicates even without rotation`() throws {
    let scenario = Scenario.timeline([
      .init(.call(), at: .seconds(400)), .init(.call(), at: .seconds(400)),
    ]) {
      $0.server.rotation = .never
    }
    expect(
      try tally(try strategy("actor-only"), scenario),
      [.refreshes: 2, .duplicates: 1, .duplicatesConcurrent: 1])
  }

  /// The first caller's pair comes after the second was rejected: the client writes it into a session that is over.
  @Test func `A pair stored after the sign-out is a resurrection`() throws {
    var tallier = Tallier()
    for fact in [
      Fact.signedOut(.rejected, needlessly: false), .pairStored(RefreshToken(id: 1), stale: false),
    ] {
      tallier.observe(fact, at: .zero)
    }
    #expect(tallier.tally[.resurrections] == 1)
  }

  @Test func `Who leaves at an instant leaves no earlier than the screen is open`() throws {
    let scenario = Scenario.constantDelays {
      $0.usage.opens = .at(.seconds(200))
      $0.lifecycle.leaves = .at(.seconds(4))
    }
    let entries = try facts(try strategy("naive"), scenario)
    let left = entries.first { if case .appLeft = $0.fact { true } else { false } }
    #expect(left?.instant.since(.zero) == .seconds(200))
    let opened = entries.filter { if case .screenOpened = $0.fact { true } else { false } }
    #expect(opened.count == 2)
  }
}
