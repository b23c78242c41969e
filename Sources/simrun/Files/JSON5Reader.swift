/// Reads a JSON5 text in one pass, and says where each value stands.
///
/// Foundation's reader tells neither the place of a mistake nor the order of keys. This one reads all of
/// JSON5 1.0 but `Infinity` and `NaN`, which no field takes. It also refuses a key that stands twice in an object,
/// a lone half of a surrogate pair, and brackets nested deeper than ``maximumDepth``.
struct JSON5Reader {
  /// How many brackets may be open at once, so that the recursion is bounded.
  static let maximumDepth = 64

  var cursor: JSON5Cursor
  /// What has begun and not ended at the cursor, outermost first.
  private var open: [OpenPart] = []

  init(_ text: String) {
    cursor = JSON5Cursor(Array(text.utf8))
  }

  /// Reads bytes of a file.
  ///
  /// - Throws: a ``JSON5Problem`` where they are not text in UTF-8.
  init(_ bytes: [UInt8]) throws(JSON5Problem) {
    do {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      throw JSON5Problem(
        position: Self.end(of: bytes[..<error.byteOffsets.lowerBound]),
        message: "is not text in UTF-8")
    }
    if let offset = bytes.firstIndex(of: 0) {
      throw JSON5Problem(
        position: Self.end(of: bytes[..<offset]), message: "holds a NUL byte, so it is not text")
    }
    cursor = JSON5Cursor(bytes)
  }

  /// The place behind a part of a file that is text.
  private static func end(of bytes: ArraySlice<UInt8>) -> TextPosition {
    var cursor = JSON5Cursor(Array(bytes))
    while cursor.current != nil { cursor.advance() }
    return cursor.position
  }

  /// Reads the only value of the text.
  ///
  /// - Throws: the first ``JSON5Problem`` of the text.
  mutating func read() throws(JSON5Problem) -> JSON5Node {
    let start = cursor.offset
    try skipBlanks()
    if cursor.current == nil {
      // Between blanks, only a comment can hold a slash.
      let hasComments = cursor.text(from: start).contains(UInt8(ascii: "/"))
      throw JSON5Problem(
        position: hasComments ? cursor.position : .start,
        message: hasComments ? "expected a value, found only comments" : "is empty")
    }
    let node = try value()
    try skipBlanks()
    if cursor.current != nil { throw unexpected("the end of the file") }
    return node
  }

  /// Reads a value, which begins at the cursor.
  ///
  /// - Parameter mayClose: whether a closing bracket could stand here too, for the message.
  /// - Returns: the value.
  /// - Throws: the first ``JSON5Problem``.
  private mutating func value(mayClose: Bool = false) throws(JSON5Problem) -> JSON5Node {
    let position = cursor.position
    let content: JSON5Node.Content
    switch cursor.current {
    case "{": content = .object(try members())
    case "[": content = .array(try elements())
    case "\"", "'": content = .string(try string())
    case let scalar? where scalar.isNumberStart: content = try number()
    case let scalar? where scalar.isIdentifierStart: content = try word()
    default: throw unexpected("a value", mayClose: mayClose)
    }
    return JSON5Node(position: position, content: content)
  }

  private mutating func elements() throws(JSON5Problem) -> [JSON5Node] {
    var elements: [JSON5Node] = []
    try begin(.array)
    repeat {
      try skipBlanks()
      if cursor.current == "]" { break }
      elements.append(try value(mayClose: true))
    } while try skipComma(before: "]")
    end()
    return elements
  }

  private mutating func members() throws(JSON5Problem) -> [JSON5Node.Member] {
    var members: [JSON5Node.Member] = []
    // Keys are compared byte by byte: to bring a long run of accents into order, as strings do before they
    // compare, may take longer than to read the file.
    var lines: [[UInt8]: Int] = [:]
    try begin(.object)
    repeat {
      try skipBlanks()
      if cursor.current == "}" { break }
      let member = try member()
      if let line = lines.updateValue(member.position.line, forKey: Array(member.key.utf8)) {
        throw JSON5Problem(
          position: member.position,
          message: "the key \(member.key.excerpt) stands in line \(line) already")
      }
      members.append(member)
    } while try skipComma(before: "}")
    end()
    return members
  }

  private mutating func member() throws(JSON5Problem) -> JSON5Node.Member {
    let position = cursor.position
    let key = try key()
    try skipBlanks()
    if !cursor.skip(":") { throw unexpected("a colon after the key \(key.excerpt)") }
    try skipBlanks()
    return JSON5Node.Member(key: key, position: position, node: try value())
  }

  /// Goes past a comma, and says whether there was one; if not, the closing bracket must be next.
  private mutating func skipComma(before closing: Unicode.Scalar) throws(JSON5Problem) -> Bool {
    try skipBlanks()
    if cursor.skip(",") { return true }
    if cursor.current != closing { throw unexpected("a comma", mayClose: true) }
    return false
  }
}

// MARK: - What is open

extension JSON5Reader {
  /// Goes past the first scalar of something that must be closed.
  mutating func begin(_ kind: OpenPart.Kind) throws(JSON5Problem) {
    // Strings and comments hold no brackets, so what is open are brackets.
    if kind.isBracket, open.count == Self.maximumDepth {
      throw JSON5Problem(
        position: cursor.position, message: "is nested deeper than \(Self.maximumDepth) brackets")
    }
    open.append(OpenPart(kind: kind, position: cursor.position))
    cursor.advance()
  }

  /// Goes past the last scalar of what was opened last.
  mutating func end() {
    open.removeLast()
    cursor.advance()
  }

  /// The problem that the text does not go on as it must.
  ///
  /// - Parameters:
  ///   - expected: what could stand at the cursor.
  ///   - mayClose: whether the closing bracket could stand there too.
  /// - Returns: the problem at the cursor.
  func unexpected(_ expected: String, mayClose: Bool = false) -> JSON5Problem {
    var message = "expected \(expected)"
    if mayClose, let part = open.last { message += " or \(part.kind.closing)" }
    message += ", found \(cursor.found)"
    return JSON5Problem(
      position: cursor.position, message: message + (mayClose ? unclosed : unclosedAtEnd))
  }

  /// What is still open, if the text is over.
  var unclosedAtEnd: String { cursor.current == nil ? unclosed : "" }

  var unclosed: String {
    open.last.map { "; the \($0.kind.name) of line \($0.position.line) is not closed" } ?? ""
  }
}
