import Foundation

/// Where results and messages go.
enum Output {
  /// Writes a result to a file, whole or not at all, or to standard output.
  ///
  /// - Throws: a ``Problem`` if it cannot be written.
  static func write(_ text: String, to path: String?) throws {
    guard let path else { return try writeStandardOutput(text) }
    let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    do {
      // A device or a pipe cannot be replaced; a file is, once the new one is complete.
      let isReplaceable = type(of: url) == nil || type(of: url) == .typeRegular
      try Data(text.utf8).write(to: url, options: isReplaceable ? .atomic : [])
    } catch {
      throw Problem("\(path) cannot be written: \(reason(error))", .cannotWrite)
    }
  }

  /// Puts a text behind what a file holds already.
  ///
  /// - Throws: a ``Problem`` if it cannot be written.
  static func append(_ text: String, to path: String) throws {
    let earlier = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
    try write(String(decoding: earlier, as: UTF8.self) + text, to: path)
  }

  /// Makes the folder that a file is to lie in.
  ///
  /// - Throws: a ``Problem`` if it cannot be made.
  static func makeFolder(of path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw Problem("\(path): its folder cannot be made: \(reason(error))", .cannotWrite)
    }
  }

  /// Complains about a file that cannot be written, before the work that it is for.
  ///
  /// - Throws: a ``Problem`` if its folder is missing or closed, or it is itself a folder.
  static func check(_ path: String?, _ option: Option) throws {
    guard let path else { return }
    if path.isEmpty { throw Problem("\(option.flag) needs the name of a file", .usage) }
    let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let folder = url.deletingLastPathComponent()
    if type(of: folder) != .typeDirectory {
      throw Problem("\(option.flag): \(path): there is no folder \(folder.path)", .cannotWrite)
    }
    if type(of: url) == .typeDirectory {
      throw Problem("\(option.flag): \(path) is a folder", .cannotWrite)
    }
    let target = type(of: url) == nil ? folder : url
    if !FileManager.default.isWritableFile(atPath: target.path) {
      throw Problem("\(option.flag): \(path) cannot be written: no permission", .cannotWrite)
    }
  }

  private static func type(of url: URL) -> FileAttributeType? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    return attributes?[.type] as? FileAttributeType
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
