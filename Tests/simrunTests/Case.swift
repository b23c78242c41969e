import SimCore
import Strategies
import Testing

@testable import simrun

/// The cases among the experiments, to be lived through with other numbers than their cards have.
enum Case {
  typealias Variant = Experiment.Variant

  /// Read once; a file with a mistake is missing here, and told of by the tests of experiments.
  private static let files = ExperimentTests.files("cases").compactMap { try? Experiment(file: $0) }

  static func variant(_ card: String, _ name: String) throws -> Variant {
    let experiment = try #require(files.first { $0.file.hasSuffix("/\(card).json5") })
    return try #require(experiment.variants.first { $0.name == name })
  }

  /// A variant, changed, with its first strategy.
  static func simulation(
    _ card: String, _ name: String, _ change: (inout Variant) -> Void = { _ in }
  ) throws -> Simulation {
    var variant = try variant(card, name)
    change(&variant)
    let strategy = try #require(variant.strategies.first)
    let scenario = variant.scenario
    return Simulation(scenario, seed: variant.seed) {
      strategy.client(in: scenario, process: $0)
    }
  }

  /// The counts of the first run of a variant, changed.
  static func tally(
    _ card: String, _ name: String, _ change: (inout Variant) -> Void = { _ in }
  ) throws -> RunTally {
    var simulation = try simulation(card, name, change)
    try simulation.run(0)
    let violation = simulation.violation
    #expect(violation == nil)
    return simulation.tally
  }
}

/// Expects these counts.
func expect(
  _ tally: RunTally, _ expected: [Metric: Int], sourceLocation: SourceLocation = #_sourceLocation
) {
  for (metric, count) in expected.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
    #expect(tally[metric] == count, "\(metric)", sourceLocation: sourceLocation)
  }
}
