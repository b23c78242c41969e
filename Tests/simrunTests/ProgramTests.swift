import Foundation
import Testing

/// The built program, run as a process: exit codes, files, signals.
struct ProgramTests {
  private struct Result {
    let code: Int32
    let output: String
    let messages: String
  }

  /// The program beside the tests.
  private static var program: URL {
    let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
    let tests = bundles.first ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return tests.deletingLastPathComponent().appendingPathComponent("simrun")
  }

  private func run(
    _ words: [String], output: FileHandle? = nil, during: (Process) -> Void = { _ in }
  ) throws -> Result {
    let process = Process()
    process.executableURL = Self.program
    process.arguments = words
    let standardOutput = Pipe()
    let standardError = Pipe()
    if let output {
      process.standardOutput = output
    } else {
      process.standardOutput = standardOutput
    }
    process.standardError = standardError
    try process.run()
    during(process)
    let text =
      output == nil ? try standardOutput.fileHandleForReading.readToEnd() ?? Data() : Data()
    let messages = try standardError.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Result(
      code: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      messages: String(decoding: messages, as: UTF8.self))
  }

  private func scratchFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("simrun-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private let short = ["--strategy", "naive", "--runs", "300"]

  @Test func `Separate processes with other threads print the same bytes`() throws {
    let one = try run(short + ["--format", "json", "--threads", "1"])
    let seven = try run(short + ["--format", "json", "--threads", "7"])
    #expect(one.code == 0)
    #expect(one.messages.isEmpty)
    #expect(one.output == seven.output)
  }

  @Test(
    arguments: [
      (["--strategy", "nave"], 64), (["--runs"], 64), (["--help"], 0), ([], 0), (["--version"], 0),
      (["show", "nothing"], 64),
      (
        ["--strategy", "naive", "--set", "network.uplink=empirical(file=none.csv, column=a_ms)"], 66
      ),
      (["--strategy", "naive", "--runs", "10", "--output", "/nonexistent/folder/file"], 73),
      (["--strategy", "naive", "--runs", "10", "--output", "/"], 73),
    ] as [([String], Int32)])
  func `The exit code says how it ended`(words: [String], code: Int32) throws {
    let result = try run(words)
    #expect(result.code == code)
    #expect(result.messages.isEmpty == (code == 0))
    #expect(result.output.isEmpty == (code != 0))
  }

  @Test func `Several mistakes are several lines that name the program`() throws {
    let result = try run(["--strategy", "nave", "--callers", "0", "--runs", "-3"])
    let lines = result.messages.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.hasPrefix("simrun: ") })
  }

  @Test func `A file is written whole, in place of an older one`() throws {
    let folder = try scratchFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("result.txt")
    try Data("old".utf8).write(to: file)
    let result = try run(short + ["--output", file.path])
    #expect(result.code == 0)
    #expect(result.output.isEmpty)
    #expect(try String(contentsOf: file, encoding: .utf8) == run(short).output)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["result.txt"])
  }

  @Test func `A mistake leaves an older file alone`() throws {
    let folder = try scratchFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("result.txt")
    try Data("old".utf8).write(to: file)
    #expect(try run(["--strategy", "nave", "--output", file.path]).code == 64)
    #expect(try String(contentsOf: file, encoding: .utf8) == "old")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `A full disk is said`() throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let result = try run(short, output: full)
    #expect(result.code == 73)
    #expect(result.messages.contains("standard output cannot be written"))
    #expect(try run(short + ["--output", "/dev/full"]).code == 73)
    #expect(FileManager.default.fileExists(atPath: "/dev/full"))
  }

  /// Whether a process has a handler for interrupts, as Linux tells.
  private func catchesInterrupts(_ process: Process) -> Bool {
    let status = try? String(
      contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let mask = status?.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.dropFirst(7)
    let bits = mask.flatMap { UInt64($0.trimmingCharacters(in: .whitespaces), radix: 16) } ?? 0
    return bits & (1 << UInt64(SIGINT - 1)) != 0
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
  func `Interrupted, it prints what is known and says so`() throws {
    let words = ["--strategy", "naive", "--runs", "1000000000", "--format", "json"]
    let result = try run(words) { process in
      while process.isRunning, !catchesInterrupts(process) {}
      process.interrupt()
    }
    #expect(result.code == 130)
    #expect(result.output.contains("\"partial\": true"))
  }

  @Test func `Colour is for terminals, or where it is asked for`() throws {
    #expect(!(try run(short).output.contains("\u{1B}")))
    #expect(try run(short + ["--color", "always"]).output.contains("\u{1B}[1m"))
  }
}
