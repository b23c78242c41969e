import SimCore
import Strategies

/// `simrun sweep`: one field or two over their values, on the same worlds.
struct SweepCommand: Plan {
  let sweep: Sweep
  private let figure: String?

  var trials: [Trial] { sweep.trials }
  var warnings: [String] { sweep.warnings }

  /// What the options ask for.
  ///
  /// - Throws: all ``Problems`` of the options together.
  init(_ arguments: CommandLineArguments) throws {
    var problems = Problems()
    figure = arguments[.svg]
    if figure != nil, arguments.contains(.shard) {
      problems.list.append(
        Problem("--svg is drawn from all runs; give it to simrun merge, not to a part"))
    }
    _ = try problems.collect { try StrategyOption.check(arguments) }
    let worlds = try problems.collect { try ScenarioRequest(arguments).worlds() } ?? []
    let axes = try problems.collect { try Self.axes(arguments, worlds) } ?? []
    let target = try problems.collect { try Self.target(arguments, worlds) } ?? nil
    let seed = try problems.collect { try NumberOption.seed(arguments, worlds) } ?? 0
    _ = try problems.collect { try Self.checkSettings(arguments, axes) }
    // What is asked twice or not at all has no points to be checked.
    try problems.throwIfAny()
    let contenders = try Self.contenders(arguments, worlds, axes)
    let scenarios = contenders.flatMap { $0.points.map(\.scenario) }
    let runs =
      arguments.contains(.runs) || worlds.contains { $0.file.runs != nil }
      ? try NumberOption.runs(arguments, worlds) : Sweep.usualRuns(scenarios, target)
    let shape = scenarios.first?.shape ?? .opening
    let subject = target.map { Quantity($0) } ?? Quantity.usual(shape)[0]
    let precise = try NumberOption.precision(arguments, worlds) { subject.rates($0) }
    if precise != nil, !subject.isRate {
      throw Problem("--precision: \(subject.name) comes without an interval that could narrow")
    }
    sweep = try Sweep(
      axes: axes, contenders: contenders, runs: precise?.mostRuns ?? runs, seed: seed,
      target: target, precision: precise?.precision)
  }

  private static func axes(
    _ arguments: CommandLineArguments, _ worlds: [ScenarioRequest.World]
  ) throws -> [Axis] {
    var problems = Problems()
    let asked = arguments.values.filter { $0.option == .over }.map(\.value)
    let axes = try asked.compactMap { text in
      try problems.collect { try naming(.over, text) { try Axis(text) } }
    }
    try problems.throwIfAny()
    if axes.count > 2 { throw Problem("--over is given \(axes.count) times; a grid has two axes") }
    guard axes.isEmpty, let first = worlds.first else { return axes }
    if first.file.axes.isEmpty {
      throw Problem("--over is missing: what to go through, as in --over margin=0s...60s:2s")
    }
    if worlds.contains(where: { $0.file.axes != first.file.axes }) {
      throw Problem("the variants of the file have different axes; choose one by --variant")
    }
    return first.file.axes
  }

  private static func target(
    _ arguments: CommandLineArguments, _ worlds: [ScenarioRequest.World]
  ) throws -> Expectation? {
    if let text = arguments[.target] {
      return try naming(.target, text) { try Expectation(text) }
    }
    guard let first = worlds.first else { return nil }
    if worlds.contains(where: { $0.file.target != first.file.target }) {
      throw Problem("the variants of the file have different targets; choose one by --variant")
    }
    return first.file.target
  }

  /// Puts the option and what was given before what is wrong with it.
  private static func naming<Value>(
    _ option: Option, _ text: String, _ make: () throws -> Value
  ) throws -> Value {
    do {
      return try make()
    } catch let problem as FieldProblem {
      let clause = problem.clause
      throw Problem("\(option.flag): \"\(text)\"\(clause.hasPrefix(":") ? "" : " ")\(clause)")
    }
  }

  /// A field that an axis goes through cannot be given another value beside.
  private static func checkSettings(_ arguments: CommandLineArguments, _ axes: [Axis]) throws {
    var problems = Problems()
    for axis in axes {
      for (option, value) in arguments.values {
        if case .preset(let kind) = axis.subject, option.rawValue == kind.rawValue {
          problems.list.append(
            Problem("\(option.flag) is given, but --over \(axis.name) goes through its presets"))
        }
        guard let path = option.field ?? option.path(value), axis.sets(path) else { continue }
        let source = option == .set ? "--set \(path)" : option.flag
        problems.list.append(
          Problem("\(path) is set by \(source), but --over \(axis.name) goes through its values"))
      }
    }
    try problems.throwIfAny()
  }

  private static func contenders(
    _ arguments: CommandLineArguments, _ worlds: [ScenarioRequest.World], _ axes: [Axis]
  ) throws -> [Sweep.Contender] {
    let points = try worlds.map { world in
      try SweepPoint.points(axes, from: world.scenario, given: world.given)
    }
    let cells = try worlds.map { try StrategyOption.cells(arguments, [$0]) }
    return zip(cells, points).flatMap { cells, points in
      cells.map { cell in
        Sweep.Contender(
          strategy: cell.strategy, typed: cell.typed, variant: cell.world.variant,
          server: cell.world.server, base: cell.world.scenario, points: points)
      }
    }
  }

  func answer(
    _ outcomes: [Replications.Outcome], _ format: OutputFormat, _ palette: Palette
  ) throws -> Simrun.Answer {
    let report = try SweepReport(sweep, outcomes)
    var answer = Simrun.Answer(
      text: report.text(format, palette), exitCode: report.exitCode)
    if let figure { answer.attachments = [(figure, SweepFigure(report).text)] }
    return answer
  }
}

extension Option {
  /// The path that a value of `--set` begins with.
  fileprivate func path(_ value: String) -> String? {
    guard self == .set, let equals = value.firstIndex(of: "=") else { return nil }
    return String(value[..<equals])
  }
}

extension Axis {
  /// Whether it gives a field, a member of it, or the field that it is a member of a value.
  fileprivate func sets(_ path: String) -> Bool {
    if overwrites(path) { return true }
    guard let own = self.path else { return false }
    return own == path || own.hasPrefix(path + ".") || path.hasPrefix(own + ".")
  }
}
