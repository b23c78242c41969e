import Foundation
import Testing

@testable import simrun

/// The outputs in the README are the true ones.
struct ReadmeTests {
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("README.md")

  /// A block that begins with `$ simrun …` and goes on with what that prints.
  private struct Session {
    let command: String
    let output: String
  }

  private func sessions(_ readme: String) -> [Session] {
    readme.components(separatedBy: "```console\n").dropFirst().compactMap { block in
      let lines = block.components(separatedBy: "\n```")[0]
      let parts = lines.split(separator: "\n", maxSplits: 1).map(String.init)
      guard parts.count == 2, parts[0].hasPrefix("$ simrun ") else { return nil }
      return Session(command: String(parts[0].dropFirst(9)), output: parts[1])
    }
  }

  /// The words of a command, as a shell splits them at spaces outside single quotes.
  private func words(_ command: String) -> [String] {
    command.components(separatedBy: "'").enumerated().reduce(into: [""]) { words, part in
      guard part.offset % 2 == 0 else {
        words[words.count - 1] += part.element
        return
      }
      let pieces = part.element.components(separatedBy: " ")
      words[words.count - 1] += pieces[0]
      words += pieces.dropFirst()
    }.filter { !$0.isEmpty }
  }

  @Test func `Each session shows what the tool prints`() async throws {
    var readme = try String(contentsOf: Self.file, encoding: .utf8)
    let sessions = sessions(readme)
    #expect(sessions.count >= 5)
    let root = Self.file.deletingLastPathComponent().path
    for session in sessions {
      // Data files are named from the root of the repository.
      let command = words(session.command).map {
        $0.replacingOccurrences(of: "file=experiments", with: "file=\(root)/experiments")
      }
      let printed = try await Simrun.answer(command).text
        .replacingOccurrences(of: "\(root)/experiments", with: "experiments")
        .trimmingCharacters(in: .newlines)
      if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
        readme = readme.replacingOccurrences(of: session.output, with: printed)
        Issue.record("recorded the README; read it before you commit it")
      } else {
        #expect(printed == session.output, "\(session.command)")
      }
    }
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try Data(readme.utf8).write(to: Self.file)
    }
  }

  @Test func `The files in it can be read`() throws {
    let readme = try String(contentsOf: Self.file, encoding: .utf8)
    let files = readme.components(separatedBy: "```json5\n{").dropFirst().map {
      "{" + $0.components(separatedBy: "\n```")[0]
    }
    #expect(files.count == 3)
    for text in files {
      var reader = JSON5Reader(text)
      let node = try reader.read()
      if node["base"] == nil {
        _ = try Experiment(node, file: "README.md")
      } else {
        _ = try StrategyFile(FileDecoder(file: "README.md")).strategies(node)
      }
    }
  }

  @Test func `Two commands are for a fresh machine, and both are what is documented`() throws {
    let readme = try String(contentsOf: Self.file, encoding: .utf8)
    let commands = readme.components(separatedBy: "```sh\n").dropFirst().map {
      $0.components(separatedBy: "\n```")[0]
    }
    #expect(
      commands == [
        "swift run -c release simrun --strategy naive --callers 5 --runs 10000", "swift test",
      ])
  }
}
