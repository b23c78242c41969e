import SimCore
import Strategies

/// `simrun check`: experiments against what they expect and what was committed, for people and for CI.
struct CheckCommand {
  private let experiments: [Experiment]
  private let threads: Int
  private let junit: String?
  private let results: ResultsFolder?
  private let updates: Bool

  /// Reads all files, so that every mistake is told at once.
  ///
  /// - Throws: all ``Problems`` of the command line and the files together.
  init(_ arguments: CommandLineArguments) throws {
    var problems = Problems()
    threads = try problems.collect { try NumberOption.threads(arguments) } ?? 1
    junit = arguments[.junit]
    updates = arguments.contains(.update)
    results =
      try problems.collect { try ResultsFolder(arguments) } ?? nil
    let files = try problems.collect { try ExperimentFiles.named(arguments.names) } ?? []
    experiments = try files.compactMap { file in
      try problems.collect {
        var experiment = try Experiment(file: file)
        if let name = arguments[.variant] { experiment = try experiment.only(name) }
        for variant in experiment.variants { try Self.checkHasWork(variant, experiment) }
        return experiment
      }
    }
    if let results { _ = try problems.collect { try results.check(experiments) } }
    try problems.throwIfAny()
  }

  private static func checkHasWork(_ variant: Experiment.Variant, _ experiment: Experiment) throws {
    let place = experiment.file + (variant.name.map { ", variant \($0)" } ?? "")
    if variant.strategies.isEmpty {
      throw Problem("\(place): strategies is missing; whom does it check?", .badData)
    }
    if variant.expectations.isEmpty, experiment.question == nil {
      throw Problem("\(place): expect is missing; what does it check?", .badData)
    }
    if !variant.axes.isEmpty { _ = try Sweep(variant) }
  }

  /// The answer: the report, and what else is written of it.
  ///
  /// - Parameters:
  ///   - palette: the colours of text.
  ///   - environment: that of the process, which tells where it runs.
  /// - Returns: the answer with its exit code.
  /// - Throws: a ``Problem`` if the experiments cannot be carried out, or a committed result cannot be read.
  func answer(_ palette: Palette, _ environment: Environment) async throws -> Simrun.Answer {
    let (report, files) = try await outcome()
    if Interruption.wasRequested {
      throw Problem("interrupted: what was done so far says nothing about the rest", .interrupted)
    }
    var answer = Simrun.Answer(text: report.text(palette), exitCode: report.exitCode)
    answer.attachments = files
    if let junit { answer.attachments.append((junit, JUnitReport.text(report))) }
    guard environment.isGitHubActions else { return answer }
    answer.text += GitHubReport.annotations(report)
    if let file = environment.stepSummary {
      answer.appendices = [(file, GitHubReport.summary(report))]
    }
    return answer
  }

  /// What the experiments gave.
  ///
  /// - Throws: a ``Problem`` if they cannot be carried out, or a committed result cannot be read.
  func report() async throws -> CheckReport {
    try await outcome().report
  }

  /// The report, and the committed results that are to be written.
  private func outcome() async throws -> (report: CheckReport, files: [(String, String)]) {
    var checked: [CheckedExperiment] = []
    for experiment in experiments where !Interruption.wasRequested {
      checked.append(try await carryOut(experiment))
    }
    var report = CheckReport(results: checked.flatMap(\.results))
    guard let results, !Interruption.wasRequested else { return (report, []) }
    if updates {
      let files = try results.updates(checked)
      report.committed = .written(
        "\(results.folder): \(checked.count.grouped) result\(checked.count == 1 ? "" : "s"), "
          + "\(files.count.grouped) file\(files.count == 1 ? "" : "s") new or changed")
      return (report, files)
    }
    report.committed = .compared(try results.comparison(checked))
    return (report, [])
  }

  private func carryOut(_ experiment: Experiment) async throws -> CheckedExperiment {
    var worlds: [CheckedExperiment.World] = []
    var sweeps: [SweepReport] = []
    for variant in experiment.variants {
      var done: [CheckedExperiment.World] = []
      for world in try variant.worlds() {
        done.append(try await world.carriedOut(threads: threads))
      }
      for world in done where world.runs == 1 { warnOfIdlePins(world, experiment.file) }
      worlds += done
      if let sweep = try variant.sweep(done) { sweeps.append(sweep) }
    }
    return CheckedExperiment(experiment: experiment, worlds: worlds, sweeps: sweeps)
  }

  /// A pin for a request that no client sends is most likely a mistake.
  private func warnOfIdlePins(_ world: CheckedExperiment.World, _ file: String) {
    let most = world.results.map { $0.totals[.refreshesSent] }.max() ?? 0
    for pin in world.point.scenario.usage.pins where pin.connecting == nil {
      guard case .refresh(let number) = pin.subject, number > most else { continue }
      let name = world.variant.name.map { ", variant \($0)" } ?? ""
      Output.say("warning: \(file)\(name): the pin of refresh \(number) meets no request")
    }
  }
}
