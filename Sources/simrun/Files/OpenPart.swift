/// Something that has begun and must be closed.
struct OpenPart {
  enum Kind {
    case array
    case object
    case comment
    case string(quote: Unicode.Scalar)

    var isBracket: Bool {
      switch self {
      case .array, .object: true
      case .comment, .string: false
      }
    }

    var name: String {
      switch self {
      case .array: "["
      case .object: "{"
      case .comment: "comment"
      case .string: "string"
      }
    }

    var closing: String {
      switch self {
      case .array: "]"
      case .object: "}"
      case .comment: "*/"
      case .string(let quote): String(quote)
      }
    }
  }

  let kind: Kind
  let position: TextPosition
}
