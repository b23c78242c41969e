extension JSON5Reader {
  /// Reads a key, in quotes or not.
  mutating func key() throws(JSON5Problem) -> String {
    switch cursor.current {
    case "\"", "'": return try string()
    case "\\": return try identifier()
    case let scalar? where scalar.isIdentifierStart: return try identifier()
    default: throw unexpected("a key", mayClose: true)
    }
  }

  /// Reads a text between two quotes of the kind at the cursor.
  mutating func string() throws(JSON5Problem) -> String {
    guard let quote = cursor.current else { throw unexpected("a string") }
    var text: [UInt8] = []
    try begin(.string(quote: quote))
    var start = cursor.offset
    while let scalar = cursor.current, scalar != quote, scalar != "\n", scalar != "\r" {
      if scalar == "\\" {
        text += cursor.text(from: start)
        if let meant = try escape() { text += meant.utf8 }
        start = cursor.offset
      } else {
        cursor.advance()
      }
    }
    text += cursor.text(from: start)
    if cursor.current != quote {
      throw JSON5Problem(
        position: cursor.position,
        message: "expected the closing \(quote), found \(cursor.found)\(unclosed)")
    }
    end()
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads a key without quotes.
  private mutating func identifier() throws(JSON5Problem) -> String {
    var text: [UInt8] = []
    while let scalar = cursor.current {
      if scalar == "\\" {
        text += try escapeInIdentifier(isFirst: text.isEmpty).utf8
      } else if scalar.isIdentifierPart {
        text += scalar.utf8
        cursor.advance()
      } else {
        break
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escapeInIdentifier(isFirst: Bool) throws(JSON5Problem) -> Unicode.Scalar {
    let position = cursor.position
    cursor.advance()
    if !cursor.skip("u") { throw unexpected("u after \\ in a key without quotes") }
    let scalar = try unicodeEscape(at: position)
    if isFirst ? scalar.isIdentifierStart : scalar.isIdentifierPart { return scalar }
    throw JSON5Problem(
      position: position,
      message: "\(String(scalar).excerpt) cannot stand here in a key without quotes")
  }
}

// MARK: - Escapes

extension JSON5Reader {
  /// Reads an escape and says what it means; a line end after the backslash means nothing.
  private mutating func escape() throws(JSON5Problem) -> Unicode.Scalar? {
    let position = cursor.position
    cursor.advance()
    guard let scalar = cursor.current else { throw unexpected("the rest of an escape") }
    if scalar.isLineEnd {
      cursor.skipLineEnd()
      return nil
    }
    cursor.advance()
    switch scalar {
    case "b": return "\u{08}"
    case "f": return "\u{0C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{0B}"
    case "x": return Unicode.Scalar(try hexadecimal(digits: 2, "two hexadecimal digits after \\x"))
    case "u": return try unicodeEscape(at: position)
    case "0":
      guard let next = cursor.current, "0"..."9" ~= next else { return "\0" }
      throw unexpected("no digit after \\0")
    case "1"..."9":
      throw JSON5Problem(
        position: position, message: "\\\(scalar) is not an escape; write \\x0\(scalar)")
    default: return scalar
    }
  }

  /// Reads the digits of a `\u`, and the second half of a pair.
  private mutating func unicodeEscape(at position: TextPosition) throws(JSON5Problem)
    -> Unicode.Scalar
  {
    let digits = "four hexadecimal digits after \\u"
    let first = try hexadecimal(digits: 4, digits)
    if let scalar = Unicode.Scalar(first) { return scalar }
    if first < 0xDC00, cursor.skip("\\"), cursor.skip("u") {
      let second = try hexadecimal(digits: 4, digits)
      let offset = (first - 0xD800) << 10 | (second &- 0xDC00)
      if 0xDC00...0xDFFF ~= second, let scalar = Unicode.Scalar(0x10000 + offset) { return scalar }
    }
    throw JSON5Problem(
      position: position,
      message: "\\u\(String(first, radix: 16, uppercase: true)) is half of a pair, "
        + "and its other half is missing\(unclosedAtEnd)")
  }

  private mutating func hexadecimal(digits: Int, _ expected: String) throws(JSON5Problem) -> UInt32
  {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = cursor.current?.hexadecimalDigit else { throw unexpected(expected) }
      value = value << 4 | digit
      cursor.advance()
    }
    return value
  }
}
