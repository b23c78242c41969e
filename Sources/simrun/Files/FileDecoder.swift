/// Takes the members of an object of a file one by one, and complains about those that nobody took.
///
/// Each message begins with the file and the place, then the key path, what was given, and what is accepted.
struct FileDecoder {
  let file: String

  /// A problem at a place of the file.
  func problem(_ position: TextPosition, _ message: String) -> Problem {
    Problem("\(file):\(position.line):\(position.column): \(message)", .badData)
  }

  /// The members of an object.
  ///
  /// - Throws: a ``Problem`` if the value is no object.
  func members(_ node: JSON5Node, _ path: String) throws -> [JSON5Node.Member] {
    guard case .object(let members) = node.content else {
      throw problem(
        node.position,
        "\(path.isEmpty ? "the file" : path) is \(node.content.name), not an object in braces")
    }
    return members
  }

  /// The elements of an array; a lone value counts as an array of one.
  func elements(_ node: JSON5Node) -> [JSON5Node] {
    if case .array(let elements) = node.content { elements } else { [node] }
  }

  /// The text of a string.
  ///
  /// - Throws: a ``Problem`` if the value is no string.
  func text(_ node: JSON5Node, _ path: String) throws -> String {
    guard case .string(let text) = node.content else {
      throw problem(node.position, "\(path) is \(node.content.name), not text in quotes")
    }
    return text
  }

  /// Puts the values of an object into the fields that its key paths name.
  ///
  /// - Parameters:
  ///   - node: the object.
  ///   - path: the path of the object itself, or nothing.
  ///   - fields: the fields that there are.
  ///   - root: what the fields are of.
  /// - Returns: the paths of the fields that were given, each with the place of its value.
  /// - Throws: all ``Problems`` together.
  func decode<Root>(
    _ node: JSON5Node, _ path: String = "", _ fields: [Field<Root>], into root: inout Root
  ) throws -> [(path: String, position: TextPosition)] {
    var problems = Problems()
    var given: [(path: String, position: TextPosition)] = []
    for member in try members(node, path) {
      let name = path.isEmpty ? member.key : "\(path).\(member.key)"
      _ = try problems.collect {
        if let field = fields.first(where: { $0.path == name }) {
          try write(member.node, field, into: &root)
          given.append((name, member.node.position))
        } else if fields.contains(where: { $0.path.hasPrefix(name + ".") }) {
          given += try decode(member.node, name, fields, into: &root)
        } else {
          throw unknown(member, name, fields.map(\.path) + Self.groups(fields))
        }
      }
    }
    try problems.throwIfAny()
    return given
  }

  /// The paths of the objects that fields lie in.
  private static func groups<Root>(_ fields: [Field<Root>]) -> [String] {
    fields.compactMap { field in
      field.path.lastIndex(of: ".").map { String(field.path[..<$0]) }
    }
  }

  private func write<Root>(
    _ node: JSON5Node, _ field: Field<Root>, into root: inout Root
  ) throws {
    do {
      try field.write(&root, node.value)
    } catch let error as FieldProblem {
      let (place, given) = culprit(of: error, in: node)
      let lead = given.isEmpty ? field.path : "\(field.path): \(given)"
      throw problem(place, "\(lead) \(error.clause)")
    } catch let error as Problem {
      throw problem(node.position, "\(field.path): \(error.message)")
    }
  }

  /// Where a problem lies: in the item of a list that it is about, or in the value itself.
  private func culprit(
    of error: FieldProblem, in node: JSON5Node
  ) -> (place: TextPosition, given: String) {
    if let index = error.index, case .array(let elements) = node.content, index < elements.count {
      return (elements[index].position, "")
    }
    let text = node.value.text()
    return (node.position, text.count > 80 ? "" : text)
  }

  /// A key that is not known, with the nearest one that is.
  func unknown(_ member: JSON5Node.Member, _ path: String, _ known: [String]) -> Problem {
    problem(
      member.position,
      "unknown key \"\(path)\".\(path.suggestion(from: known))")
  }
}

extension JSON5Node.Content {
  /// The kind of value, for messages.
  var name: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number, .integer: "a number"
    case .string: "text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
