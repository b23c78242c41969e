import Testing

@testable import simrun

/// What a wrong text is told: exactly where, and exactly what.
struct JSON5ProblemTests {
  private func expect(_ text: String, _ line: Int, _ column: Int, _ message: String) {
    expect(Array(text.utf8), line, column, message)
  }

  private func expect(_ bytes: [UInt8], _ line: Int, _ column: Int, _ message: String) {
    let problem = JSON5Problem(
      position: TextPosition(line: line, column: column), message: message)
    #expect(throws: problem) {
      var reader = try JSON5Reader(bytes)
      _ = try reader.read()
    }
  }

  @Test(arguments: [
    ("", 1, 1, "is empty"),
    ("\u{FEFF}", 1, 1, "is empty"),
    (" \r\n\t\n", 1, 1, "is empty"),
    ("// x\n/* y */ ", 2, 9, "expected a value, found only comments"),
    ("}", 1, 1, "expected a value, found \"}\""),
    (",", 1, 1, "expected a value, found \",\""),
    ("1 2", 1, 3, "expected the end of the file, found \"2\""),
    ("{}\n// x\n{}", 3, 1, "expected the end of the file, found \"{\""),
    ("[]]", 1, 3, "expected the end of the file, found \"]\""),
    ("'a'b", 1, 4, "expected the end of the file, found \"b\""),
    ("null,", 1, 5, "expected the end of the file, found \",\""),
    ("\u{07}", 1, 1, "expected a value, found \"\\u{7}\""),
    ("\u{200B}1", 1, 1, "expected a value, found \"\\u{200B}\""),
    ("\u{1F600}", 1, 1, "expected a value, found \"\u{1F600}\""),
  ])
  func `A text is one value`(text: String, line: Int, column: Int, message: String) {
    expect(text, line, column, message)
  }

  @Test(arguments: [
    ("[,1]", 1, 2, "expected a value or ], found \",\"; the [ of line 1 is not closed"),
    ("[1,,2]", 1, 4, "expected a value or ], found \",\"; the [ of line 1 is not closed"),
    ("[1 2]", 1, 4, "expected a comma or ], found \"2\"; the [ of line 1 is not closed"),
    ("[1\n}", 2, 1, "expected a comma or ], found \"}\"; the [ of line 1 is not closed"),
    ("[}", 1, 2, "expected a value or ], found \"}\"; the [ of line 1 is not closed"),
    ("\n{a: 1\n x: 2}", 3, 2, "expected a comma or }, found \"x\"; the { of line 2 is not closed"),
    (
      "{a: 1 'x': 2}", 1, 7,
      "expected a comma or }, found a single quote; the { of line 1 is not closed"
    ),
    ("{a: 1; b: 2}", 1, 6, "expected a comma or }, found \";\"; the { of line 1 is not closed"),
    ("{,}", 1, 2, "expected a key or }, found \",\"; the { of line 1 is not closed"),
    ("{1: 2}", 1, 2, "expected a key or }, found \"1\"; the { of line 1 is not closed"),
    ("{[1]: 2}", 1, 2, "expected a key or }, found \"[\"; the { of line 1 is not closed"),
    ("{a 1}", 1, 4, "expected a colon after the key \"a\", found \"1\""),
    ("{a}", 1, 3, "expected a colon after the key \"a\", found \"}\""),
    ("{a.b: 1}", 1, 3, "expected a colon after the key \"a\", found \".b\""),
    ("{a = 1}", 1, 4, "expected a colon after the key \"a\", found \"=\""),
    ("{a:}", 1, 4, "expected a value, found \"}\""),
    ("{a:,}", 1, 4, "expected a value, found \",\""),
    ("{a::1}", 1, 4, "expected a value, found \":\""),
    ("{a: 1, b: 2,\na: 3}", 2, 1, "the key \"a\" stands in line 1 already"),
    ("{\n'a': 1, \\u0061: 3}", 2, 9, "the key \"a\" stands in line 2 already"),
    ("{a: {a: 1}, b: [{b: 1}, {b: 1, 'b': 2}]}", 1, 32, "the key \"b\" stands in line 1 already"),
  ])
  func `Brackets, commas, colons, and keys stand where they must`(
    text: String, line: Int, column: Int, message: String
  ) {
    expect(text, line, column, message)
  }

  @Test(arguments: [
    ("[yes]", 1, 2, "\"yes\" is not a value; quote it to make it text"),
    ("True", 1, 1, "\"True\" is not a value; quote it to make it text"),
    ("single-flight", 1, 1, "\"single-flight\" is not a value; quote it to make it text"),
    ("{a: 5min}", 1, 5, "\"5min\" is not a number; quote it to make it text"),
    ("{a: 5%}", 1, 5, "\"5%\" is not a number; quote it to make it text"),
    ("[1_000]", 1, 2, "\"1_000\" is not a number; quote it to make it text"),
    ("[1.2.3]", 1, 2, "\"1.2.3\" is not a number; quote it to make it text"),
    ("[--1]", 1, 2, "\"--1\" is not a number; quote it to make it text"),
    ("[1-2]", 1, 2, "\"1-2\" is not a number; quote it to make it text"),
    ("[0x1.8]", 1, 2, "\"0x1.8\" is not a number; quote it to make it text"),
    ("[0xG]", 1, 2, "\"0xG\" is not a number; quote it to make it text"),
    ("[1e5.5]", 1, 2, "\"1e5.5\" is not a number; quote it to make it text"),
    ("[.e5]", 1, 2, "\".e5\" is not a number; quote it to make it text"),
    ("[-a]", 1, 2, "\"-a\" is not a number; quote it to make it text"),
    ("[1٣]", 1, 2, "\"1٣\" is not a number; quote it to make it text"),
    ("[0b1]", 1, 2, "\"0b1\" is not a number; quote it to make it text"),
    ("[-]", 1, 3, "expected a digit after \"-\", found \"]\""),
    ("[+ 1]", 1, 3, "expected a digit after \"+\", found a space"),
    ("[.]", 1, 3, "expected a digit after \".\", found \"]\""),
    ("[-.]", 1, 4, "expected a digit after \"-.\", found \"]\""),
    ("[1e]", 1, 4, "expected a digit after \"1e\", found \"]\""),
    ("[1.e-\n]", 1, 6, "expected a digit after \"1.e-\", found the end of the line"),
    ("[-0x]", 1, 5, "expected a hexadecimal digit after \"-0x\", found \"]\""),
    ("[012]", 1, 2, "\"012\" must not begin with a zero"),
    ("[-00.5]", 1, 2, "\"-00.5\" must not begin with a zero"),
    ("[Infinity]", 1, 2, "Infinity is refused, since every number here is finite"),
    ("[-Infinity]", 1, 2, "-Infinity is refused, since every number here is finite"),
    ("[+NaN]", 1, 2, "+NaN is refused, since every number here is finite"),
    ("NaN", 1, 1, "NaN is refused, since every number here is finite"),
    ("[1.8e308]", 1, 2, "\"1.8e308\" is too large for a number"),
    ("[-1e99999999999999999999]", 1, 2, "\"-1e99999999999999999999\" is too large for a number"),
    ("[-2e-324]", 1, 2, "\"-2e-324\" is too close to zero for a number"),
    ("[.01e-400]", 1, 2, "\".01e-400\" is too close to zero for a number"),
  ])
  func `Numbers and words are known`(text: String, line: Int, column: Int, message: String) {
    expect(text, line, column, message)
  }

  @Test(arguments: [
    (
      "['a\nb']", 1, 4,
      "expected the closing ', found the end of the line; the string of line 1 is not closed"
    ),
    (
      "\n\"a\\\nb\r\n\"", 3, 2,
      "expected the closing \", found the end of the line; the string of line 2 is not closed"
    ),
    (#"'\x4'"#, 1, 5, "expected two hexadecimal digits after \\x, found a single quote"),
    (#"'\xg1'"#, 1, 4, "expected two hexadecimal digits after \\x, found \"g1\""),
    (#"'\u12 4'"#, 1, 6, "expected four hexadecimal digits after \\u, found a space"),
    (#"'\u{41}'"#, 1, 4, "expected four hexadecimal digits after \\u, found \"{\""),
    (#"'\1'"#, 1, 2, "\\1 is not an escape; write \\x01"),
    (#"'a\9'"#, 1, 3, "\\9 is not an escape; write \\x09"),
    (#"'\07'"#, 1, 4, "expected no digit after \\0, found \"7\""),
    (#"'\ud800'"#, 1, 2, "\\uD800 is half of a pair, and its other half is missing"),
    (#"'\uDBFFa'"#, 1, 2, "\\uDBFF is half of a pair, and its other half is missing"),
    (#"'\uD83D\n'"#, 1, 2, "\\uD83D is half of a pair, and its other half is missing"),
    (#"'\uD83D\uD83D'"#, 1, 2, "\\uD83D is half of a pair, and its other half is missing"),
    (#"'\uD83D\uE000'"#, 1, 2, "\\uD83D is half of a pair, and its other half is missing"),
    (#"'\uD83D\u0041'"#, 1, 2, "\\uD83D is half of a pair, and its other half is missing"),
    (#"'a\uDC00'"#, 1, 3, "\\uDC00 is half of a pair, and its other half is missing"),
    (#"'\uDC00\uDC00'"#, 1, 2, "\\uDC00 is half of a pair, and its other half is missing"),
    (#"'\uDC00\u1'"#, 1, 2, "\\uDC00 is half of a pair, and its other half is missing"),
    (#"{\x41: 1}"#, 1, 3, "expected u after \\ in a key without quotes, found \"x41\""),
    (#"{\u0031: 1}"#, 1, 2, "\"1\" cannot stand here in a key without quotes"),
    (#"{a\u0020b: 1}"#, 1, 3, "\" \" cannot stand here in a key without quotes"),
    (#"{a\u000a: 1}"#, 1, 3, "\"\\u{A}\" cannot stand here in a key without quotes"),
    ("[1 / 2]", 1, 5, "expected / or * after /, found a space"),
    ("[1 /x]", 1, 5, "expected / or * after /, found \"x\""),
    ("# x\n1", 1, 1, "expected a value, found \"#\""),
  ])
  func `Strings, escapes, and comments are whole`(
    text: String, line: Int, column: Int, message: String
  ) {
    expect(text, line, column, message)
  }

  @Test(arguments: [
    ("[", 1, 2, "expected a value or ], found the end of the file; the [ of line 1 is not closed"),
    ("{", 1, 2, "expected a key or }, found the end of the file; the { of line 1 is not closed"),
    (
      "\n{ a: [\n1,\n", 4, 1,
      "expected a value or ], found the end of the file; the [ of line 2 is not closed"
    ),
    (
      "{\n\na: [1]\n", 4, 1,
      "expected a comma or }, found the end of the file; the { of line 1 is not closed"
    ),
    (
      "{\na", 2, 2,
      "expected a colon after the key \"a\", found the end of the file; the { of line 1 is not closed"
    ),
    ("{a:", 1, 4, "expected a value, found the end of the file; the { of line 1 is not closed"),
    (
      "{a: 1e", 1, 7,
      "expected a digit after \"1e\", found the end of the file; the { of line 1 is not closed"
    ),
    (
      "{a: tru", 1, 5,
      "\"tru\" is not a value; quote it to make it text; the { of line 1 is not closed"
    ),
    (
      "{a:\n'b", 2, 3,
      "expected the closing ', found the end of the file; the string of line 2 is not closed"
    ),
    (
      "'\\", 1, 3,
      "expected the rest of an escape, found the end of the file; the string of line 1 is not closed"
    ),
    (
      "'\\u00", 1, 6,
      "expected four hexadecimal digits after \\u, found the end of the file; "
        + "the string of line 1 is not closed"
    ),
    (
      "'\\ud83d", 1, 2,
      "\\uD83D is half of a pair, and its other half is missing; the string of line 1 is not closed"
    ),
    (
      "{\n/* x\n*", 3, 2,
      "expected */, found the end of the file; the comment of line 2 is not closed"
    ),
    ("/*/", 1, 4, "expected */, found the end of the file; the comment of line 1 is not closed"),
    (
      "{\n/", 2, 2,
      "expected / or * after /, found the end of the file; the { of line 1 is not closed"
    ),
    (
      "{\n// }", 2, 5,
      "expected a key or }, found the end of the file; the { of line 1 is not closed"
    ),
  ])
  func `A text that ends too early says what is open`(
    text: String, line: Int, column: Int, message: String
  ) {
    expect(text, line, column, message)
  }

  @Test func `What is no text is refused at its first bad byte`() {
    expect([0x7B, 0x0A, 0xC3, 0xA9, 0xFF], 2, 2, "is not text in UTF-8")
    expect([0xFF, 0xFE, 0x7B, 0x00], 1, 1, "is not text in UTF-8")
    expect(Array("'é".utf8.dropLast()), 1, 2, "is not text in UTF-8")
    // Half of a surrogate pair, and a slash in two bytes.
    expect(Array("{}\r\n".utf8) + [0xED, 0xA0, 0x80], 2, 1, "is not text in UTF-8")
    expect([0xEF, 0xBB, 0xBF, 0x7B, 0xC0, 0xAF], 1, 2, "is not text in UTF-8")
    expect(Array("{}\n// \0".utf8), 2, 4, "holds a NUL byte, so it is not text")
    expect([0x7B, 0x00, 0x7D, 0x00], 1, 2, "holds a NUL byte, so it is not text")
  }

  @Test func `A long word is cut, and a terminal obeys nothing in it`() {
    let word = String(repeating: "x", count: 1_000_000)
    let cut = String(repeating: "x", count: 40) + "…"
    expect(word, 1, 1, "\"\(cut)\" is not a value; quote it to make it text")
    expect("{} \(word)", 1, 4, "expected the end of the file, found \"\(cut)\"")
    expect(
      "{'\u{1B}[2J':1,'\u{1B}[2J':2}", 1, 11, "the key \"\\u{1B}[2J\" stands in line 1 already")
  }

  @Test(arguments: [
    ("[", 1), ("{a:", 3), ("[{a:", 4), ("[ ", 2), ("/**/[", 5), ("{'a': // x\n", 0),
  ])
  func `Brackets nest 64 deep and no deeper`(opening: String, width: Int) {
    let brackets = opening.count { $0 == "[" || $0 == "{" }
    let text = String(repeating: opening, count: 100_000)
    // The 65th bracket is the first of its repetition, whose comment may stand before it.
    let before = 64 / brackets
    let offset = opening.hasPrefix("/**/") ? 4 : 0
    let (line, column) = width == 0 ? (before + 1, 1) : (1, before * width + offset + 1)
    expect(text, line, column, "is nested deeper than 64 brackets")
  }

  @Test func `Exactly 64 brackets are read`() throws {
    var arrays = JSON5Reader(
      String(repeating: "[", count: 64) + String(repeating: "]", count: 64))
    #expect(try arrays.read().value.text().hasSuffix("]"))
    var mixed = JSON5Reader(
      String(repeating: "[{a:", count: 32) + "'['" + String(repeating: "}]", count: 32))
    var value = try mixed.read().value
    for _ in 0..<32 {
      guard case .array(let elements) = value, let inner = elements[0]["a"] else {
        Issue.record("\(value) is no array of an object")
        return
      }
      value = inner
    }
    #expect(value == .string("["))
    // Closed brackets do not count.
    var many = JSON5Reader("[" + String(repeating: "[[]],", count: 1000) + "]")
    guard case .array(let elements) = try many.read().content else { return }
    #expect(elements.count == 1000)
  }
}
