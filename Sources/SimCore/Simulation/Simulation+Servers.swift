/// What the servers do with a request that reaches them.
extension Simulation {
  @inline(__always)
  mutating func judgeAttempt(_ slot: Int32, of call: CallID) {
    let exchange = exchanges[slot]
    guard let status = status(of: exchange) else { return waitInVain(slot) }
    let token = exchange.accessToken
    if status == .ok, server.heedsAcceptance, let token {
      server.noteAcceptance(of: token, &ledger, at: now)
    }
    tell(.attemptJudged(call.number, attempt: exchange.number, token, status))
    exchanges[slot].status = status
    sendAnswer(slot)
  }

  /// What the resource server answers; nil for nothing at all.
  @inline(__always)
  private mutating func status(of exchange: Exchange) -> APIStatus? {
    if !world.hasPlainNetwork, let answer = world.pins.pin(for: exchange)?.answer {
      return answer.status
    }
    if exchange.isAlwaysRejected { return .unauthorized }
    guard let token = exchange.accessToken else {
      return exchange.needsToken ? .unauthorized : .ok
    }
    return resource.accepts(token, ledger, at: now) ? .ok : .unauthorized
  }

  mutating func receiveRefresh(_ slot: Int32) {
    tell(.refreshArrived(exchanges[slot].number, exchanges[slot].refreshToken))
    if !world.hasPlainNetwork, isSettledByPin(slot) { return }
    if let refusal = gateway.refusal(at: now) {
      return refuse(slot, refusal.error, after: .seconds(Int(refusal.retryAfter)))
    }
    exchanges[slot].readAt = server.reading(ofArrivalAt: now)
    let commit = schedule(
      .exchangeCommits(slot), after: processing(slot), drawnFrom: .processing)
    if exchanges[slot].needsDeadline(before: commit) { armDeadline(of: slot) }
  }

  @inline(__always)
  private mutating func processing(_ slot: Int32) -> Int64 {
    if !world.hasPlainNetwork,
      let pinned = world.pins.pin(for: exchanges[slot])?.processing
    {
      return pinned.nanoseconds
    }
    return world.processing.sample(streams.serverTime, at: exchanges[slot].address)
  }

  /// Whether a pin says that the server refuses a refresh, or never answers, before it does anything.
  private mutating func isSettledByPin(_ slot: Int32) -> Bool {
    guard let pin = world.pins.pin(for: exchanges[slot]), let answer = pin.answer else {
      return false
    }
    if answer == .hangs {
      hang(slot)
      return true
    }
    guard let refusal = answer.refusal else { return false }
    refuse(slot, refusal, after: pin.retryAfter)
    return true
  }

  /// The error that a pin says a refresh is answered with after its commit.
  private mutating func pinnedFault(_ slot: Int32) -> TokenReply? {
    guard let pin = world.pins.pin(for: exchanges[slot]), let fault = pin.answer?.fault else {
      return nil
    }
    return .failed(fault, after: pin.retryAfter)
  }

  private mutating func hang(_ slot: Int32) {
    tell(.refreshJudged(exchanges[slot].number, exchanges[slot].refreshToken, .refused(nil)))
    waitInVain(slot)
  }

  private mutating func refuse(_ slot: Int32, _ error: TokenError, after retryAfter: Duration?) {
    let exchange = exchanges[slot]
    tell(.refreshJudged(exchange.number, exchange.refreshToken, .refused(error)))
    answer(slot, .failed(error, after: retryAfter))
  }

  mutating func exchangeCommits(_ slot: Int32) {
    let number = exchanges[slot].number
    let token = exchanges[slot].refreshToken
    let mishap = server.mishaps.draw(
      streams.serverTime, at: DrawAddress(.refresh, process: current, number: Int(number), part: 2))
    if mishap.hangs { return hang(slot) }
    let lifetime = server.lifetime(
      streams.serverTime, at: DrawAddress(.refresh, process: current, number: Int(number), part: 1))
    let outcome = server.exchange(
      token, &ledger, at: now, readAt: exchanges[slot].readAt, lifetime: lifetime, mishap)
    tell(.refreshJudged(number, token, outcome.judgement))
    if case .rejected(_, let revoked?) = outcome {
      tell(.familyRevoked(revoked, .reuse))
      revokeRelatives(of: revoked, .reuse)
    }
    if !world.hasPlainNetwork, let fault = pinnedFault(slot) { return answer(slot, fault) }
    answer(slot, dated(server.reply(to: outcome, mishap)))
  }

  @inline(__always)
  private mutating func answer(_ slot: Int32, _ reply: TokenReply) {
    while replies.count <= Int(slot) { replies.append(reply) }
    replies[Int(slot)] = reply
    sendAnswer(slot)
  }

  @inline(__always)
  private mutating func dated(_ reply: TokenReply) -> TokenReply {
    guard world.needsDate, case .granted(let response) = reply else { return reply }
    return .granted(dated(response))
  }

  /// A response with the second of the server's clock, whose seconds begin at a moment of the run's own.
  mutating func dated(_ response: TokenResponse) -> TokenResponse {
    guard world.needsDate else { return response }
    var draws = streams.serverTime.draws(at: DrawAddress(.login, number: 0, part: 1))
    let second: Int64 = 1_000_000_000
    let phase = Int64(draws.unit() * Double(second))
    let sinceFull = (now.nanoseconds + phase) % second
    var dated = response
    dated.date = WallTime(nanoseconds: now.nanoseconds - sinceFull)
    return dated
  }

  mutating func revoke(_ family: TokenFamily) {
    guard ledger[family].revokedAt == nil else { return }
    server.revoke(family, &ledger, at: now)
    tell(.familyRevoked(family, .request))
    revokeRelatives(of: family, .request)
  }

  /// Ends the families that end with another: its children, and after a reuse all of the person if the policy says so.
  private mutating func revokeRelatives(of family: TokenFamily, _ why: Fact.Revocation) {
    let takesAll = why == .reuse && world.scenario.server.reuse == .revokeUserClient
    for id in 0..<ledger.families.count where ledger.families[id].revokedAt == nil {
      let relative = ledger.families[id]
      guard relative.parent == family || (takesAll && relative.user == ledger[family].user) else {
        continue
      }
      server.revoke(TokenFamily(id: Int32(id)), &ledger, at: now)
      tell(.familyRevoked(TokenFamily(id: Int32(id)), why))
    }
  }
}

extension TokenReply {
  /// An error with a `Retry-After`, if there is one, in whole seconds.
  fileprivate static func failed(_ error: TokenError, after retryAfter: Duration?) -> TokenReply {
    .failed(error, retryAfter: Int32(clamping: retryAfter?.components.seconds ?? 0))
  }
}

extension Usage.Pin.Answer {
  /// What a resource server answers so; nil for nothing at all.
  fileprivate var status: APIStatus? {
    switch self {
    case .unauthorized: .unauthorized
    case .forbidden: .forbidden
    case .tooManyRequests: .tooManyRequests
    case .clientError: .clientError
    case .serverError, .serverErrorAfterCommit: .serverError
    case .malformed: .malformed
    case .hangs: nil
    }
  }

  /// The error that a token endpoint answers before it does anything.
  fileprivate var refusal: TokenError? {
    switch self {
    case .forbidden: .forbidden
    case .tooManyRequests: .tooManyRequests
    case .clientError, .unauthorized: .clientError
    case .serverError: .serverError
    case .serverErrorAfterCommit, .malformed, .hangs: nil
    }
  }

  /// The error that a token endpoint answers once it has committed.
  fileprivate var fault: TokenError? {
    switch self {
    case .serverErrorAfterCommit: .serverError
    case .malformed: .malformed
    default: nil
    }
  }
}

extension AuthorizationServer.Outcome {
  /// What the record says.
  fileprivate var judgement: Fact.Judgement {
    switch self {
    case .rotated(let response, let lifeLeft):
      .rotated(response.refreshToken, response.accessToken, lifeLeft: lifeLeft)
    case .reissued(let response): .reissued(response.accessToken)
    case .graced(let response, let forked):
      .graced(response.refreshToken, response.accessToken, forked: forked)
    case .rejected(let reuse, _): .rejected(reuse: reuse)
    case .refused(let error): .refused(error)
    }
  }
}
