/// A value of a JSON5 file with the place where it stands.
struct JSON5Node: Sendable {
  let position: TextPosition
  let content: Content

  enum Content: Sendable {
    case null
    case bool(Bool)
    case number(Double)
    /// A number without fraction and exponent that fits.
    case integer(Int)
    case string(String)
    case array([JSON5Node])
    case object([Member])
  }

  /// A key, the place where the key stands, and its value.
  struct Member: Sendable {
    let key: String
    let position: TextPosition
    let node: JSON5Node
  }

  /// The value without places, for the codecs.
  var value: JSONValue {
    switch content {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let value): .number(value)
    case .integer(let value): .integer(value)
    case .string(let value): .string(value)
    case .array(let elements): .array(elements.map(\.value))
    case .object(let members):
      .object(members.map { JSONValue.Member($0.key, $0.node.value) })
    }
  }

  /// The value of a key of an object.
  subscript(key: String) -> JSON5Node? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.node
  }
}
