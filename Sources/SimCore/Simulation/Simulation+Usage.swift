/// What the person and the administrator do.
extension Simulation {
  /// A timeline's client holds its pair from the beginning; an opening's reads it when the answer comes.
  mutating func begin() {
    let drawn = server.lifetime(
      streams.serverTime, at: DrawAddress(.refresh, number: 0, part: 1))
    let response = server.login(&ledger, at: now, lifetime: drawn)
    let family = ledger[response.refreshToken].family
    tell(.familyBegan(family, response.refreshToken, response.accessToken))
    let isTimeline = world.scenario.usage.kind == .timeline
    let login = DrawAddress(.refresh, number: 0)
    let wayBack = isTimeline ? 0 : world.downlink.sample(streams.downlink, at: login)
    let wayThere =
      isTimeline
      ? 0
      : world.uplink.sample(streams.uplink, at: login)
        &+ world.processing.sample(streams.serverTime, at: login)
    let read = schedule(.firstPairRead, after: wayBack, drawnFrom: .downlink)
    let sent = Instant(nanoseconds: -min(max(0, wayThere), 1 << 62))
    firstPair = FirstPair(response: response, sent: sent, read: read)
    if isTimeline { scheduleTimeline() } else { scheduleOpening() }
  }

  mutating func readFirstPair() {
    guard let firstPair else { return }
    let response = firstPair.response
    tell(.signedIn(response.refreshToken, response.accessToken))
    process.hasSession = true
    process.lastRead = response.refreshToken
    process.store = .init(refresh: response.refreshToken, access: response.accessToken)
    deliver(.signedIn(requestedAt: world.clock.reading(at: firstPair.sent), response))
  }

  private mutating func scheduleTimeline() {
    for moment in world.scenario.usage.timeline {
      let event: SimulationEvent =
        switch moment.kind {
        case .call: .callStarts
        case .leave: .personLeaves
        case .return: .personReturns
        case .suspend: .suspensionForced
        case .revoke: .revocationRequested
        }
      _ = schedule(event, after: moment.at.nanoseconds, drawnFrom: .usage)
    }
  }

  private mutating func scheduleOpening() {
    guard let firstPair else { return }
    let moment = openingMoment(firstPair)
    let opening = schedule(.screenOpens, after: moment, drawnFrom: .usage)
    switch world.scenario.lifecycle.leaves {
    case .never: break
    case .at(let instant):
      // Who has not opened the screen yet leaves it as soon as it is open.
      _ = schedule(
        .personLeaves, after: max(instant.nanoseconds, opening.nanoseconds), drawnFrom: .leaves)
    case .after:
      guard let leaves = world.leaves else { return }
      let length = leaves.sample(streams.lifecycle, at: DrawAddress(.visit, number: 0))
      _ = schedule(
        .personLeaves, after: opening.nanoseconds &+ min(length, 1 << 62), drawnFrom: .leaves)
    }
  }

  /// Nanoseconds from the minting of the pair to the opening.
  private func openingMoment(_ pair: FirstPair) -> Int64 {
    switch world.scenario.usage.opens {
    case .duringLifetime:
      let end = world.trustedTime.believedEnd(sent: pair.sent, minted: .zero, read: pair.read)
      let trusted = max(0, end.nanoseconds - pair.read.nanoseconds)
      var draws = streams.userActivity.draws(at: DrawAddress(.opening, number: 0))
      return pair.read.nanoseconds + Int64(Double(trusted) * draws.unit())
    case .expired:
      let end = world.trustedTime.believedEnd(sent: pair.sent, minted: .zero, read: pair.read)
      let overnight: Int64 = 8 * 3600 * 1_000_000_000
      return max(end.nanoseconds, world.firstEnd, pair.read.nanoseconds) + overnight
    case .expiredAtServer: return pair.read.nanoseconds
    case .at(let moment): return max(moment.nanoseconds, pair.read.nanoseconds)
    }
  }

  mutating func openScreen() {
    if case .expiredAtServer = world.scenario.usage.opens, process.openings == 0, let firstPair {
      server.end(firstPair.response.accessToken, &ledger, at: now)
      tell(.accessTokenEnded(firstPair.response.accessToken))
    }
    tell(.screenOpened)
    let opening = Int(process.openings)
    process.openings += 1
    let callers = world.scenario.usage.callers
    for caller in 0..<callers {
      let address = DrawAddress(
        .opening, number: opening * callers + caller, part: 1)
      var draws = streams.userActivity.draws(at: address)
      _ = schedule(.callStarts, after: Int64(world.spread * draws.unit()), drawnFrom: .usage)
    }
  }

  /// Starts a call, or remembers it until the app's code runs again.
  mutating func startCall() {
    guard !process.lifecycle.isSuspended else {
      process.overdueCalls += 1
      return
    }
    process.callsStarted += 1
    let number = process.callsStarted
    let slot = process.calls.insert(Process.OpenCall(number: number))
    tell(.callStarted(number))
    deliver(.callStarted(CallID(number: number, slot: slot)))
  }

  mutating func revokeByRequest() {
    guard let firstPair else { return }
    let family = ledger[firstPair.response.refreshToken].family
    guard ledger[family].revokedAt == nil else { return }
    server.revoke(family, &ledger, at: now)
    tell(.familyRevoked(family, .request))
  }
}
