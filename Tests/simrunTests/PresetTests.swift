import SimCore
import Strategies
import Testing

@testable import simrun

struct PresetTests {
  private func experiment(_ text: String) throws -> Scenario {
    var reader = JSON5Reader(text)
    return try #require(
      try Experiment(reader.read(), file: "f.json5").variants.first
    ).scenario
  }

  private func world(_ line: String) throws -> Scenario {
    let words = line.split(separator: " ").map(String.init)
    return try #require(try ScenarioRequest(CommandLineArguments(words)).worlds().first).scenario
  }

  /// What a preset makes of the default world can be written down, and contradicts nothing.
  @Test(arguments: Preset.all.map { "\($0.kind.rawValue)/\($0.name)" })
  func `A preset reads back as itself`(name: String) throws {
    let preset = try #require(Preset.all.first { "\($0.kind.rawValue)/\($0.name)" == name })
    var scenario = Scenario()
    preset.apply(&scenario)
    if name == "usage/timeline" { scenario.usage.timeline = [.init(.call(), at: .zero)] }
    let text = FieldText.commented(scenario, fields: ScenarioField.all)
    #expect(try experiment(text) == scenario)
  }

  @Test func `The names of a kind differ`() {
    for kind in Preset.Kind.allCases {
      let names = Preset.all(kind).map(\.name)
      #expect(Set(names).count == names.count)
    }
  }

  @Test func `Sessions alone are a complete scenario`() throws {
    let scenario = try world("--usage sessions")
    #expect(scenario.usage.kind == .sessions)
    #expect(scenario.usage.callers == 10)
    #expect(scenario.usage.spread == .milliseconds(300))
    #expect(scenario.usage.visit == .logNormal(.median(.seconds(90), sigma: 1.5)))
    #expect(scenario.usage.gap == .logNormal(.median(.seconds(39 * 60), sigma: 1.5)))
    #expect(scenario.usage.whileOpen == .exponential(mean: .seconds(8)))
    #expect(scenario.usage.night == .seconds(8 * 3600))
    #expect(scenario.usage.horizon == .seconds(30 * 86_400))
    #expect(scenario.lifecycle.killedAfter == .exponential(mean: .seconds(3 * 3600)))
    #expect(scenario.lifecycle.locks == 0.6)
  }

  /// A day has 16 waking hours, and a log-normal length of median m and sigma s has the mean m exp(s²/2).
  @Test(arguments: [
    ("feed-app", 8.0), ("bank-app", 1.5), ("messenger", 20), ("media-player", 1.5),
    ("background-sync", 2), ("glance", 42),
  ])
  func `People open an app as often as is known`(name: String, openings: Double) throws {
    let usage = try world("--usage \(name)").usage
    let cycle = DelayLaw(usage.visit).mean + DelayLaw(usage.gap).mean
    #expect(abs(16 * 3600 / cycle / openings - 1) < 0.06)
  }

  @Test func `A lifecycle that is asked for stands above that of the use, in any order`() throws {
    for line in ["--usage sessions --lifecycle stays", "--lifecycle stays --usage sessions"] {
      #expect(try world(line).lifecycle == LifecyclePolicy())
    }
    for text in [
      "{ usage: 'messenger', lifecycle: 'android' }",
      "{ lifecycle: 'android', usage: 'messenger' }",
    ] {
      let lifecycle = try experiment(text).lifecycle
      #expect(lifecycle.suspendAfter == .constant(.seconds(10)))
      #expect(lifecycle.wakes == .exponential(mean: .seconds(24 * 60)))
    }
    let lifecycle = try experiment("{ lifecycle: { locks: 0.1 }, usage: 'sessions' }").lifecycle
    #expect(lifecycle.locks == 0.1)
    #expect(lifecycle.killedAfter != nil)
  }

  @Test func `A lifecycle keeps when the person leaves`() throws {
    let lifecycle = try world("--lifecycle ios-legacy --leaves 3s").lifecycle
    #expect(lifecycle.leaves == .after(.constant(.seconds(3))))
    #expect(lifecycle.backgroundBudget == .seconds(180))
  }

  /// A log-normal part of median m and sigma s has the mean m exp(s²/2); floors and a share of spikes come on top.
  @Test(arguments: [("lte", 0.09825), ("3g", 0.35059), ("2g", 1.98177)])
  func `The legs of a network have the means that follow from their parts`(
    name: String, mean: Double
  ) throws {
    let network = try world("--network \(name)").network
    let sum = DelayLaw(network.uplink).mean + DelayLaw(network.downlink).mean
    #expect(abs(sum / mean - 1) < 0.001)
  }

  @Test func `Runs that nobody asks for are a thousand people, or twenty fleets`() throws {
    for (line, runs) in [
      ("--usage sessions", 1000), ("--usage fleet", 20), ("--callers 3", 10_000),
    ] {
      let arguments = CommandLineArguments(line.split(separator: " ").map(String.init))
      #expect(
        try NumberOption.runs(arguments, ScenarioRequest(arguments).worlds()) == runs)
    }
  }

  /// An extension that was signed out has emptied the store that the app finds as it is launched.
  @Test func `Who finds an empty store signs in at the opening`() throws {
    let scenario = try world("--usage messenger")
    let strategy = try #require(StrategyCatalog.strategy(named: "background-task"))
    var simulation = Simulation(scenario, seed: 1) { strategy.client(in: scenario, process: $0) }
    let facts = try simulation.trace(0).entries.filter { $0.process == 1 }.map(\.fact)
    var times = 0
    for (fact, next) in zip(facts, facts.dropFirst()) {
      guard case .storeRead(nil) = fact else { continue }
      times += 1
      guard case .familyBegan = next else {
        Issue.record("\(next) follows an empty store")
        continue
      }
    }
    #expect(times > 0)
  }
}
