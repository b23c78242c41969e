/// The words of a command line, sorted into a command, options, and names.
struct CommandLineArguments {
  private(set) var command = CommandName.run
  /// Whether a command was named, rather than left out.
  private(set) var namesCommand = false
  /// Words that belong to no option.
  private(set) var names: [String] = []
  private(set) var values: [(option: Option, value: String)] = []
  /// What is wrong with the words themselves.
  private(set) var problems = Problems()
  /// Whether the first word is no command, so that nothing else can be judged.
  private(set) var commandIsUnknown = false

  /// Sorts the words that follow the program's name.
  init(_ words: [String]) {
    var rest = words[...]
    // The word is understood as the option of the command that follows.
    if rest.first == "help" { rest = rest.dropFirst().prefix(1) + ["--help"] }
    if let first = rest.first, !first.hasPrefix("-") {
      if let command = CommandName(rawValue: first) {
        self.command = command
        namesCommand = true
        rest = rest.dropFirst()
      } else {
        commandIsUnknown = true
        let commands = CommandName.allCases.map(\.rawValue)
        problems.list.append(
          Problem(
            "unknown command \"\(first)\"; use \(commands.alternatives)."
              + first.suggestion(from: commands)))
        rest = rest.dropFirst()
      }
    }
    while let word = rest.popFirst() { take(word, &rest) }
    if !command.takesNames {
      problems.list += names.map {
        Problem("\"\($0)\" belongs to no option; simrun \(command.rawValue) takes no names")
      }
    }
  }

  /// The value of an option that is given at most once.
  subscript(option: Option) -> String? {
    values.first { $0.option == option }?.value
  }

  func contains(_ option: Option) -> Bool {
    values.contains { $0.option == option }
  }

  private mutating func take(_ word: String, _ rest: inout ArraySlice<String>) {
    let alias = ["-h": "--help", "-V": "--version"][word] ?? word
    guard alias.hasPrefix("-"), alias.count > 1 else {
      names.append(word)
      return
    }
    let parts = alias.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let flag = String(parts[0])
    guard let option = option(flag) else {
      // What follows an option that is not known may well be its value.
      if parts.count == 1, let next = rest.first, !next.hasPrefix("-") { rest.removeFirst() }
      return
    }
    let isRepeated = !option.repeats && contains(option)
    if isRepeated { problems.list.append(Problem("\(flag) is given twice")) }
    guard let placeholder = option.placeholder else {
      if parts.count == 2 { problems.list.append(Problem("\(flag) takes no value")) }
      values.append((option, ""))
      return
    }
    if parts.count == 2 {
      if !isRepeated { values.append((option, String(parts[1]))) }
    } else if let next = rest.first, !next.hasPrefix("--") {
      rest.removeFirst()
      if !isRepeated { values.append((option, next)) }
    } else {
      problems.list.append(Problem("\(flag) needs a value: \(flag) \(placeholder)"))
    }
  }

  /// The option with this flag, if the command takes it.
  private mutating func option(_ flag: String) -> Option? {
    let all = Option.allCases.filter { $0.belongs(to: command) }
    if let option = all.first(where: { $0.flag == flag }) { return option }
    let takers = CommandName.allCases.filter { command in
      Option.allCases.contains { $0.flag == flag && $0.belongs(to: command) }
    }
    let reason =
      takers.isEmpty
      ? "unknown option \"\(flag)\"; simrun \(command.rawValue) --help lists the options."
        + flag.suggestion(from: all.map(\.flag))
      : "\(flag) is an option of simrun \(takers.map(\.rawValue).alternatives), "
        + "not of simrun \(command.rawValue)"
    problems.list.append(Problem(reason))
    return nil
  }
}
