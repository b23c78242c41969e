import SimCore
import Strategies
import Testing

/// The strategies that are there to be asked for.
struct CatalogTests {
  @Test func `Every name stands for one strategy`() {
    let all = StrategyCatalog.all + StrategyCatalog.brokenRules.map(\.strategy)
    #expect(Set(all.map(\.name)).count == all.count)
    for strategy in all { #expect(StrategyCatalog.strategy(named: strategy.name) == strategy) }
    #expect(StrategyCatalog.strategy(named: "none") == nil)
  }

  @Test func `Every broken rule is one that the best strategy keeps`() {
    for (rule, strategy) in StrategyCatalog.brokenRules {
      #expect(strategy.name == "best-without-\(rule)")
      #expect(strategy.decisions != StrategyCatalog.best.decisions)
      #expect(StrategyCatalog.strategy(named: strategy.name) != nil)
    }
    let decisions = StrategyCatalog.brokenRules.map(\.strategy.decisions)
    for index in decisions.indices {
      #expect(!decisions[..<index].contains(decisions[index]))
    }
  }

  @Test func `A process may decide otherwise than the others`() {
    var strategy = StrategyCatalog.best
    var widget = strategy.decisions
    widget.refreshes = .never
    widget.lock = nil
    strategy.processes[2] = widget
    let scenario = Scenario()
    #expect(strategy.client(in: scenario).profile.lock != nil)
    #expect(strategy.client(in: scenario, process: 2).profile.lock == nil)
    #expect(strategy.client(in: scenario, process: 3).profile.lock != nil)
    let patient = strategy.named("patient", margin: .seconds(60))
    #expect(patient.client(in: scenario, process: 2).profile.check == .margin(.seconds(60)))
    #expect(patient.client(in: scenario, process: 2).profile.lock == nil)
  }

  @Test func `Whoever shared an answer is forgotten with the process`() {
    let equal = CallTraits(key: 1)
    var decisions = Decisions()
    decisions.deduplicates = true
    let strategy = Strategy(name: "sharing", summary: "", decisions: decisions)
    var client = strategy.client(in: Scenario())
    client.reset(ClientBench.chance)
    func tell(_ event: ClientEvent) -> [String] {
      var effects = ClientEffects()
      client.handle(event, now: ClientBench.time(0), effects: &effects)
      return effects.elements.map(ClientBench.words)
    }
    _ = tell(.signedIn(ClientBench.pair(1, end: 300), afterNanoseconds: 0))
    #expect(tell(.callStarted(call(1), equal)) == ["send 1 A1"])
    #expect(tell(.launched) == ["read 0"])
    #expect(tell(.storeRead(StoreReadID(name: 0), ClientBench.found(1, end: 300))) == [])
    #expect(tell(.callStarted(call(2), equal)) == ["send 2 A1"])
  }
}
