import SimCore
import SimTestSupport
import Strategies
import Testing

@testable import simrun

/// Scenario files as texts: what they mean, and each mistake with its place.
struct ScenarioFileTests {
  private func experiment(_ text: String) throws -> Experiment {
    var reader = JSON5Reader(text)
    return try Experiment(reader.read(), file: "f.json5")
  }

  private func messages(_ text: String) throws -> [String] {
    do {
      _ = try experiment(text)
      return []
    } catch let problems as Problems {
      #expect(problems.list.allSatisfy { $0.exitCode == .badData })
      return problems.list.map(\.message)
    }
  }

  @Test func `What is not given has its default`() throws {
    let variants = try experiment("{}").variants
    #expect(variants.count == 1)
    #expect(variants[0].scenario == Scenario())
    #expect(variants[0].strategies.isEmpty)
  }

  @Test func `Fields stand above the preset of their group`() throws {
    let scenario = try experiment(
      "{ server: { lifetime: '1h', preset: 'grace-1min', reuseKillsAccess: false }, clock: 'right' }"
    ).variants[0].scenario
    #expect(scenario.server.lifetime == .fixed(.seconds(3600)))
    #expect(scenario.server.parentGrace.window == .lasting(.seconds(60)))
    #expect(!scenario.server.reuseKillsAccess)
    #expect(scenario.clock == ClockError())
  }

  @Test func `A variant stands above the file`() throws {
    let variants = try experiment(
      """
      { usage: { callers: 3, spread: "0s" }, runs: 7, strategies: "naive",
        variants: { a: { usage: { callers: 4 } }, b: { runs: 8, strategies: ["single-flight"] } } }
      """
    ).variants
    #expect(variants.map(\.name) == ["a", "b"])
    #expect(variants.map(\.scenario.usage.callers) == [4, 3])
    #expect(variants.map(\.scenario.usage.spread) == [.zero, .zero])
    #expect(variants.map(\.runs) == [7, 8])
    #expect(variants.map { $0.strategies.map(\.name) } == [["naive"], ["single-flight"]])
  }

  @Test func `A described client changes decisions of its base`() throws {
    let strategies = try experiment(
      """
      { usage: { horizon: "1h" }, strategies: [ { name: "mine", base: "naive", merge: "singleFlight",
          onFailure: { transport: "endSession" }, retries: ["1s", "2s"], quota: "5 in 30s",
          schedule: "tick(every=30s, first=20s, threshold=90s)" } ] }
      """
    ).variants[0].strategies
    var expected = try #require(StrategyCatalog.all.first { $0.name == "naive" }).decisions
    expected.merge = .singleFlight
    expected.onFailure.transport = .endSession
    expected.retries = [.seconds(1), .seconds(2)]
    expected.quota = .init(refreshes: 5, window: .seconds(30))
    expected.schedule = .tick(every: .seconds(30), first: .seconds(20), threshold: .seconds(90))
    #expect(strategies.map(\.name) == ["mine"])
    #expect(strategies[0].decisions == expected)
  }

  @Test(arguments: [
    ("[]", "f.json5:1:1: the file is a list, not an object in braces"),
    ("{\n  usge: {} }", "f.json5:2:3: unknown key \"usge\". Did you mean \"usage\"?"),
    (
      "{ server: { grace: { parent: { windw: '1s' } } } }",
      "f.json5:1:32: unknown key \"server.grace.parent.windw\". Did you mean \"server.grace.parent.window\"?"
    ),
    (
      "{ usage: { callers: '0' } }",
      "f.json5:1:21: usage.callers: \"0\" is not a whole number from 1 to 10,000"
    ),
    ("{ usage: 5 }", "f.json5:1:10: usage is a number, not an object in braces"),
    (
      "{ server: { lifetime: [1] } }",
      "f.json5:1:23: server.lifetime: [1] is not a duration or a distribution; simrun show distributions lists the forms"
    ),
    (
      "{ server: { lifetime: 300 } }",
      "f.json5:1:23: server.lifetime: 300 has no unit; add ns, us, ms, s, min, h, or d"
    ),
    (
      "{ server: 'strikt' }",
      "f.json5:1:11: server: unknown preset \"strikt\"; use strict, self-contained, grace-1min, parent-rule, reject-only, or no-rotation. Did you mean \"strict\"?"
    ),
    (
      "{ usage: { kind: 'timeline',\n timeline: ['call@2s',\n  'call@1s'] } }",
      "f.json5:3:3: usage.timeline goes backwards from call@2s to call@1s"
    ),
    (
      "{ usage: { kind: 'timeline', timeline: ['call@0s x5', 'cancel(7)@1s'] } }",
      "f.json5:1:40: usage.timeline: cancel(7)@1s names call 7 of 5"
    ),
    (
      "{ usage: { kind: 'timeline', timeline: ['call@0s x5'], pins: ['call 7: lost=answer'] } }",
      "f.json5:1:62: usage.pins: call 7 names call 7 of 5"
    ),
    (
      "{ usage: { kind: 'timeline', timeline: ['call@0s'],\n callers: 9 } }",
      "f.json5:2:11: usage.callers is given, but usage.kind is timeline; say in usage.timeline when calls, leaving, and returning happen"
    ),
    (
      "{ usage: { kind: 'steady' } }",
      "f.json5:1:18: usage.kind is steady, but usage.horizon is none; calls need an end, such as 1d"
    ),
    (
      "{ usage: { kind: 'steady', horizon: '1h', interval: 'exponential(mean=0s)' } }",
      "f.json5:1:53: usage.kind is steady, but usage.interval is always 0s; calls would never let time pass"
    ),
    (
      "{ network: { offline: 'alternating(up=0s, down=0s)' } }",
      "f.json5:1:23: network.offline is alternating, but up and down are always 0s; time would never pass"
    ),
    (
      "{ strategies: 'nave' }",
      "f.json5:1:15: unknown strategy \"nave\"; use \(StrategyCatalog.all.map(\.name).alternatives). Did you mean \"naive\"?"
    ),
    (
      "{ strategies: { base: 'naive', mrge: 'none' } }",
      "f.json5:1:32: unknown key \"mrge\". Did you mean \"merge\"?"
    ),
    (
      "{ strategies: { schedule: 'tick(every=1s, threshold=5s)' } }",
      "f.json5:1:1: described refreshes on a schedule, but usage.horizon is none; its timers need an end, such as 1h"
    ),
    (
      "{ usage: { horizon: '1h' }, network: 'instant', server: { lifetime: '60s', processing: '0s' },"
        + " strategies: { schedule: 'oneShot(margin=60s)' } }",
      "f.json5:1:69: the schedule of described has a margin of 1min and no floor, but server.lifetime is 1min and messages take no time: it would refresh for ever at one instant"
    ),
    (
      "{ expect: ['refrshes = 5'] }",
      "f.json5:1:12: expect: \"refrshes = 5\" names the unknown metric \"refrshes\"; simrun show metrics lists them. Did you mean \"refreshes\"?"
    ),
    (
      "{ expect: ['refreshes per opning < 1'] }",
      "f.json5:1:12: expect: \"refreshes per opning < 1\" counts per \"opning\"; use run, opening, call, refresh, user, hour, day, or month"
    ),
    (
      "{ variants: {} }",
      "f.json5:1:13: variants is empty; give it names with worlds, or leave it out"
    ),
    ("{ runs: 0 }", "f.json5:1:9: runs: 0 is not a whole number from 1 to 1,000,000,000"),
    (
      "{ network: { offline: ['5min..4min'] } }",
      "f.json5:1:24: network.offline has \"5min..4min\", which ends before it begins"
    ),
  ])
  func `A mistake is told with its place`(text: String, message: String) throws {
    #expect(try messages(text) == [message])
  }

  @Test func `Three mistakes are three messages`() throws {
    let found = try messages(
      "{ usage: { callers: 0, sprad: 1 },\n variants: { a: { server: { leeway: 1 } } } }")
    #expect(found.count == 3)
    #expect(found.map { $0.prefix(12) } == ["f.json5:1:21", "f.json5:1:24", "f.json5:2:37"])
  }

  @Test func `The resolved scenario reads back as itself`() throws {
    let changed = Scenario.with {
      $0.usage.kind = .timeline
      $0.usage.timeline = [
        .init(
          .call(.init(traits: CallTraits(needsToken: false, key: 3), isAlwaysRejected: true)),
          at: .zero, times: 3, every: .seconds(2)),
        .init(.cancel(2), at: .milliseconds(30)),
        .init(.clock(.seconds(-86_400)), at: .seconds(60)),
        .init(.offline, at: .seconds(70)), .init(.signIn(), at: .seconds(80)),
      ]
      var pin = Usage.Pin(.call(2, attempt: 2))
      pin.answer = .serverError
      pin.connecting = .milliseconds(5)
      $0.usage.pins = [pin]
      $0.network.offline = .alternating(
        up: .exponential(mean: .seconds(60)), down: .constant(.seconds(5)))
      $0.clock.steps = [.init(by: .seconds(5), at: .seconds(9))]
      $0.server.rateLimit = .tokenBucket(capacity: 30, refillPerSecond: 0.5)
    }
    for scenario in [Scenario(), changed] {
      let text = FieldText.commented(scenario, fields: ScenarioField.all)
      #expect(try experiment(text).variants[0].scenario == scenario)
    }
  }

  /// A client in a file that equals a preset decision by decision lives through the same facts.
  @Test(arguments: StrategyCatalog.all.map(\.name))
  func `A strategy reads back as itself`(name: String) async throws {
    let strategy = try #require(StrategyCatalog.all.first { $0.name == name })
    let text =
      "{ strategies: " + FieldText.commented(strategy.decisions, fields: DecisionField.all) + "}"
    let read = try experiment(text).variants[0].strategies[0]
    #expect(read.decisions == strategy.decisions)
    let scenario = Scenario.with {
      $0.server.lifetime = .fixed(.seconds(10))
      $0.lifecycle.leaves = .after(.exponential(mean: .seconds(3)))
    }
    let trial = Trial(
      cells: [(strategy, scenario), (read, scenario)], runs: 200, seed: 3)
    let totals = try await trial.carryOut(threads: 2).totals
    #expect(totals[0].fingerprint == totals[1].fingerprint)
  }
}
