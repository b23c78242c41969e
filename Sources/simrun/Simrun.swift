import Foundation

/// The program: sorts the words of the command line, carries out the command, and ends with its exit code.
@main
struct Simrun {
  static func main() async {
    Interruption.listen()
    let words = Array(CommandLine.arguments.dropFirst())
    exit(await run(words, .ofProcess).rawValue)
  }

  /// What a command line gives.
  struct Answer {
    var text: String
    var exitCode = ExitCode.success
    /// The file that it goes to; standard output if there is none.
    var file: String?
    /// What else is written, such as a figure, by its file.
    var attachments: [(file: String, text: String)] = []
    /// What is put behind what a file holds already, by the file.
    var appendices: [(file: String, text: String)] = []
  }

  /// Carries out a command line and writes its answer; messages go to standard error.
  static func run(_ words: [String], _ environment: Environment) async -> ExitCode {
    do {
      let answer = try await answer(words, environment)
      for (file, text) in answer.attachments {
        try Output.makeFolder(of: file)
        try Output.write(text, to: file)
      }
      for (file, text) in answer.appendices { try Output.append(text, to: file) }
      try Output.write(answer.text, to: answer.file)
      return answer.exitCode
    } catch let problems as Problems {
      for problem in problems.list { Output.say(problem.message) }
      return problems.list.first?.exitCode ?? .usage
    } catch let problem as Problem {
      Output.say(problem.message)
      return problem.exitCode
    } catch {
      Output.say("internal error: \(error)")
      return .internalError
    }
  }

  /// Carries out a command line.
  ///
  /// - Parameters:
  ///   - words: the words that follow the program's name.
  ///   - environment: the variables that it heeds.
  /// - Returns: the answer.
  /// - Throws: a ``Problem``, or all ``Problems`` of the command line together.
  static func answer(
    _ words: [String], _ environment: Environment = .ofProcess
  ) async throws -> Answer {
    let arguments = CommandLineArguments(words)
    if arguments.commandIsUnknown { throw arguments.problems }
    if words.isEmpty || (arguments.contains(.help) && !arguments.namesCommand) {
      return Answer(text: Help.overview)
    }
    if arguments.contains(.help) { return Answer(text: Help.text(arguments.command)) }
    if arguments.contains(.version) { return Answer(text: "simrun \(Version.number)\n") }
    var problems = arguments.problems
    let format = try problems.collect { try choice(.format, arguments) ?? OutputFormat.text }
    let color = try problems.collect { try choice(.color, arguments) ?? ColorMode.auto }
    // The command's own complaints join those about the words.
    let prepared = try problems.collect { try prepare(arguments, environment) }
    for option in [Option.output, .svg, .junit] {
      _ = try problems.collect { try Output.check(arguments[option], option) }
    }
    try problems.throwIfAny()
    guard let prepared, let format, let color else { throw problems }
    let palette = Palette(isColoured: color.isOn(writingTo: arguments[.output], environment))
    var answer = try await prepared(format, palette)
    answer.file = arguments[.output]
    return answer
  }

  private typealias Prepared = (OutputFormat, Palette) async throws -> Answer

  /// The question of a command line to many runs.
  ///
  /// - Throws: all ``Problems`` of its options together.
  static func plan(_ arguments: CommandLineArguments) throws -> any Plan {
    switch arguments.command {
    case .sweep: try SweepCommand(arguments)
    default: try RunCommand(arguments)
    }
  }

  private static func prepare(
    _ arguments: CommandLineArguments, _ environment: Environment
  ) throws -> Prepared {
    switch arguments.command {
    case .run where arguments.contains(.rare):
      let command = try RareCommand(arguments)
      return { try await command.answer($0, $1) }
    case .run, .sweep: return try carryOut(arguments)
    case .merge:
      let command = try MergeCommand(arguments)
      return { _, palette in try command.answer(palette) }
    case .check:
      let command = try CheckCommand(arguments)
      return { _, palette in try await command.answer(palette, environment) }
    case .trace:
      let command = try TraceCommand(arguments)
      return { _, _ in Answer(text: try command.text()) }
    case .show: return { _, _ in Answer(text: try ShowCommand(arguments).text()) }
    case .bench: return { _, _ in Answer(text: try await BenchCommand().text()) }
    case .completions:
      return { _, _ in Answer(text: try CompletionsCommand.text(arguments.names)) }
    }
  }

  /// Carries out a question to many runs, or this machine's part of it.
  private static func carryOut(_ arguments: CommandLineArguments) throws -> Prepared {
    var problems = Problems()
    let threads = try problems.collect { try NumberOption.threads(arguments) } ?? 1
    let shard = try problems.collect { try arguments[.shard].map { try Shard(text: $0) } } ?? nil
    let plan = try problems.collect { try Self.plan(arguments) }
    try problems.throwIfAny()
    guard let plan else { throw problems }
    return { format, palette in
      for warning in plan.warnings { Output.say("warning: \(warning)") }
      guard let shard else {
        let outcomes = try await plan.carryOut(threads: threads)
        if Interruption.wasRequested {
          Output.say("interrupted: the answer is of the runs done so far")
        }
        return try plan.answer(outcomes, format, palette)
      }
      let outcomes = try await plan.carryOut(threads: threads, shard)
      if Interruption.wasRequested {
        throw Problem(
          "interrupted: part \(shard.number) is not complete and not written", .interrupted)
      }
      return Answer(text: try ShardFile(arguments, plan, shard, outcomes).text())
    }
  }

  private static func choice<Choice: RawRepresentable<String>>(
    _ option: Option, _ arguments: CommandLineArguments
  ) throws -> Choice? {
    guard let text = arguments[option] else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw Problem(
        "\(option.flag): unknown value \"\(text)\"; use \(option.choices.alternatives)."
          + text.suggestion(from: option.choices))
    }
    return choice
  }
}

extension ColorMode {
  /// Whether text that goes to a file, or to standard output if there is none, has colour.
  fileprivate func isOn(writingTo file: String?, _ environment: Environment) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      return file == nil && isatty(STDOUT_FILENO) == 1 && environment.allowsColor
    }
  }
}
