extension String {
  /// The text cut at a separator that stands outside brackets, without spaces at either end of a piece.
  ///
  /// - Throws: a ``FieldProblem`` if brackets do not match.
  func pieces(at separator: Character) throws -> [String] {
    var pieces = [""]
    var depth = 0
    for character in self {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth < 0 { throw FieldProblem("has a bracket that was never opened") }
      if character == separator, depth == 0 {
        pieces.append("")
      } else {
        pieces[pieces.count - 1].append(character)
      }
    }
    if depth > 0 { throw FieldProblem("has a bracket that is not closed") }
    return pieces.map(\.trimmed)
  }

  /// A name with an argument in brackets, taken apart.
  var nameAndArgument: (name: String, argument: String?) {
    guard let open = firstIndex(of: "("), hasSuffix(")") else { return (self, nil) }
    return (String(self[..<open]).trimmed, String(self[index(after: open)...].dropLast()).trimmed)
  }
}

extension JSONValue {
  /// The texts of a list, or of a string that separates them.
  ///
  /// - Throws: a ``FieldProblem`` if it is neither, or an item is no text.
  func texts(separatedBy separator: Character) throws -> [String] {
    switch self {
    case .string(let text): return try text.pieces(at: separator).filter { !$0.isEmpty }
    case .array(let values):
      return try values.enumerated().map { index, value in
        guard case .string(let text) = value else {
          throw FieldProblem("has an item that is not text", at: index)
        }
        return text.trimmed
      }
    default: throw FieldProblem("is not a list")
    }
  }

  /// What each text of a list stands for; a problem tells which item it is about.
  func items<Item>(
    separatedBy separator: Character, _ read: (String) throws -> Item
  ) throws -> [Item] {
    try texts(separatedBy: separator).enumerated().map { index, text in
      do {
        return try read(text)
      } catch let problem as FieldProblem {
        throw FieldProblem("has \"\(text)\", which \(problem.clause)", at: index)
      }
    }
  }
}
