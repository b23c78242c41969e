import Testing

@testable import simrun

struct JSON5ReaderTests {
  private func read(_ text: String) throws -> JSONValue {
    var reader = JSON5Reader(text)
    return try reader.read().value
  }

  private func position(_ line: Int, _ column: Int) -> TextPosition {
    TextPosition(line: line, column: column)
  }

  @Test(
    arguments: [
      ("null", .null), ("true", .bool(true)), ("false", .bool(false)), ("7", .integer(7)),
      ("'a'", .string("a")), ("[]", .array([])), ("{}", .object([])),
    ] as [(String, JSONValue)])
  func `Every kind of value may stand alone`(text: String, value: JSONValue) throws {
    #expect(try read(text) == value)
    #expect(try read(" \t\(text)\n") == value)
  }

  @Test(
    arguments: [
      ("0", .integer(0)), ("-0", .integer(0)), ("+5", .integer(5)), ("-12", .integer(-12)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .number(9_223_372_036_854_775_808)),
      ("18446744073709551616", .number(18_446_744_073_709_551_616)),
      ("0x1F", .integer(31)), ("0XdecAF", .integer(912559)), ("-0x10", .integer(-16)),
      ("+0xa", .integer(10)), ("0x7FFFFFFFFFFFFFFF", .integer(.max)),
      ("-0x8000000000000000", .integer(.min)),
      ("0x8000000000000000", .number(9_223_372_036_854_775_808)),
      ("0x100000000000000000000", .number(1_208_925_819_614_629_174_706_176)),
      ("-0x10000000000000000", .number(-18_446_744_073_709_551_616)),
      ("1.5", .number(1.5)), (".5", .number(0.5)), ("5.", .number(5)), ("-.25", .number(-0.25)),
      ("+1.0", .number(1)), ("1e3", .number(1000)), ("1E+3", .number(1000)),
      ("25e-2", .number(0.25)), ("5.e1", .number(50)), (".5e1", .number(5)), ("0e9", .number(0)),
      ("0.0", .number(0)), ("0.1", .number(0.1)),
      ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
      ("5e-324", .number(.leastNonzeroMagnitude)),
    ] as [(String, JSONValue)])
  func `A number is whole if it is written so and fits`(text: String, value: JSONValue) throws {
    #expect(try read(text) == value)
    #expect(try read("[\(text)]") == .array([value]))
  }

  @Test(arguments: [
    (#""a b""#, "a b"), (#"'a b'"#, "a b"), (#""""#, ""), (#"''"#, ""),
    (#""it's""#, "it's"), (#"'say "x"'"#, #"say "x""#), (#"'it\'s'"#, "it's"),
    (#""a\"b""#, #"a"b"#), (#"'\\'"#, #"\"#), (#"'\/'"#, "/"),
    (#"'\b\f\n\r\t\v'"#, "\u{08}\u{0C}\n\r\t\u{0B}"), (#"'\0'"#, "\0"), (#"'\0a'"#, "\0a"),
    (#"'\a\q\A'"#, "aqA"), (#"'\x41\x7e\xFf'"#, "A~ÿ"), (#"'\u0041\u20aC'"#, "A€"),
    (#"'\uD83D\uDE00'"#, "\u{1F600}"), (#"'\ud800\udc00\udbff\udfff'"#, "\u{10000}\u{10FFFF}"),
    (#"'\u00e9'"#, "é"), (#"'\u0000'"#, "\0"), (#"'\ud83d\ude00x'"#, "\u{1F600}x"),
    ("'a\\\nb'", "ab"), ("'a\\\r\nb'", "ab"), ("'a\\\rb'", "ab"), ("'a\\\n\\\n b'", "a b"),
    ("'a\\\u{2028}b\\\u{2029}c'", "abc"), ("'a\u{2028}b\u{2029}'", "a\u{2028}b\u{2029}"),
    ("'\t\u{07}'", "\t\u{07}"), ("'// /* */ [ { , :'", "// /* */ [ { , :"),
    ("'é€\u{1F600}'", "é€\u{1F600}"),
    ("'\\é'", "é"),
  ])
  func `A string means what its escapes say`(text: String, meaning: String) throws {
    // Compared by scalars, since two strings with equal accents are equal otherwise.
    guard case .string(let read) = try read(text) else {
      Issue.record("\(text) is no string")
      return
    }
    #expect(Array(read.unicodeScalars) == Array(meaning.unicodeScalars))
  }

  @Test(arguments: [
    ("a", "a"), ("$_a1", "$_a1"), ("null", "null"), ("Infinity", "Infinity"), ("true", "true"),
    ("é", "é"), ("ключ", "ключ"), ("a\u{0301}", "a\u{0301}"), ("a\u{200D}b", "a\u{200D}b"),
    (#"\u0061b"#, "ab"), (#"a\u0031"#, "a1"), ("'a b'", "a b"), (#""\x41""#, "A"), ("''", ""),
    ("ⅷ", "ⅷ"), ("a‿b", "a‿b"), ("a٣", "a٣"), (#"\u{24}"#.replacing("{24}", with: "0024"), "$"),
  ])
  func `A key is an identifier or a string`(text: String, key: String) throws {
    #expect(try read("{\(text):1}") == .object([.init(key, .integer(1))]))
    #expect(try read("{ \(text) /**/ : 1 }") == .object([.init(key, .integer(1))]))
  }

  @Test(arguments: [
    "[1,[2,{a:3}],]", "[ 1 , [ 2 , { a : 3 , } , ] , ]", "// x\n[1,[2,{a:3}]]// y",
    "/**/[/* [ */1/***/,/*/*/[2,{/*}*/a/*:*/:/*:*/3}/* // */]]/*\n*/", "\u{FEFF}[1,[2,{a:3}]]",
    "[1,\r\n[2,\r{a:\u{2028}3\u{2029}}]]\r\n",
    "\t\u{0B}\u{0C} \u{A0}\u{FEFF}\u{2003}\u{3000}\u{1680}[1,[2,{\"a\":3}]]", "[1,[2,{'a':3}]]//",
    "[1, // one\r[2,{a:3}]]", "[1, // one\u{2028}[2,{a:3}]]", "[1,[2,{\\u0061:+0x3,}],]/* */\n\n",
  ])
  func `Blanks, comments, and last commas change nothing`(text: String) throws {
    #expect(
      try read(text)
        == .array([.integer(1), .array([.integer(2), .object(["a": .integer(3)])])]))
  }

  @Test func `Keys keep their order and places`() throws {
    var reader = JSON5Reader(
      "\u{FEFF}// first\r\n{ z: 1,\r\n\t'a': [true,\n\n  \"é\u{1F600}\", null],\n}")
    let root = try reader.read()
    guard case .object(let members) = root.content else {
      Issue.record("no object")
      return
    }
    #expect(root.position == position(2, 1))
    #expect(members.map(\.key) == ["z", "a"])
    #expect(members.map(\.position) == [position(2, 3), position(3, 2)])
    #expect(members.map(\.node.position) == [position(2, 6), position(3, 7)])
    guard case .array(let elements) = members[1].node.content else {
      Issue.record("no array")
      return
    }
    #expect(elements.map(\.position) == [position(3, 8), position(5, 3), position(5, 9)])
    #expect(root["a"]?.position == position(3, 7))
    #expect(root["z"]?.value == .integer(1))
    #expect(root["y"] == nil)
    #expect(members[1].node["z"] == nil)
  }

  /// Each pair of a carriage return and a line feed is one line end; each alone is one too.
  @Test(arguments: [
    ("\n\nx", 3), ("\r\n\r\nx", 3), ("\r\rx", 3), ("\n\rx", 3), ("\u{2028}\u{2029}x", 3),
    ("\r\n\n\rx", 4),
  ])
  func `Every line end counts once`(text: String, line: Int) {
    var reader = JSON5Reader(text)
    #expect(
      throws: JSON5Problem(
        position: position(line, 1), message: "\"x\" is not a value; quote it to make it text")
    ) { try reader.read() }
  }

  @Test func `Line ends within strings count too`() throws {
    var reader = JSON5Reader("['a\\\r\nb\u{2028}c', 1]")
    guard case .array(let elements) = try reader.read().content else {
      Issue.record("no array")
      return
    }
    #expect(elements.map(\.position) == [position(1, 2), position(3, 5)])
  }
}
