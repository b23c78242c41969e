import Foundation
public import Testing

/// Compares a text with a committed file; with `RECORD_GOLDEN=1` writes the file and fails.
///
/// - Parameters:
///   - text: what was made.
///   - name: the file's name in the folder Golden beside the test.
///   - testFile: the file of the test.
///   - sourceLocation: where the test calls this.
/// - Throws: an error if the file cannot be read or written.
public func expectGolden(
  _ text: String, _ name: String, testFile: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let url = URL(fileURLWithPath: testFile).deletingLastPathComponent()
    .appendingPathComponent("Golden/\(name)")
  if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
    try Data(text.utf8).write(to: url)
    Issue.record("recorded \(name); read it before you commit it", sourceLocation: sourceLocation)
    return
  }
  let expected = try String(contentsOf: url, encoding: .utf8)
  #expect(text == expected, sourceLocation: sourceLocation)
}
