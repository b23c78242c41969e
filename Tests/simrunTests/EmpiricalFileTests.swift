import Foundation
import SimCore
import Testing

@testable import simrun

struct EmpiricalFileTests {
  /// Reads a file with this content; the scratch file is named data.csv in messages.
  private func read(
    _ content: Data, column: String = "latency_ms", scale: Double = 1
  ) throws -> [Int64] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("simrun-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("data.csv")
    try content.write(to: file)
    do {
      return try EmpiricalFile(.init(file: file.path, column: column, scale: scale)).read()
        .nanoseconds
    } catch let problem as Problem {
      throw Problem(
        problem.message.replacingOccurrences(of: folder.path + "/", with: ""), problem.exitCode)
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
    ("latency_ms\n1\n\n2\n", "data.csv: line 3: \"\" is not a number"),
    ("latency_ms\n1e30\n", "data.csv: line 2: 1e30 is longer than 50 years"),
    ("a,latency_ms\n1\n", "data.csv: line 2: has no cell in column \"latency_ms\""),
  ])
  func `A bad file is a message with its line`(text: String, message: String) {
    #expect(throws: Problem(message, .badData)) { try read(text) }
  }

  @Test func `What is no text, or is not there, is said`() {
    #expect(throws: Problem("data.csv: is not text in UTF-8", .badData)) {
      try read(Data([0xff, 0xfe, 0x00]))
    }
    #expect(throws: Problem("missing.csv: cannot be read", .cannotRead)) {
      try EmpiricalFile(.init(file: "missing.csv", column: "a_ms", scale: 1)).read()
    }
    #expect(throws: Problem.self) { try read("latency\n1\n", column: "latency") }
  }
}
