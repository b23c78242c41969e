/// The help texts.
enum Help {
  /// What the program is for and what it can be asked.
  static var overview: String {
    let commands = CommandName.allCases.map {
      "  \($0.rawValue.padded(to: 12))\($0.summary)"
    }
    return """
      How often does an app's auth layer sign out its own user, and why?

      simrun replays a client that refreshes OAuth tokens thousands of times in a simulated world
      and compares what it meets with the prediction (d + s)/T.

      \(commands.joined(separator: "\n"))

      simrun COMMAND --help tells more. "run" may be left out:

        simrun --strategy naive --callers 5 --runs 10000

      """
  }

  /// What a command answers, its options, and an example.
  static func text(_ command: CommandName) -> String {
    let options = Option.allCases.filter { $0.belongs(to: command) }
    let lines = options.map { option in
      let flag = [option.flag, option.placeholder].compactMap(\.self).joined(separator: " ")
      return flag.count < 27
        ? "  \(flag.padded(to: 28))\(option.help)"
        : "  \(flag)\n  \(String(repeating: " ", count: 28))\(option.help)"
    }
    return """
      \(command.summary)

        \(command.synopsis)

      \(lines.joined(separator: "\n"))

      Example:

        \(command.example)

      """
  }
}

extension String {
  /// The text with spaces up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }

  /// The text with spaces before it up to a width.
  func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - count)) + self
  }
}
