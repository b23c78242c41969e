import Foundation

/// A JSON5 file on disk.
struct JSON5File {
  /// How large a file may be; far more than a scenario needs.
  static let maximumSize = 16 << 20

  /// Reads the value of a file.
  ///
  /// - Throws: a ``Problem`` that begins with the path and the place, or says why the file cannot be read.
  static func read(_ path: String) throws -> JSON5Node {
    let bytes = try bytes(of: path)
    do throws(JSON5Problem) {
      var reader = try JSON5Reader(bytes)
      return try reader.read()
    } catch {
      let position = error.position
      throw Problem("\(path):\(position.line):\(position.column): \(error.message)", .badData)
    }
  }

  /// All bytes of a file, once its kind and size are known to be harmless.
  ///
  /// A pipe may never end, and a device such as /dev/zero does not.
  private static func bytes(of path: String) throws -> [UInt8] {
    // The attributes of a link would be its own.
    let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path),
      let size = attributes[.size] as? Int
    else { throw unreadable(path) }
    switch attributes[.type] as? FileAttributeType {
    case .typeRegular: break
    case .typeDirectory: throw unreadable(path, ": it is a folder")
    default: throw unreadable(path, ": it is not a regular file")
    }
    if size > maximumSize { throw tooLarge(path) }
    guard let file = try? FileHandle(forReadingFrom: url) else { throw unreadable(path) }
    defer { try? file.close() }
    guard let data = try? file.read(upToCount: maximumSize + 1) ?? Data() else {
      throw unreadable(path)
    }
    // It may have grown since.
    if data.count > maximumSize { throw tooLarge(path) }
    return [UInt8](data)
  }

  private static func tooLarge(_ path: String) -> Problem {
    unreadable(path, ": it is larger than \(maximumSize >> 20) MiB")
  }

  private static func unreadable(_ path: String, _ reason: String = "") -> Problem {
    Problem("\(path): cannot be read\(reason)", .cannotRead)
  }
}
