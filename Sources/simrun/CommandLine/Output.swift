import Foundation

/// Where results and messages go.
enum Output {
  /// Writes a result to a file, whole or not at all, or to standard output.
  ///
  /// - Throws: a ``Problem`` if it cannot be written.
  static func write(_ text: String, to path: String?) throws {
    guard let path else { return try writeStandardOutput(text) }
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    do {
      // A device or a pipe cannot be replaced; a file is, once the new one is complete.
      let isReplaceable = type == nil || type == .typeRegular
      try Data(text.utf8).write(
        to: URL(fileURLWithPath: path), options: isReplaceable ? .atomic : [])
    } catch {
      throw Problem("--output: \(path) cannot be written: \(reason(error))", .cannotWrite)
    }
  }

  /// Writes a message for the person at the terminal.
  static func say(_ message: String) {
    try? FileHandle.standardError.write(contentsOf: Data("simrun: \(message)\n".utf8))
  }

  private static func writeStandardOutput(_ text: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      throw Problem("standard output cannot be written: \(reason(error))", .cannotWrite)
    }
  }

  private static func reason(_ error: any Error) -> String {
    let error = error as NSError
    let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    return underlying.localizedDescription
      .replacing("The operation could not be completed. ", with: "")
  }
}
