import Foundation
import Testing

@testable import simrun

struct JSON5FileTests {
  /// Runs `body` with a folder of its own; messages name files without it.
  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("simrun-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try body(folder)
    } catch let problem as Problem {
      throw Problem(
        problem.message.replacingOccurrences(of: folder.path + "/", with: ""), problem.exitCode)
    }
  }

  private func read(_ content: Data) throws -> JSONValue {
    var value = JSONValue.null
    try inFolder { folder in
      let file = folder.appendingPathComponent("scenario.json5")
      try content.write(to: file)
      value = try JSON5File.read(file.path).value
    }
    return value
  }

  /// A file of zeros that takes no room on the disk.
  private func sparse(_ file: URL, size: UInt64) throws {
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: size)
    try handle.close()
  }

  @Test func `A file is read, also through a link`() throws {
    #expect(
      try read(Data("{ a: [1, 'é'] }".utf8)) == .object(["a": .array([.integer(1), .string("é")])]))
    try inFolder { folder in
      let link = folder.appendingPathComponent("link.json5")
      let file = folder.appendingPathComponent("file.json5")
      try Data("\u{FEFF}[]".utf8).write(to: file)
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      #expect(try JSON5File.read(link.path).value == .array([]))
    }
  }

  @Test(arguments: [
    ("", "scenario.json5:1:1: is empty"),
    ("{\n  a: 5min\n}", "scenario.json5:2:6: \"5min\" is not a number; quote it to make it text"),
    (
      "{\r\n  é: 1 x\r\n}",
      "scenario.json5:2:8: expected a comma or }, found \"x\"; the { of line 1 is not closed"
    ),
  ])
  func `A wrong file is a message with its place`(text: String, message: String) {
    #expect(throws: Problem(message, .badData)) { try read(Data(text.utf8)) }
  }

  @Test func `What is no text is refused where it begins`() {
    #expect(throws: Problem("scenario.json5:1:2: is not text in UTF-8", .badData)) {
      try read(Data([0x7B, 0xFF]))
    }
    #expect(throws: Problem("scenario.json5:2:1: holds a NUL byte, so it is not text", .badData)) {
      try read(Data([0x7B, 0x0A, 0x00]))
    }
  }

  @Test
  func `A file is as large as allowed or is not read`() throws {
    let limit = UInt64(JSON5File.maximumSize)
    for size in [limit + 1, 1 << 30, 1 << 40] {
      #expect(
        throws: Problem("large: cannot be read: it is larger than 16 MiB", .cannotRead)
      ) {
        try inFolder { folder in
          let file = folder.appendingPathComponent("large")
          try sparse(file, size: size)
          _ = try JSON5File.read(file.path)
        }
      }
    }
    #expect(throws: Problem("large:1:1: holds a NUL byte, so it is not text", .badData)) {
      try inFolder { folder in
        let file = folder.appendingPathComponent("large")
        try sparse(file, size: limit)
        _ = try JSON5File.read(file.path)
      }
    }
  }

  @Test
  func `What is not a regular file is not opened`() throws {
    #expect(throws: Problem("missing.json5: cannot be read", .cannotRead)) {
      try JSON5File.read("missing.json5")
    }
    #expect(throws: Problem("/dev/zero: cannot be read: it is not a regular file", .cannotRead)) {
      try JSON5File.read("/dev/zero")
    }
    #expect(throws: Problem("/tmp: cannot be read: it is a folder", .cannotRead)) {
      try JSON5File.read("/tmp")
    }
    #expect(throws: Problem.self) { try JSON5File.read("") }
    #expect(throws: Problem("pipe: cannot be read: it is not a regular file", .cannotRead)) {
      try inFolder { folder in
        let pipe = folder.appendingPathComponent("pipe")
        let maker = Process()
        maker.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        maker.arguments = ["mkfifo", pipe.path]
        try maker.run()
        maker.waitUntilExit()
        _ = try JSON5File.read(pipe.path)
      }
    }
  }
}
