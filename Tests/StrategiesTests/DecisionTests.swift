import SimCore
import SimTestSupport
import Strategies
import Testing

/// What single decisions change, with counts and instants worked out by hand.
struct DecisionTests {
  /// One-way 50 ms, the token endpoint takes no time, T is 300 s.
  private func world(
    _ moments: [Usage.Moment], _ change: (inout Scenario) -> Void = { _ in }
  ) -> Scenario {
    .timeline(moments) {
      $0.server.processing = .constant(.zero)
      change(&$0)
    }
  }

  private func client(_ change: (inout Decisions) -> Void) throws -> Strategy {
    var client = try strategy("single-flight")
    change(&client.decisions)
    return client
  }

  private func pin(_ subject: Usage.Pin.Subject, _ change: (inout Usage.Pin) -> Void) -> Usage.Pin {
    var pin = Usage.Pin(subject)
    change(&pin)
    return pin
  }

  private func sendings(_ strategy: Strategy, _ scenario: Scenario) throws -> [Duration] {
    try facts(strategy, scenario).compactMap {
      if case .refreshSent = $0.fact { $0.instant.since(.zero) } else { nil }
    }
  }

  /// The first refresh is answered 429 with a Retry-After of 5 s at 400.1 s; pauses are 1 s and 2 s.
  @Test func `A pause is as long as the server asks for, if the client listens`() throws {
    let scenario = world([.init(.call(), at: .seconds(400))]) {
      $0.usage.pins = [
        pin(.refresh(1)) {
          $0.answer = .tooManyRequests
          $0.retryAfter = .seconds(5)
        }
      ]
    }
    let retries = [Duration.seconds(1), .seconds(2)]
    let heeding = try client { $0.retries = retries }
    #expect(try sendings(heeding, scenario) == [.seconds(400), .milliseconds(405_100)])
    let deaf = try client {
      $0.retries = retries
      $0.heedsRetryAfter = false
    }
    #expect(try sendings(deaf, scenario) == [.seconds(400), .milliseconds(401_100)])
    let inAHurry = try client {
      $0.retries = retries
      $0.retryBudget = .seconds(5)
    }
    #expect(try sendings(inAHurry, scenario) == [.seconds(400)])
    expect(try tally(inAHurry, scenario), [.failedCalls: 1, .refused: 1, .refreshes: 1])
  }

  @Test func `Jitter lengthens a pause by a share of it, another in each run`() throws {
    let scenario = world([.init(.call(), at: .seconds(400))]) {
      $0.usage.pins = [pin(.refresh(1)) { $0.answer = .serverError }]
    }
    let jittery = try client {
      $0.retries = [.seconds(10)]
      $0.retryJitter = 0.5
    }
    let pauses = try (0..<200 as Range<UInt64>).map { run in
      let sent = try facts(jittery, scenario, run: run).compactMap { entry -> Double? in
        if case .refreshSent = entry.fact { entry.instant.since(.zero).inSeconds } else { nil }
      }
      return sent[1] - sent[0] - 0.1
    }
    #expect(pauses.allSatisfy { $0 >= 10 && $0 <= 15 })
    // The mean of 200 draws from U(10, 15) has an error of 5 / √(12 · 200) = 0.102.
    let mean = pauses.reduce(0, +) / 200
    #expect((mean - 12.5).magnitude < 0.41)
  }

  /// Margin 30 s: at 280 s the pair is too old but still trusted; its refresh fails with a 5xx.
  @Test func `A failed refresh before use need not fail the call`() throws {
    let scenario = world([.init(.call(), at: .seconds(280))]) {
      $0.usage.pins = [pin(.refresh(1)) { $0.answer = .serverError }]
    }
    let strict = try client { $0.check = .margin(.seconds(30)) }
    expect(try tally(strict, scenario), [.failedCalls: 1, .attempts: 0, .refused: 1])
    let lenient = try client {
      $0.check = .margin(.seconds(30))
      $0.afterFailedCheck = .useTrusted
    }
    expect(try tally(lenient, scenario), [.failedCalls: 0, .attempts: 1, .unauthorized: 0])
  }

  /// After a failure at 400.1 s the same token rests for 60 s: calls at 430 s and 470 s.
  @Test func `A token that failed is not tried again for a while`() throws {
    let scenario = world([
      .init(.call(), at: .seconds(400)), .init(.call(), at: .seconds(430)),
      .init(.call(), at: .seconds(470)),
    ]) {
      $0.usage.pins = [pin(.refresh(1)) { $0.answer = .serverError }]
    }
    let resting = try client { $0.coolDown = .seconds(60) }
    #expect(try sendings(resting, scenario) == [.seconds(400), .seconds(470)])
    expect(try tally(resting, scenario), [.failedCalls: 2, .refreshes: 2])
  }

  /// A call that finds the token too old at 299.95 s refreshes, another meets a 401 while that runs.
  @Test func `Two flights spend the same token twice`() throws {
    let scenario = world([
      .init(.call(), at: .milliseconds(299_940)), .init(.call(), at: .milliseconds(299_960)),
    ]) {
      $0.usage.pins = [
        pin(.call(1, attempt: 1)) { $0.uplink = .milliseconds(70) },
        pin(.refresh(1)) { $0.uplink = .milliseconds(500) },
      ]
    }
    // The second call is held back by a margin of 50 ms; the first was sent just before and is late.
    let shared = try client { $0.check = .margin(.milliseconds(50)) }
    expect(try tally(shared, scenario), [.refreshes: 1, .unauthorized: 1])
    let apart = try client {
      $0.check = .margin(.milliseconds(50))
      $0.flights = .perPath
    }
    let tally = try tally(apart, scenario)
    #expect(tally[.refreshes] == 2)
    #expect(tally[.reuses] == 1)
    #expect(tally[.signOuts] == 1)
  }

  /// T is 20 s and the margin 30 s: each new token is too old as it is read.
  @Test func `A token too short to use is lost if the client fails before storing it`() throws {
    let scenario = world([.init(.call(), at: .seconds(10)), .init(.call(), at: .seconds(40))]) {
      $0.server.lifetime = .fixed(.seconds(20))
    }
    let using = try client { $0.check = .margin(.seconds(30)) }
    expect(try tally(using, scenario), [.refreshes: 2, .rotations: 2, .failedCalls: 0])
    let failing = try client {
      $0.check = .margin(.seconds(30))
      $0.shortLived = .failBeforeStoring
    }
    expect(
      try tally(failing, scenario),
      [
        .refreshes: 2, .rotations: 1, .rejected: 1, .reuses: 1, .duplicates: 1, .duplicatesStale: 1,
        .revocations: 1, .signOuts: 1, .failedCalls: 2,
      ])
  }

  /// The answer is read at 400.1 s and written until 400.6 s.
  @Test func `A pair may be used while it is written`() throws {
    let scenario = world([.init(.call(), at: .seconds(400))]) {
      $0.store.write = .constant(.milliseconds(500))
    }
    for (persist, sent, stored) in [
      (.beforeUse, Duration.milliseconds(400_600), Duration.milliseconds(400_600)),
      (.writeThrough, .milliseconds(400_100), .milliseconds(400_600)),
      (.never, .milliseconds(400_100), nil),
    ] as [(Decisions.Persist, Duration, Duration?)] {
      let entries = try facts(try client { $0.persist = persist }, scenario)
      let attempt = entries.first { if case .attemptSent = $0.fact { true } else { false } }
      let write = entries.first { if case .pairStored = $0.fact { true } else { false } }
      #expect(attempt?.instant.since(.zero) == sent)
      #expect(write?.instant.since(.zero) == stored)
    }
  }

  /// The family was revoked at 5 s; the token of the call is dead at 400 s, so is each resend.
  @Test func `A rejection that resends the call is bounded by its resends`() throws {
    let scenario = world([.init(.revoke, at: .seconds(5)), .init(.call(), at: .seconds(400))])
    let stubborn = try client {
      $0.rejection = .resend
      $0.resends = 3
      $0.check = .none
    }
    let tally = try tally(stubborn, scenario)
    // A 401, a refresh; then a resend for the rejection, whose 401 takes the last resend for another refresh.
    #expect(tally[.rejected] == 2)
    #expect(tally[.unauthorized] == 2)
    #expect(tally[.failedCalls] == 1)
    #expect(tally[.signOuts] == 1)
  }

  /// Callers that do not merge: the loser presented R1, which is no longer the current one.
  @Test func `Only the presenter of the current pair may end the session`() throws {
    let scenario = world([.init(.call(), at: .seconds(400), times: 2)]) {
      $0.server.reuse = .rejectOnly
      $0.server.reuseKillsAccess = false
    }
    var careful = try strategy("naive")
    expect(
      try tally(careful, scenario),
      [.signOuts: 1, .falseSignOuts: 1, .failedCalls: 1, .rejected: 1, .reuses: 1, .duplicates: 1])
    careful.decisions.endsSession = .presenterOfCurrent
    expect(
      try tally(careful, scenario),
      [.signOuts: 0, .failedCalls: 1, .rejected: 1, .reuses: 1, .duplicates: 1])
  }

  /// Without a deadline a call waits as long as the refresh hangs; with one it leaves, and the refresh goes on.
  @Test func `A call that waits has a deadline of its own`() throws {
    let scenario = world([.init(.call(), at: .seconds(400))]) {
      $0.usage.pins = [pin(.refresh(1)) { $0.answer = .hangs }]
    }
    let patient = try client { $0.timeout = nil }
    expect(try tally(patient, scenario), [.stuckCalls: 1])
    let bounded = try client {
      $0.timeout = nil
      $0.waiterDeadline = .seconds(7)
    }
    let entries = try facts(bounded, scenario)
    let end = entries.first { if case .callEnded(_, .timeout) = $0.fact { true } else { false } }
    #expect(end?.instant.since(.zero) == .seconds(407))
  }

  /// Clients that signed in together refresh at different moments: 300 s - 30 s less up to 100 s.
  @Test func `Jitter of the margin spreads refreshes`() throws {
    let spread = try client {
      $0.check = .margin(.seconds(30))
      $0.marginJitter = .seconds(100)
    }
    let scenario = world([.init(.call(), at: .seconds(1), times: 300, every: .seconds(1))])
    let first = try (0..<100 as Range<UInt64>).map { run in
      try facts(spread, scenario, run: run).first {
        if case .refreshSent = $0.fact { true } else { false }
      }.map { $0.instant.since(.zero).inSeconds } ?? 0
    }
    #expect(first.allSatisfy { $0 >= 170 && $0 <= 270 })
    #expect(Set(first).count > 40)
  }

  /// Each kind of failure of a refresh, as the failure table has it by default.
  @Test(
    arguments: [
      (.forbidden, .forbidden), (.tooManyRequests, .tooManyRequests), (.clientError, .clientError),
      (.serverError, .serverError), (.serverErrorAfterCommit, .serverError),
      (.malformed, .malformed),
      (.hangs, .timeout),
    ] as [(Usage.Pin.Answer, CallOutcome)])
  func `A failure keeps the session and gives the call its kind`(
    answer: Usage.Pin.Answer, outcome: CallOutcome
  ) throws {
    let scenario = world([.init(.call(), at: .seconds(400)), .init(.call(), at: .seconds(1000))]) {
      $0.usage.pins = [pin(.refresh(1)) { $0.answer = answer }]
      $0.server.parentGrace.window = .unlimited
    }
    let entries = try facts(try strategy("single-flight"), scenario)
    let ends = entries.compactMap { if case .callEnded(_, let end) = $0.fact { end } else { nil } }
    #expect(ends == [outcome, .succeeded])
    let tally = try tally(try strategy("single-flight"), scenario)
    let isStored = answer == .serverErrorAfterCommit || answer == .malformed
    #expect(tally[.refused] == (isStored ? 0 : 1))
    #expect(tally[.lostRotations] == (isStored ? 1 : 0))
    #expect(tally[.graced] == (isStored ? 1 : 0))
    #expect(tally[.signOuts] == 0)
  }

  @Test(arguments: [Usage.Pin.Answer.forbidden, .serverError, .malformed])
  func `A client that takes it for the end signs out for nothing`(answer: Usage.Pin.Answer) throws {
    let scenario = world([.init(.call(), at: .seconds(400))]) {
      $0.usage.pins = [pin(.refresh(1)) { $0.answer = answer }]
      $0.server.parentGrace.window = .unlimited
    }
    let hasty = try client {
      $0.onFailure.forbidden = .endSession
      $0.onFailure.serverError = .endSession
      $0.onFailure.malformed = .endSession
    }
    let tally = try tally(hasty, scenario)
    #expect(tally[.signOuts] == 1)
    #expect(tally[.falseSignOuts] == 1)
  }
}
