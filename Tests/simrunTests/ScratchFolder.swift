import Foundation

@testable import simrun

/// A folder of its own for a test, with experiments to check in it; removed at the end.
final class ScratchFolder {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory.appendingPathComponent("simrun-\(UUID().uuidString)")
      .path
    try FileManager.default.createDirectory(
      atPath: "\(path)/experiments", withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file and gives its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let file = "\(path)/\(name)"
    try Output.makeFolder(of: file)
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }

  /// The text of a file.
  func text(_ name: String) throws -> String {
    try String(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"), encoding: .utf8)
  }

  /// Carries out a command line with everything that it writes.
  func run(_ words: [String], _ environment: [String: String] = [:]) async throws -> Simrun.Answer {
    let answer = try await Simrun.answer(words, Environment(environment))
    for (file, text) in answer.attachments {
      try Output.makeFolder(of: file)
      try Output.write(text, to: file)
    }
    for (file, text) in answer.appendices { try Output.append(text, to: file) }
    return answer
  }
}
