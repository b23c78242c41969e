import Foundation

/// The files of the repository as text.
enum Sources {
  struct File {
    /// The path from the root of the repository.
    let path: String
    let text: String

    /// The lines without comments and string literals.
    var code: [String] {
      text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        let uncommented = line.components(separatedBy: "//")[0]
        return uncommented.components(separatedBy: "\"").enumerated()
          .filter { $0.offset % 2 == 0 }.map(\.element).joined(separator: " ")
      }
    }
  }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The Swift files below a folder, sorted by path.
  static func files(_ folder: String) throws -> [File] {
    let base = root.appendingPathComponent(folder)
    let paths =
      FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      File(
        path: "\(folder)/\(path)",
        text: try String(contentsOf: base.appendingPathComponent(path), encoding: .utf8))
    }
  }
}
