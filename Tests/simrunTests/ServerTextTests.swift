import SimCore
import Testing

@testable import simrun

/// The fields of servers as they are typed.
struct ServerTextTests {
  private func field(_ path: String) throws -> ScenarioField {
    try #require(ScenarioField.all.first { $0.path == path })
  }

  private func server(_ path: String, _ value: JSONValue) throws -> ServerPolicy {
    var scenario = Scenario()
    try field(path).write(&scenario, value)
    return scenario.server
  }

  private static func policy(_ change: (inout ServerPolicy) -> Void) -> ServerPolicy {
    var policy = ServerPolicy()
    change(&policy)
    return policy
  }

  @Test(arguments: [
    ("lifetime", "1h", policy { $0.lifetime = .fixed(.seconds(3600)) }),
    (
      "lifetime", "uniform(from=60min, to=90min)",
      policy { $0.lifetime = .uniform(from: .seconds(3600), to: .seconds(5400)) }
    ),
    ("oldAccessOverlap", "unlimited", policy { _ in }),
    ("oldAccessOverlap", "10min", policy { $0.oldAccessOverlap = .lasting(.seconds(600)) }),
    ("oldAccessOverlap", "0s", policy { $0.oldAccessOverlap = .lasting(.zero) }),
    (
      "oldAccessOverlap", "untilNewAccessUsed",
      policy { $0.oldAccessOverlap = .untilNewAccessUsed }
    ),
    (
      "oldAccessOverlap", "untilNewRefreshUsed",
      policy { $0.oldAccessOverlap = .untilNewRefreshUsed }
    ),
    ("maxLiveAccess", "10", policy { $0.maxLiveAccess = 10 }),
    ("maxLiveAccess", "none", policy { _ in }),
    ("propagation", "30s", policy { $0.propagation = .seconds(30) }),
    ("refreshIdle", "30d", policy { $0.refreshIdle = .seconds(2_592_000) }),
    ("refreshAbsolute", "none", policy { _ in }),
    ("refreshAbsolute", "1d", policy { $0.refreshAbsolute = .seconds(86_400) }),
    ("reuseMemory", "0s", policy { $0.reuseMemory = .lasting(.zero) }),
    ("reuseMemory", "unlimited", policy { _ in }),
    ("graceCoversRevoked", "true", policy { $0.graceCoversRevoked = true }),
    ("rejectedAs", "serverError", policy { $0.rejectedAs = .serverError }),
    ("race", "serialize", policy { _ in }), ("race", "fork", policy { $0.race = .fork }),
    ("race", "refuse(clientError)", policy { $0.race = .refuse(.clientError) }),
    ("race", "winnersPair", policy { $0.race = .winnersPair }),
    ("race", "lastWriter", policy { $0.race = .lastWriter }),
    ("lookup", "5ms", policy { $0.lookup = .milliseconds(5) }),
    ("commit", "issueFirst", policy { $0.commit = .issueFirst }),
    ("crash", "1%", policy { $0.crash = 0.01 }),
    ("tick", "1s", policy { $0.tick = .seconds(1) }),
    ("errors.before", "0.25", policy { $0.errors.before = 0.25 }),
    ("errors.after", "5%", policy { $0.errors.after = 0.05 }),
    (
      "outages", "10min..12min, 1h..2h",
      policy {
        $0.outages = [
          .init(from: .seconds(600), to: .seconds(720)),
          .init(from: .seconds(3600), to: .seconds(7200)),
        ]
      }
    ), ("outages", "", policy { _ in }), ("rateLimit", "none", policy { _ in }),
    (
      "rateLimit", "tokenBucket(30, 0.5)",
      policy { $0.rateLimit = .tokenBucket(capacity: 30, refillPerSecond: 0.5) }
    ),
    (
      "rateLimit", "window(1800, 1h)",
      policy { $0.rateLimit = .window(count: 1800, length: .seconds(3600)) }
    ),
    (
      "grace.ancestor.window", "10s",
      policy { $0.ancestorGrace.window = .lasting(.seconds(10)) }
    ), ("grace.ancestor.from", "lastUse", policy { $0.ancestorGrace.start = .lastUse }),
    ("grace.ancestor.uses", "3", policy { $0.ancestorGrace.uses = .atMost(3) }),
    ("grace.ancestor.untilUse", "anyUse", policy { $0.ancestorGrace.untilUse = .anyUse }),
    ("grace.ancestor.reply", "sibling", policy { _ in }),
    ("grace.parent.reply", "sameSuccessor", policy { $0.parentGrace.reply = .sameSuccessor }),
  ])
  func `What is typed is read, written, and read again`(
    name: String, text: String, expected: ServerPolicy
  ) throws {
    let path = "server.\(name)"
    #expect(try server(path, .string(text)) == expected)
    var scenario = Scenario()
    scenario.server = expected
    let written = try field(path).read(scenario)
    #expect(try server(path, written) == expected)
  }

  @Test(arguments: [
    ("lifetime", "0s", "must be longer than zero"),
    ("lifetime", "uniform(from=0s, to=1h)", "must be longer than zero"),
    ("lifetime", "uniform(from=2h, to=1h)", "ends before it begins"),
    (
      "lifetime", "exponential(mean=1h)", "is neither a duration nor uniform(from=…, to=…)"
    ),
    (
      "oldAccessOverlap", "untilNewAcessUsed",
      "is unknown; use a duration, unlimited, untilNewAccessUsed, or untilNewRefreshUsed. "
        + "Did you mean \"untilNewAccessUsed\"?"
    ),
    (
      "race", "last-writer",
      "is unknown; use serialize, refuse(error), winnersPair, fork, or lastWriter; an error is "
        + "invalidGrant, forbidden, tooManyRequests, clientError, serverError, or malformed. "
        + "Did you mean \"lastWriter\"?"
    ),
    (
      "race", "refuse(invalid_grant)",
      "has the error \"invalid_grant\", which is unknown; use invalidGrant, forbidden, "
        + "tooManyRequests, clientError, serverError, or malformed. Did you mean \"invalidGrant\"?"
    ),
    ("refreshIdle", "0s", "must be longer than zero"),
    ("maxLiveAccess", "0", "is not a whole number from 1 to 1,000,000"),
    ("crash", "2", "is not a share from 0 to 1, or 0% to 100%"),
    ("outages", "10min", "has \"10min\", which is not like 10min..12min"),
    ("outages", "2h..1h", "has \"2h..1h\", which ends before it begins"),
    (
      "outages", "1..2h",
      "has \"1..2h\", which has no unit; add ns, us, ms, s, min, h, or d"
    ),
    (
      "outages", "1h..2h, 90min..3h",
      "has \"90min..3h\", which begins before 1h..2h ends"
    ),
    (
      "rateLimit", "bucket(1, 2)",
      "is unknown; use none, tokenBucket(capacity, refill per second), or window(count, duration)."
    ),
    (
      "rateLimit", "tokenBucket(30)",
      "needs a capacity and a refill per second, as in tokenBucket(30, 0.5)"
    ), ("rateLimit", "window", "needs a count and a duration, as in window(1800, 1h)"),
    ("race", "refuse", "needs an error, as in refuse(serverError)"),
    (
      "rateLimit", "tokenBucket(30, 0)",
      "has the refill \"0\", which is not a number from 0.000001 to 1,000,000"
    ),
    (
      "rateLimit", "window(0, 1h)",
      "has the count \"0\", which is not a whole number from 1 to 1,000,000"
    ),
  ])
  func `What is wrong is said in a clause`(name: String, text: String, clause: String) throws {
    let problem = #expect(throws: FieldProblem.self) { try server("server.\(name)", .string(text)) }
    #expect(problem?.clause == clause)
  }
}
