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
    var lines = Self.lines(try bytes())
    // Only the end of the file may be blank.
    while let last = lines.last, last.allSatisfy({ $0 == UInt8(ascii: " ") }) { lines.removeLast() }
    guard !lines.isEmpty else {
      throw problem("is empty; its first line should name the columns")
    }
    let column = try position(in: try cells(lines[0], 1))
    var values: [Int64] = []
    values.reserveCapacity(lines.count)
    for (index, line) in lines.enumerated().dropFirst() {
      values.append(try value(in: line, column, factor * source.scale, lineNumber: index + 1))
    }
    guard !values.isEmpty else { throw problem("has no rows below its first line") }
    return Empirical(nanoseconds: values, source: source, every: every)
  }

  /// The largest file that is read, in bytes.
  private static let limit = 64 << 20

  /// The bytes of a regular file, so that nothing waits for a pipe and no device is read without end.
  private func bytes() throws -> [UInt8] {
    let path = URL(fileURLWithPath: source.file).resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
      throw Problem("\(source.file): cannot be read", .cannotRead)
    }
    switch attributes[.type] as? FileAttributeType {
    case .typeRegular: break
    case .typeDirectory: throw Problem("\(source.file): is a folder, not a file", .cannotRead)
    default: throw Problem("\(source.file): is not a regular file", .cannotRead)
    }
    // Read to one byte beyond the limit: the file may have grown since it was looked at.
    guard let handle = FileHandle(forReadingAtPath: path),
      let data = try? handle.read(upToCount: Self.limit + 1) ?? Data()
    else { throw Problem("\(source.file): cannot be read", .cannotRead) }
    guard data.count <= Self.limit else { throw problem("is larger than 64 MiB") }
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    return data.starts(with: mark) ? Array(data.dropFirst(mark.count)) : Array(data)
  }

  /// The lines without their ends, which are LF, CR LF, or CR.
  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    let (feed, carriage) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == feed || byte == carriage {
      if byte == feed, index > 0, bytes[index - 1] == carriage {
        start = index + 1
        continue
      }
      lines.append(bytes[start..<index])
      start = index + 1
    }
    lines.append(bytes[start...])
    return lines
  }

  /// The cells of a line; a comma within double quotes separates none.
  private func cells(_ line: ArraySlice<UInt8>, _ lineNumber: Int) throws -> [String] {
    guard let text = String(validating: line, as: UTF8.self) else {
      throw problem("line \(lineNumber): is not text in UTF-8")
    }
    guard text.utf8.contains(UInt8(ascii: "\"")) else {
      return text.split(separator: ",", omittingEmptySubsequences: false).map {
        String($0).trimmed
      }
    }
    var cells = [""]
    var isQuoted = false
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if character == ",", !isQuoted {
        cells.append("")
      } else {
        cells[cells.count - 1].append(character)
      }
    }
    if isQuoted { throw problem("line \(lineNumber): has a quote that is not closed") }
    return cells.map(\.trimmed.unquoted)
  }

  /// The position of the column, from the cells of the first line.
  private func position(in names: [String]) throws -> Int {
    guard let column = names.firstIndex(of: source.column) else {
      throw problem(
        "line 1: there is no column \"\(source.column)\", only \(names.joined(separator: ", "))."
          + source.column.suggestion(from: names))
    }
    guard names.lastIndex(of: source.column) == column else {
      throw problem("line 1: there are two columns \"\(source.column)\"")
    }
    return column
  }

  private func value(
    in line: ArraySlice<UInt8>, _ column: Int, _ factor: Double, lineNumber: Int
  ) throws -> Int64 {
    if line.allSatisfy({ $0 == UInt8(ascii: " ") }) {
      throw problem("line \(lineNumber): is blank; only the end of the file may be")
    }
    let cells = try cells(line, lineNumber)
    guard column < cells.count else {
      throw problem("line \(lineNumber): has no cell in column \"\(source.column)\"")
    }
    let cell = cells[column]
    // The language reads more as a number than a table means by one, such as nan and 0x1p3.
    let isDecimal = cell.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    guard isDecimal, let number = Double(cell), number.isFinite else {
      throw problem("line \(lineNumber): \"\(cell.prefix(40))\" is not a number")
    }
    guard number >= 0 else {
      throw problem("line \(lineNumber): \(cell.prefix(40)) is negative")
    }
    let nanoseconds = (number * factor).rounded()
    guard nanoseconds <= 50 * 365 * 86_400e9 else {
      throw problem("line \(lineNumber): \(cell.prefix(40)) is longer than 50 years")
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
