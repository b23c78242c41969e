import Foundation
import SimCore

/// A CSV file with a column of measured lengths of time, whose name ends in their unit, such as `latency_ms`.
struct EmpiricalFile {
  let source: Empirical.Source

  init(_ source: Empirical.Source) {
    self.source = source
  }

  private static let units = ["ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9]

  /// The values of the column, scaled.
  ///
  /// - Throws: a ``Problem`` that names the file, and the line where one is wrong.
  func read(every: Duration? = nil) throws -> Empirical {
    guard let factor = source.column.split(separator: "_").last.flatMap({ Self.units[String($0)] })
    else {
      throw Problem(
        "column \"\(source.column)\" has no unit; name it like latency_ms, with _ns, _us, _ms, or _s",
        .badData)
    }
    let lines = try text().split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard let header = lines.first, !header.isEmpty else {
      throw problem("is empty; its first line should name the columns")
    }
    let names = header.split(separator: ",", omittingEmptySubsequences: false).map {
      String($0).trimmed.unquoted
    }
    guard let column = names.firstIndex(of: source.column) else {
      throw problem(
        "line 1: there is no column \"\(source.column)\", only \(names.joined(separator: ", "))."
          + source.column.suggestion(from: names))
    }
    var values: [Int64] = []
    for (index, line) in lines.enumerated().dropFirst() {
      // Only the end of the file may be empty.
      if line.isEmpty, lines[index...].allSatisfy(\.isEmpty) { break }
      values.append(try value(in: line, column, factor * source.scale, lineNumber: index + 1))
    }
    guard !values.isEmpty else { throw problem("has no rows below its first line") }
    return Empirical(nanoseconds: values, source: source, every: every)
  }

  private func text() throws -> String {
    guard let data = FileManager.default.contents(atPath: source.file) else {
      throw Problem("\(source.file): cannot be read", .cannotRead)
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw problem("is not text in UTF-8")
    }
    return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
  }

  private func value(
    in line: Substring, _ column: Int, _ factor: Double, lineNumber: Int
  ) throws -> Int64 {
    let cells = line.split(separator: ",", omittingEmptySubsequences: false)
    guard column < cells.count else {
      throw problem("line \(lineNumber): has no cell in column \"\(source.column)\"")
    }
    let cell = String(cells[column]).trimmed.unquoted
    guard let number = Double(cell), number.isFinite else {
      throw problem("line \(lineNumber): \"\(cell)\" is not a number")
    }
    guard number >= 0 else { throw problem("line \(lineNumber): \(cell) is negative") }
    let nanoseconds = (number * factor).rounded()
    guard nanoseconds <= 50 * 365 * 86_400e9 else {
      throw problem("line \(lineNumber): \(cell) is longer than 50 years")
    }
    return Int64(nanoseconds)
  }

  private func problem(_ text: String) -> Problem {
    Problem("\(source.file): \(text)", .badData)
  }
}

extension String {
  /// The text without double quotes around it.
  fileprivate var unquoted: String {
    count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
  }
}
