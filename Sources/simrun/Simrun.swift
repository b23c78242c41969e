import Foundation

/// The program: sorts the words of the command line, carries out the command, and ends with its exit code.
@main
struct Simrun {
  static func main() async {
    Interruption.listen()
    let words = Array(CommandLine.arguments.dropFirst())
    exit(await run(words).rawValue)
  }

  /// What a command line gives.
  struct Answer {
    let text: String
    var exitCode = ExitCode.success
    /// The file that it goes to; standard output if there is none.
    var file: String?
  }

  /// Carries out a command line and writes its answer; messages go to standard error.
  static func run(_ words: [String]) async -> ExitCode {
    do {
      let answer = try await answer(words)
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
  /// - Throws: a ``Problem``, or all ``Problems`` of the command line together.
  static func answer(_ words: [String]) async throws -> Answer {
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
    let prepared = try problems.collect { try prepare(arguments) }
    _ = try problems.collect { try Output.check(arguments[.output]) }
    try problems.throwIfAny()
    guard let prepared, let format, let color else { throw problems }
    let (text, code) = try await prepared(format, color)
    return Answer(text: text, exitCode: code, file: arguments[.output])
  }

  private typealias Prepared = (OutputFormat, ColorMode) async throws -> (String, ExitCode)

  private static func prepare(_ arguments: CommandLineArguments) throws -> Prepared {
    switch arguments.command {
    case .run:
      let command = try RunCommand(arguments)
      return { format, color in
        let report = try await command.report()
        let palette = Palette(isColoured: color.isOn(writingTo: arguments[.output]))
        return (report.text(format, palette), report.isPartial ? .interrupted : .success)
      }
    case .check:
      let command = try CheckCommand(arguments)
      return { _, color in
        let report = try await command.report()
        let palette = Palette(isColoured: color.isOn(writingTo: arguments[.output]))
        return (report.text(palette), Interruption.wasRequested ? .interrupted : report.exitCode)
      }
    case .trace:
      let command = try TraceCommand(arguments)
      return { _, _ in (try command.text(), .success) }
    case .show:
      return { _, _ in (try ShowCommand(arguments).text(), .success) }
    case .bench:
      return { _, _ in (try await BenchCommand().text(), .success) }
    case .completions:
      return { _, _ in (try CompletionsCommand.text(arguments.names), .success) }
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
  fileprivate func isOn(writingTo file: String?) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      return file == nil && isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
        && (environment["NO_COLOR"] ?? "").isEmpty
    }
  }
}

extension RunReport {
  /// Whether it is about users, whose sign-outs have causes to be told.
  private var hasSessions: Bool { results.contains { $0.scenario.shape == .sessions } }

  fileprivate func text(_ format: OutputFormat, _ palette: Palette) -> String {
    switch format {
    case .text: TextReport(self, palette).text
    case .json: JSONReport.text(self)
    case .csv: CSVReport.text(self)
    case .markdown:
      ReportTable(self).markdown
        + (hasSessions ? ReportTable.causes(self).map { "\n" + $0.markdown } ?? "" : "")
    }
  }
}
