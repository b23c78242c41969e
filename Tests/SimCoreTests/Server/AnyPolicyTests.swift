import Testing

@testable import SimCore

/// What holds under every policy, for policies and presentations drawn at random.
struct AnyPolicyTests {
  /// Draws choices from a fixed seed.
  private struct Chance {
    private var draws: Draws

    init(_ number: Int) {
      draws = RandomStream(RandomRun(seed: 7, run: UInt64(number)), cause: .serverTime)
        .draws(at: DrawAddress(.refresh, number: 0))
    }

    mutating func below(_ limit: Int) -> Int { Int(draws.unit() * Double(limit)) }

    mutating func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }

    mutating func grace() -> ServerPolicy.Grace {
      ServerPolicy.Grace(
        window: one(of: [.lasting(.zero), .lasting(.seconds(20)), .unlimited]),
        start: one(of: ServerPolicy.Grace.Start.allCases),
        uses: one(of: [.unlimited, .unlimited, .atMost(0), .atMost(2)]),
        untilUse: one(of: ServerPolicy.Grace.UntilUse.allCases),
        reply: one(of: ServerPolicy.Grace.Reply.allCases))
    }

    mutating func policy() -> ServerPolicy {
      var policy = ServerPolicy()
      policy.rotation = one(of: [.always, .always, .never, .usedFraction(0.1)])
      policy.parentGrace = grace()
      policy.ancestorGrace = grace()
      policy.graceCoversRevoked = below(3) == 0
      policy.reuse = one(of: ServerPolicy.ReuseReaction.allCases)
      policy.reuseKillsAccess = below(2) == 0
      policy.reuseMemory = one(of: [.unlimited, .unlimited, .lasting(.seconds(30))])
      policy.oldAccessOverlap = one(of: [
        .unlimited, .lasting(.zero), .lasting(.seconds(5)), .untilNewAccessUsed,
        .untilNewRefreshUsed,
      ])
      policy.maxLiveAccess = one(of: [nil, nil, 1, 3])
      policy.propagation = one(of: [.zero, .seconds(4)])
      policy.refreshIdle = one(of: [nil, nil, .seconds(40)])
      policy.refreshAbsolute = one(of: [nil, nil, .seconds(120)])
      policy.race = one(of: [
        .serialize, .refuse(.clientError), .winnersPair, .fork, .lastWriter,
      ])
      policy.commit = one(of: ServerPolicy.Commit.allCases)
      policy.crash = one(of: [0, 0.2])
      policy.tick = one(of: [nil, nil, .seconds(1)])
      return policy
    }
  }

  private func facts(
    _ outcome: AuthorizationServer.Outcome, _ number: Int32, _ token: RefreshToken
  ) -> [Fact] {
    let judgement: Fact.Judgement =
      switch outcome {
      case .rotated(let response, let lifeLeft):
        .rotated(response.refreshToken, response.accessToken, lifeLeft: lifeLeft)
      case .reissued(let response): .reissued(response.accessToken)
      case .graced(let response, let forked):
        .graced(response.refreshToken, response.accessToken, forked: forked)
      case .rejected(let reuse, _): .rejected(reuse: reuse)
      case .refused(let error): .refused(error)
      }
    var facts: [Fact] = [.refreshArrived(number, token), .refreshJudged(number, token, judgement)]
    if case .rejected(_, let revoked?) = outcome { facts.append(.familyRevoked(revoked, .reuse)) }
    return facts
  }

  /// Presents tokens and uses access tokens at random; says what is wrong.
  private func live(_ number: Int) -> String? {
    var chance = Chance(number)
    let policy = chance.policy()
    let server = AuthorizationServer(policy)
    let resource = ResourceServer(policy)
    var ledger = TokenLedger()
    var invariants = Invariants(policy)
    let first = server.login(&ledger, at: .zero, lifetime: 60_000_000_000)
    invariants.observe(
      .familyBegan(TokenFamily(id: 0), first.refreshToken, first.accessToken, user: 1), at: .zero)
    var milliseconds = 0
    for step in 1...40 as ClosedRange<Int32> {
      milliseconds += chance.below(8000)
      let now = Instant(nanoseconds: Int64(milliseconds) * 1_000_000)
      let access = AccessToken(id: Int32(chance.below(ledger.accessTokens.count)))
      let isAccepted = resource.accepts(access, ledger, at: now)
      if isAccepted { server.noteAcceptance(of: access, &ledger, at: now) }
      invariants.observe(
        .attemptJudged(1, attempt: 1, access, isAccepted ? .ok : .unauthorized), at: now)

      let token = RefreshToken(id: Int32(chance.below(ledger.refreshTokens.count)))
      let overlaps = chance.below(3) == 0
      let readAt = overlaps ? Instant(nanoseconds: now.nanoseconds - 9_000_000_000) : now
      let mishap = Mishap(crashes: policy.crash > 0 && chance.below(5) == 0)
      let isExpected = server.wouldAnswer(token, ledger, at: now)
      let outcome = server.exchange(
        token, &ledger, at: now, readAt: readAt, lifetime: 60_000_000_000, mishap)
      for fact in facts(outcome, step, token) { invariants.observe(fact, at: now) }
      let isAnswered =
        switch outcome {
        case .rotated, .reissued, .graced: true
        case .rejected, .refused: false
        }
      if !overlaps, !mishap.crashes, isAnswered != isExpected {
        return "step \(step): answered \(isAnswered), expected \(isExpected)"
      }
    }
    invariants.finish()
    for id in 0..<ledger.refreshTokens.count {
      let record = ledger.refreshTokens[id]
      let children = (0..<ledger.refreshTokens.count).count {
        ledger.refreshTokens[$0].parent?.id == Int32(id) && ledger.refreshTokens[$0].spentAt == nil
      }
      if Int(record.unspentChildren) != children { return "token \(id + 1) miscounts its children" }
      if let exposure = server.exposure(of: record, ledger), exposure < 0 {
        return "token \(id + 1) has a negative exposure"
      }
    }
    return invariants.violation?.rawValue
  }

  @Test func `Whatever the policy, the server keeps its books and the rules of the model`() {
    for number in 0..<3000 {
      let problem = live(number)
      #expect(problem == nil, "policy \(number)")
    }
  }
}
