import SimCore
import SimTestSupport
import Strategies
import Testing

@testable import simrun

/// Strategies in files whose decisions differ by process.
struct ProcessDecisionsTests {
  private func strategy(_ text: String) throws -> Strategy {
    var reader = JSON5Reader(
      "{ processes: 'main; main; device=2', usage: { horizon: '1h' }, strategies: \(text) }")
    let variants = try Experiment(reader.read(), file: "f.json5").variants
    return try #require(variants.first?.strategies.first)
  }

  private func messages(_ text: String) throws -> [String] {
    do {
      _ = try strategy(text)
      return []
    } catch let problems as Problems {
      return problems.list.map(\.message)
    }
  }

  @Test func `A process has a strategy by name, or changes that of the first`() throws {
    let strategy = try strategy(
      """
      { name: "ours", base: "single-flight", timeout: "5s",
        processes: { "2": "naive", "3": { persist: "never" } } }
      """)
    let naive = try #require(StrategyCatalog.all.first { $0.name == "naive" })
    var third = strategy.decisions
    third.persist = .never
    #expect(strategy.processes == [2: naive.decisions, 3: third])
    #expect(third.timeout == .seconds(5))
  }

  @Test func `A process may name a base of its own`() throws {
    let strategy = try strategy(
      "{ base: 'naive', processes: { '2': { base: 'single-flight', timeout: '5s' } } }")
    var expected = StrategyCatalog.singleFlight.decisions
    expected.timeout = .seconds(5)
    #expect(strategy.processes == [2: expected])
  }

  @Test(arguments: [
    (
      "{ processes: { '1': 'naive' } }",
      "processes: \"1\" is not the number of a process from 2 to 32, in quotes"
    ),
    (
      "{ processes: { '2': { name: 'x' } } }",
      "processes: a process has no name of its own; it takes base and decisions"
    ),
    (
      "{ processes: { '2': { timeot: '5s' } } }",
      "unknown key \"timeot\". Did you mean \"timeout\"?"
    ),
    (
      "{ name: 'ours', processes: { '4': 'naive' } }",
      "ours has decisions for process 4, but processes has 3"
    ),
  ])
  func `What is wrong with a process is said`(text: String, message: String) throws {
    let found = try messages(text)
    #expect(found.count == 1)
    #expect(found.first?.hasSuffix(message) == true, "\(found)")
  }
}
