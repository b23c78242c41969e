/// Walks through the scalars of a text once and knows the line and column.
struct JSON5Cursor {
  /// Text in UTF-8, which must be valid.
  private let bytes: [UInt8]
  /// The place of ``current`` in the text.
  private(set) var offset = 0
  private(set) var position = TextPosition.start
  /// The scalar that is to be read next, nil at the end.
  private(set) var current: Unicode.Scalar?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    current = scalar(at: 0)
    if let mark = current, mark == "\u{FEFF}" {
      offset = UTF8.width(mark)
      current = scalar(at: offset)
    }
  }

  /// Goes on by one scalar, unless the text is over.
  mutating func advance() {
    guard let passed = current else { return }
    offset += UTF8.width(passed)
    current = scalar(at: offset)
    // The carriage return before a line feed is no line end of its own.
    if passed.isLineEnd, !(passed == "\r" && current == "\n") {
      position = TextPosition(line: position.line + 1, column: 1)
    } else {
      position = TextPosition(line: position.line, column: position.column + 1)
    }
  }

  /// Goes past a scalar if it is next.
  ///
  /// - Parameter scalar: what may be next.
  /// - Returns: whether it was.
  mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    advance()
    return true
  }

  /// Goes past a line end, which may be of two scalars.
  mutating func skipLineEnd() {
    let passed = current
    advance()
    if passed == "\r", current == "\n" { advance() }
  }

  /// Goes past what looks like a number or a word.
  mutating func takeToken() -> ArraySlice<UInt8> {
    let start = offset
    while let scalar = current, scalar.isTokenPart { advance() }
    return text(from: start)
  }

  /// The bytes from an earlier offset to the cursor.
  func text(from start: Int) -> ArraySlice<UInt8> {
    bytes[start..<offset]
  }

  /// What is next, for a message.
  var found: String {
    switch current {
    case nil: return "the end of the file"
    case " ": return "a space"
    case "\"": return "a double quote"
    case "'": return "a single quote"
    case let scalar? where scalar.isLineEnd: return "the end of the line"
    case let scalar?:
      var ahead = self
      let token = ahead.takeToken()
      return token.isEmpty ? String(scalar).excerpt : token.excerpt
    }
  }

  private func scalar(at offset: Int) -> Unicode.Scalar? {
    guard offset < bytes.count else { return nil }
    let first = bytes[offset]
    if first < 0x80 { return Unicode.Scalar(first) }
    let width = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    // The first byte begins with as many ones as there are bytes.
    var value = UInt32(first & (0x7F >> UInt8(width)))
    for byte in bytes[offset + 1..<offset + width] { value = value << 6 | UInt32(byte & 0x3F) }
    return Unicode.Scalar(value)
  }
}
