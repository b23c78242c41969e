import SimCore
import Strategies

/// `simrun check`: experiments against what they expect, for people and for CI.
struct CheckCommand {
  private let experiments: [Experiment]
  private let threads: Int

  /// Reads all files, so that every mistake is told at once.
  ///
  /// - Throws: all ``Problems`` of the command line and the files together.
  init(_ arguments: CommandLineArguments) throws {
    var problems = Problems()
    threads = try problems.collect { try NumberOption.threads(arguments) } ?? 1
    if arguments.names.isEmpty {
      problems.list.append(
        Problem("check: name the files to check, as in simrun check experiments/cases/*.json5"))
    }
    experiments = try arguments.names.compactMap { file in
      try problems.collect {
        var experiment = try Experiment(file: file)
        if let name = arguments[.variant] { experiment = try experiment.only(name) }
        for variant in experiment.variants { try Self.checkHasWork(variant, file) }
        return experiment
      }
    }
    try problems.throwIfAny()
  }

  private static func checkHasWork(_ variant: Experiment.Variant, _ file: String) throws {
    let name = variant.name.map { ", variant \($0)" } ?? ""
    if variant.strategies.isEmpty {
      throw Problem("\(file)\(name): strategies is missing; whom does it check?", .badData)
    }
    if variant.expectations.isEmpty {
      throw Problem("\(file)\(name): expect is missing; what does it check?", .badData)
    }
  }

  /// Carries the experiments out.
  ///
  /// - Throws: a ``Problem`` if a drawn time is out of range or the simulator breaks a rule of its model.
  func report() async throws -> CheckReport {
    var results: [CheckReport.Result] = []
    for experiment in experiments {
      for variant in experiment.variants {
        results += try await check(variant, of: experiment)
      }
    }
    return CheckReport(results: results)
  }

  private func check(
    _ variant: Experiment.Variant, of experiment: Experiment
  ) async throws -> [CheckReport.Result] {
    // Without a number one run where nothing is random, else as many as `run` takes.
    let kind = variant.scenario.usage.kind
    let runs = variant.runs ?? (kind == .timeline ? 1 : kind.usualRuns)
    let trial = Trial(
      cells: variant.strategies.map { ($0, variant.scenario) }, runs: runs, seed: variant.seed)
    let outcome = try await trial.carryOut(threads: threads)
    if runs == 1 { warnOfIdlePins(variant, outcome.totals, experiment.file) }
    return zip(variant.strategies, outcome.totals).map { strategy, totals in
      let judge = ExpectationJudge(
        scenario: variant.scenario, profile: strategy.client(in: variant.scenario).profile,
        totals: totals)
      return CheckReport.Result(
        file: experiment.file, variant: variant.name, strategy: strategy.name,
        verdicts: variant.expectations.map { ($0, judge.verdict($0)) })
    }
  }

  /// A pin for a request that no client sends is most likely a mistake.
  private func warnOfIdlePins(_ variant: Experiment.Variant, _ totals: [Totals], _ file: String) {
    let most = totals.map { $0[.refreshesSent] }.max() ?? 0
    for pin in variant.scenario.usage.pins where pin.connecting == nil {
      guard case .refresh(let number) = pin.subject, number > most else { continue }
      let name = variant.name.map { ", variant \($0)" } ?? ""
      Output.say("warning: \(file)\(name): the pin of refresh \(number) meets no request")
    }
  }
}
