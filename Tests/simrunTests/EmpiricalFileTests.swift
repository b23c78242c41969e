import Foundation
import SimCore
import Testing

@testable import simrun

struct EmpiricalFileTests {
  /// Calls `body` with a file of this content, which is then removed.
  private func scratch<Value>(_ content: Data, _ body: (URL) throws -> Value) throws -> Value {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("simrun-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("data.csv")
    try content.write(to: file)
    return try body(file)
  }

  /// Reads a file with this content; it is named data.csv in messages.
  private func read(
    _ content: Data, column: String = "latency_ms", scale: Double = 1
  ) throws -> [Int64] {
    try scratch(content) { file in
      do {
        return try EmpiricalFile(.init(file: file.path, column: column, scale: scale)).read()
          .nanoseconds
      } catch let problem as Problem {
        let folder = file.deletingLastPathComponent().path + "/"
        throw Problem(
          problem.message.replacingOccurrences(of: folder, with: ""), problem.exitCode)
      }
    }
  }

  private func read(_ text: String, column: String = "latency_ms") throws -> [Int64] {
    try read(Data(text.utf8), column: column)
  }

  @Test func `One column or several, any line ends, with or without a last one`() throws {
    let values: [Int64] = [1_500_000, 20_000_000]
    #expect(try read("latency_ms\n20\n1.5\n") == values)
    #expect(try read("latency_ms\r\n20\r\n1.5") == values)
    #expect(try read("\u{FEFF}latency_ms\n20\n1.5\n") == values)
    #expect(try read("a, latency_ms ,b\nx, 20,1\ny,1.5 ,2\n") == values)
    #expect(try read("\"latency_ms\"\n\"20\"\n1.5\n\n\n") == values)
    #expect(try read("t_s\n0.02\n", column: "t_s") == [20_000_000])
    #expect(try read("t_us\n20\n", column: "t_us") == [20000])
    #expect(try read(Data("latency_ms\n20\n".utf8), scale: 0.55) == [11_000_000])
  }

  @Test(arguments: [
    ("", "data.csv: is empty; its first line should name the columns"),
    ("latency_ms\n", "data.csv: has no rows below its first line"),
    (
      "latncy_ms\n1\n",
      "data.csv: line 1: there is no column \"latency_ms\", only latncy_ms. Did you mean \"latncy_ms\"?"
    ),
    ("latency_ms\n1\nfast\n", "data.csv: line 3: \"fast\" is not a number"),
    ("latency_ms\nnan\n", "data.csv: line 2: \"nan\" is not a number"),
    ("latency_ms\ninf\n", "data.csv: line 2: \"inf\" is not a number"),
    ("latency_ms\n1\n-2\n", "data.csv: line 3: -2 is negative"),
    (
      "latency_ms\n1\n\n2\n",
      "data.csv: line 3: is blank; only the end of the file may be"
    ),
    (
      "latency_ms\r\n1\r\n \r\n2\r\n",
      "data.csv: line 3: is blank; only the end of the file may be"
    ),
    ("a,latency_ms\n1,\n", "data.csv: line 2: \"\" is not a number"),
    ("latency_ms\n0x10\n", "data.csv: line 2: \"0x10\" is not a number"),
    ("latency_ms\n1e400\n", "data.csv: line 2: \"1e400\" is not a number"),
    ("\n1\n", "data.csv: line 1: there is no column \"latency_ms\", only ."),
    ("\n\n", "data.csv: is empty; its first line should name the columns"),
    ("latency_ms,latency_ms\n1,2\n", "data.csv: line 1: there are two columns \"latency_ms\""),
    ("latency_ms\n\"1\n", "data.csv: line 2: has a quote that is not closed"),
    ("latency_ms\n1e30\n", "data.csv: line 2: 1e30 is longer than 50 years"),
    ("a,latency_ms\n1\n", "data.csv: line 2: has no cell in column \"latency_ms\""),
  ])
  func `A bad file is a message with its line`(text: String, message: String) {
    #expect(throws: Problem(message, .badData)) { try read(text) }
  }

  @Test func `Quotes keep a comma within its cell`() throws {
    #expect(try read("\"a, b\",latency_ms\n\"1, 2\",3\n") == [3_000_000])
  }

  @Test func `Only a sequence keeps the order of the rows`() throws {
    let data = Data("latency_ms\n3\n1\n2\n".utf8)
    try scratch(data) { file in
      let source = Empirical.Source(file: file.path, column: "latency_ms", scale: 1)
      let sequence = try EmpiricalFile(source).read(every: .milliseconds(55))
      #expect(sequence.rows == [3_000_000, 1_000_000, 2_000_000])
      #expect(sequence.nanoseconds == [1_000_000, 2_000_000, 3_000_000])
      #expect(sequence.every == .milliseconds(55))
      #expect(try EmpiricalFile(source).read().rows.isEmpty)
    }
  }

  @Test func `A sequence reads back as it was written`() throws {
    try scratch(Data("latency_ms\n3\n1\n2\n".utf8)) { file in
      let text = "empirical(file=\(file.path), column=latency_ms, scale=0.55, every=55ms)"
      let read = try DistributionText.decode(.string(text))
      let object = DistributionText.encode(read)
      #expect(object["every"] == "55ms")
      #expect(try DistributionText.decode(object) == read)
      let problem = FieldProblem("needs an every, the time from row to row, above zero")
      #expect(throws: problem) {
        try DistributionText.decode(.string(text.replacingOccurrences(of: "55ms", with: "0s")))
      }
    }
  }

  @Test func `What is no text, or is not there, is said`() {
    #expect(throws: Problem("data.csv: line 3: is not text in UTF-8", .badData)) {
      try read(Data("latency_ms\n1\n".utf8) + Data([0xff, 0xfe]))
    }
    #expect(throws: Problem("missing.csv: cannot be read", .cannotRead)) {
      try EmpiricalFile(.init(file: "missing.csv", column: "a_ms", scale: 1)).read()
    }
    #expect(throws: Problem.self) { try read("latency\n1\n", column: "latency") }
  }

  @Test func `Only regular files are read, and only up to 64 MiB`() throws {
    func message(_ path: String) throws -> String? {
      do {
        _ = try EmpiricalFile(.init(file: path, column: "a_ms", scale: 1)).read()
        return nil
      } catch let problem as Problem {
        return problem.message
      }
    }
    #expect(try message("/dev/null") == "/dev/null: is not a regular file")
    try scratch(Data("a_ms\n1\n".utf8)) { file in
      let folder = file.deletingLastPathComponent()
      #expect(try message(folder.path) == "\(folder.path): is a folder, not a file")
      let link = folder.appendingPathComponent("link.csv")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      #expect(try message(link.path) == nil)
      let pipe = folder.appendingPathComponent("pipe")
      let mkfifo = Process()
      mkfifo.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      mkfifo.arguments = ["mkfifo", pipe.path]
      try mkfifo.run()
      mkfifo.waitUntilExit()
      #expect(try message(pipe.path) == "\(pipe.path): is not a regular file")
      // A hole takes no space on disk.
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: (64 << 20) + 1)
      try handle.close()
      #expect(try message(file.path) == "\(file.path): is larger than 64 MiB")
    }
  }
}
