import SimCore

// MARK: Servers

extension Dice {
  mutating func server() -> ServerPolicy {
    var server = ServerPolicy()
    let (short, long) = (milliseconds(2000...30_000), milliseconds(0...30_000))
    server.lifetime = happens(0.7) ? .fixed(short) : .uniform(from: short, to: short + long)
    server.leeway = pick([.zero, .seconds(1)])
    server.processing = delay(0...500)
    server.rotation = pick([
      .always, .always, .never, .usedFraction(0.5), .remainingBelow(.seconds(3)),
    ])
    server.reuse = pick()
    server.reuseKillsAccess = happens()
    guard happens(0.6) else { return server }
    server.propagation = pick([.zero, .seconds(1)])
    server.parentGrace = grace()
    server.ancestorGrace = happens(0.5) ? grace() : .init()
    server.graceCoversRevoked = happens(0.2)
    server.reuseMemory = happens(0.7) ? .unlimited : .lasting(milliseconds(0...20_000))
    server.rejectedAs = happens(0.8) ? .invalidGrant : pick()
    server.oldAccessOverlap = pick([
      .unlimited, .lasting(milliseconds(0...3000)), .untilNewAccessUsed, .untilNewRefreshUsed,
    ])
    server.maxLiveAccess = maybe(0.2) { $0.roll(1...3) }
    server.refreshIdle = maybe(0.2) { $0.milliseconds(1000...60_000) }
    server.refreshAbsolute = maybe(0.2) { $0.milliseconds(1000...120_000) }
    server.race = pick([.serialize, .refuse(pick()), .winnersPair, .fork, .lastWriter])
    server.lookup = milliseconds(0...100)
    server.commit = pick()
    server.crash = pick([0, 0.2])
    server.errors = .init(before: pick([0, 0.2]), after: pick([0, 0.2]))
    server.outages = happens(0.8) ? [] : [.init(from: .seconds(10), to: .seconds(20))]
    server.rateLimit = pick([
      .none, .none, .tokenBucket(capacity: 2, refillPerSecond: 0.2),
      .window(count: 2, length: .seconds(10)),
    ])
    server.tick = maybe(0.2) { $0.pick([.seconds(1), .milliseconds(10)]) }
    return server
  }

  private mutating func grace() -> ServerPolicy.Grace {
    ServerPolicy.Grace(
      window: happens(0.2) ? .unlimited : .lasting(milliseconds(0...20_000)), start: pick(),
      uses: happens() ? .unlimited : .atMost(roll(0...2)), untilUse: pick(), reply: pick())
  }
}
