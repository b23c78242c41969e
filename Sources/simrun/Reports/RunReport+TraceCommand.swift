import SimCore
import Strategies

extension RunReport {
  /// The command that shows the first bad run of a result, ready to be pasted.
  ///
  /// - Parameter result: one of the results.
  /// - Returns: the command; nil if no run went wrong.
  func traceCommand(_ result: Result) -> String? {
    guard let run = result.totals.firstBadRun else { return nil }
    var words = ["simrun", "trace"]
    if let typed = result.typed { words += ["--strategy", typed] }
    if let variant = result.variant { words += ["--variant", variant] }
    if hasSeveralServers { words += ["--server", result.server] }
    for (option, value) in worldOptions where option != .margin || result.strategy.takesMargin {
      words += [option.flag, value]
    }
    words += ["--run", String(run)]
    return words.map(\.shellQuoted).joined(separator: " ")
  }

  /// The commands for several results, each once: that of a file's strategies shows all of them.
  ///
  /// - Parameter results: some of the results, in the order of the commands.
  /// - Returns: the commands.
  func traceCommands(_ results: [Result]) -> [String] {
    results.compactMap(traceCommand).reduce(into: []) { commands, command in
      if !commands.contains(command) { commands.append(command) }
    }
  }
}

extension String {
  /// The word as a shell takes it.
  var shellQuoted: String {
    let plain = allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_=.,:+/@%".contains($0))
    }
    return plain && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
  }
}
