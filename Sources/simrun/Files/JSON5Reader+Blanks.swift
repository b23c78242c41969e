extension JSON5Reader {
  /// Goes past spaces, line ends, and comments.
  mutating func skipBlanks() throws(JSON5Problem) {
    while let scalar = cursor.current {
      if scalar == "/" {
        try skipComment()
      } else if scalar.isBlank {
        cursor.advance()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(JSON5Problem) {
    var next = cursor
    next.advance()
    switch next.current {
    case "/":
      while let scalar = cursor.current, !scalar.isLineEnd { cursor.advance() }
    case "*": try skipBlockComment()
    default:
      cursor = next
      throw unexpected("/ or * after /")
    }
  }

  private mutating func skipBlockComment() throws(JSON5Problem) {
    try begin(.comment)
    // The star that opens it cannot close it too.
    cursor.advance()
    while cursor.current != nil {
      if !cursor.skip("*") {
        cursor.advance()
      } else if cursor.current == "/" {
        return end()
      }
    }
    throw unexpected("*/")
  }
}
