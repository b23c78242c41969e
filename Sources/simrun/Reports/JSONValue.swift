/// A JSON value whose objects keep the order of their keys.
///
/// Foundation's types lose that order, and a result must be the same text each time.
enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  /// A whole number up to 2⁶⁴, which a seed may need.
  case unsigned(UInt64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  struct Member: Equatable, Sendable {
    let key: String
    var value: JSONValue

    init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The members of an object, in order.
  static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(members.map { Member($0.key, $0.value) })
  }

  /// The value of a key of an object.
  subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The text, two spaces to a level; what fits the width stays on a line.
  func text(indentation: Int = 0, width: Int = 88) -> String {
    let short = line
    if short.count + indentation <= width { return short }
    let inner = String(repeating: " ", count: indentation + 2)
    let outer = String(repeating: " ", count: indentation)
    switch self {
    case .array(let values):
      let lines = values.map { inner + $0.text(indentation: indentation + 2, width: width) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(outer)]"
    case .object(let members):
      let lines = members.map {
        "\(inner)\(Self.quoted($0.key)): \($0.value.text(indentation: indentation + 2, width: width))"
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
    default: return short
    }
  }

  private var line: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .number(let value): Self.number(value)
    case .string(let value): Self.quoted(value)
    case .array(let values): "[\(values.map(\.line).joined(separator: ", "))]"
    case .object(let members):
      members.isEmpty
        ? "{}"
        : "{ \(members.map { "\(Self.quoted($0.key)): \($0.value.line)" }.joined(separator: ", ")) }"
    }
  }

  /// The shortest decimal that reads back as the same number; whole numbers without a fraction.
  private static func number(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    if value == value.rounded(), value.magnitude < 1e15 { return String(Int(value)) }
    return value.description
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
