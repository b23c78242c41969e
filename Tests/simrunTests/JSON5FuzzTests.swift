import SimCore
import Testing

@testable import simrun

/// Damaged texts: whatever a file holds gives a value or a message, never a crash.
struct JSON5FuzzTests {
  /// Every syntactic feature; it ends with the bracket that closes it.
  static let document = """
    \u{FEFF}// A world
    /* with * every ** feature */
    {
      name: "caf\\u00e9 \\uD83D\\uDE00 \\x41\\n", 'single \\'quoted\\'': 'it "is"', $key_1: null,
      numbers: [0, -1, +2, .5, 5., 1.25e-3, 6E+2, 0x1F, -0Xab, 9223372036854775808,],
      nested: { deep: [[], {}, [{ a: [true, false] }]], \\u0061b: 'line \\
      continued', clé: "\u{1F600}é\u{2028}" /* between */ , },\r
      empty: '', "dotted.path": { "": 1 }, // last\r
    }
    """

  /// The value, or where the problem is.
  private func read(_ bytes: [UInt8]) -> Result<JSON5Node, JSON5Problem> {
    do throws(JSON5Problem) {
      var reader = try JSON5Reader(bytes)
      return .success(try reader.read())
    } catch {
      return .failure(error)
    }
  }

  /// How many scalars each line has, counted without the cursor: a byte that begins no scalar counts as nothing.
  private func columns(_ bytes: [UInt8]) -> [Int] {
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    var lines = [0]
    for (index, byte) in bytes.enumerated() {
      lines[lines.count - 1] += byte & 0xC0 == 0x80 ? 0 : 1
      let isSeparator =
        index >= 2 && bytes[index - 2] == 0xE2 && bytes[index - 1] == 0x80
        && (byte == 0xA8 || byte == 0xA9)
      let isReturn = byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)
      if byte == 0x0A || isReturn || isSeparator { lines.append(0) }
    }
    return lines
  }

  private func isWithin(_ position: TextPosition, _ bytes: [UInt8]) -> Bool {
    let lines = columns(bytes)
    return (1...lines.count).contains(position.line)
      // One column further is the end of the file.
      && (1...lines[position.line - 1] + 1).contains(position.column)
  }

  @Test func `The document is read whole`() throws {
    let value = try read(Array(Self.document.utf8)).get().value
    let deep: JSONValue = .array([
      .array([]), .object([:]), .array([.object(["a": .array([.bool(true), .bool(false)])])]),
    ])
    let expected: JSONValue = .object([
      "name": .string("café \u{1F600} A\n"),
      "single 'quoted'": .string("it \"is\""),
      "$key_1": .null,
      "numbers": .array([
        .integer(0), .integer(-1), .integer(2), .number(0.5), .number(5), .number(0.00125),
        .number(600), .integer(31), .integer(-171), .number(0x1p63),
      ]),
      "nested": .object([
        "deep": deep, "ab": .string("line   continued"),
        "clé": .string("\u{1F600}é\u{2028}"),
      ]),
      "empty": .string(""),
      "dotted.path": .object(["": .integer(1)]),
    ])
    #expect(value == expected)
  }

  @Test func `Cut at any byte, it is a problem within the text`() {
    let bytes = Array(Self.document.utf8)
    for length in 0..<bytes.count {
      let cut = Array(bytes[..<length])
      switch read(cut) {
      case .success: Issue.record("the first \(length) bytes are a value")
      case .failure(let problem):
        #expect(isWithin(problem.position, cut), "\(length) bytes: \(problem)")
        #expect(
          problem.message == "is empty" || problem.message == "is not text in UTF-8"
            || problem.message.hasPrefix("expected ") || problem.message.hasSuffix("not closed"),
          "\(length) bytes: \(problem)")
      }
    }
  }

  /// Text that means something, so that a mutation reaches deep.
  private static let fragments: [[UInt8]] = [
    "{", "}", "[", "]", ",", ":", "'", "\"", "\\", "/*", "*/", "//", "\r", "\n", "\u{2028}", "0x",
    "e", ".", "-", "\\u", "\\uD83D", "Infinity", "null", "a:", "\u{FEFF}", "\0", "\u{301}", "é",
    "[[[[[[[[", "9999999999999999999",
  ].map { Array($0.utf8) }

  private func mutate(_ bytes: inout [UInt8], _ draws: inout Draws) {
    func pick(_ count: Int) -> Int { Int(draws.next() % UInt64(max(count, 1))) }
    let place = pick(bytes.count)
    let end = min(bytes.count, place + 1 + pick(12))
    switch pick(5) {
    case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8(pick(8)) }
    case 1: bytes.removeSubrange(place..<end)
    case 2: bytes.insert(UInt8(pick(256)), at: place)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: pick(bytes.count + 1))
    default: bytes.insert(contentsOf: Self.fragments[pick(Self.fragments.count)], at: place)
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `A damaged document is a value or a problem within the text`(seed: UInt64) {
    let stream = RandomStream(RandomRun(seed: seed, run: 0), cause: .userActivity)
    var values = 0
    let count = 1000
    for number in 0..<count {
      var draws = stream.draws(at: DrawAddress(.call, number: number))
      var bytes = Array(Self.document.utf8)
      for _ in 0...draws.next() % 3 { mutate(&bytes, &draws) }
      switch read(bytes) {
      case .success: values += 1
      case .failure(let problem):
        #expect(!problem.message.isEmpty)
        #expect(
          isWithin(problem.position, bytes), "seed \(seed), document \(number): \(problem)")
      }
    }
    // Both happen often, or the damage is too small or too great to test anything.
    #expect((count / 20...count / 2).contains(values), "seed \(seed): \(values) values")
  }

  private func text(_ draws: inout Draws) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "Z", "7", " ", "\"", "'", "\\", "/", "*", "\n", "\r", "\t", "\0", "\u{1F}", "\u{7F}",
      "é", "\u{301}", "€", "\u{2028}", "\u{FEFF}", "\u{1F600}", "\u{10FFFF}", "{", "]", ",", ":",
    ]
    var result = ""
    for _ in 0..<draws.next() % 9 {
      result.unicodeScalars.append(scalars[Int(draws.next() % UInt64(scalars.count))])
    }
    return result
  }

  /// A value that JSON text can express: a whole number below 10¹⁵ is an integer there.
  private func value(_ draws: inout Draws, depth: Int) -> JSONValue {
    switch draws.next() % (depth == 0 ? 6 : 8) {
    case 0: return .null
    case 1: return .bool(draws.next() % 2 == 0)
    case 2: return .integer(Int(truncatingIfNeeded: draws.next()) >> Int(draws.next() % 64))
    case 3, 4:
      let number = Double(bitPattern: draws.next())
      let isWhole = number == number.rounded() && number.magnitude < 1e15
      return number.isFinite && !isWhole ? .number(number) : .number(0.1)
    case 5: return .string(text(&draws))
    case 6: return .array((0..<draws.next() % 5).map { _ in value(&draws, depth: depth - 1) })
    default:
      return .object(
        (0..<draws.next() % 5).map {
          // The number keeps keys apart.
          .init("\(text(&draws))\($0)", value(&draws, depth: depth - 1))
        })
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `What is written reads back`(seed: UInt64) throws {
    let stream = RandomStream(RandomRun(seed: seed, run: 0), cause: .lifecycle)
    for number in 0..<500 {
      var draws = stream.draws(at: DrawAddress(.call, number: number))
      let value = value(&draws, depth: 5)
      let text = value.text()
      #expect(
        try read(Array(text.utf8)).get().value == value, "seed \(seed), value \(number): \(text)")
    }
  }
}
