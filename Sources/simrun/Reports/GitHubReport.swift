/// The verdicts of a check as a step of a GitHub workflow shows them.
enum GitHubReport {
  /// A line per expectation that does not hold, which GitHub puts beside its place in the file.
  static func annotations(_ report: CheckReport) -> String {
    let expectations = report.results.flatMap { result in
      result.verdicts.filter { $0.verdict.kind != .pass }.map { expectation, verdict in
        annotation(
          verdict.kind == .fail ? "error" : "warning", file: result.file,
          expectation.position, title: "\(result.name): \(verdict.kind.word)",
          "\(expectation.text); found \(verdict.found)")
      }
    }
    let results = (report.comparison?.failures ?? []).map {
      annotation("error", file: $0.file, .start, title: "committed result", $0.message)
    }
    return (expectations + results).map { $0 + "\n" }.joined()
  }

  private static func annotation(
    _ level: String, file: String, _ position: TextPosition, title: String, _ message: String
  ) -> String {
    "::\(level) file=\(property(file)),line=\(position.line),col=\(position.column),"
      + "title=\(property(title))::\(data(message))"
  }

  /// A message as a workflow command takes it.
  private static func data(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// A property of a workflow command, which a colon or a comma would end.
  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }

  /// The summary of the step, in Markdown: what does not hold, and how much does.
  static func summary(_ report: CheckReport) -> String {
    let rows = report.results.flatMap { result in
      result.verdicts.filter { $0.verdict.kind != .pass }.map { expectation, verdict in
        [
          "\(result.file):\(expectation.position.line)", result.name, expectation.text,
          verdict.kind.word, verdict.found,
        ]
      }
    }
    var blocks = ["### simrun check", report.summary + "."]
    if !rows.isEmpty {
      blocks.append(
        ReportTable(header: ["place", "client", "expects", "verdict", "found"], rows: rows).markdown
      )
    }
    if let comparison = report.comparison {
      blocks += (comparison.failures.map { "- **\($0.file)**: \($0.message)" } + comparison.notes)
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }
}
