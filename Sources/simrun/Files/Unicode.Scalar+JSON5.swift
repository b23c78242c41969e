/// What a scalar may be in JSON5.
extension Unicode.Scalar {
  /// Whether a line ends here; a carriage return and a line feed after it end it together.
  var isLineEnd: Bool {
    switch self {
    case "\n", "\r", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  /// Whether it only separates: spaces of any width, line ends, and a byte-order mark anywhere.
  var isBlank: Bool {
    switch self {
    case " ", "\n", "\r", "\t", "\u{0B}", "\u{0C}": true
    case _ where isASCII: false
    case "\u{2028}", "\u{2029}", "\u{FEFF}": true
    default: properties.generalCategory == .spaceSeparator
    }
  }

  /// Whether a key without quotes may begin with it.
  var isIdentifierStart: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "_", "$": true
    case _ where isASCII: false
    default:
      switch properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .letterNumber:
        true
      default: false
      }
    }
  }

  /// Whether a key without quotes may go on with it.
  var isIdentifierPart: Bool {
    if isIdentifierStart { return true }
    switch self {
    case "0"..."9": return true
    case _ where isASCII: return false
    case "\u{200C}", "\u{200D}": return true
    default:
      switch properties.generalCategory {
      case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return true
      default: return false
      }
    }
  }

  /// Whether a number may begin with it.
  var isNumberStart: Bool {
    switch self {
    case "+", "-", ".", "0"..."9": true
    default: false
    }
  }

  /// Whether it may belong to a number, or to what someone took for a number or a text.
  var isTokenPart: Bool {
    switch self {
    case ".", "+", "-", "%": true
    default: isIdentifierPart
    }
  }

  /// Its value as a hexadecimal digit.
  var hexadecimalDigit: UInt32? {
    switch self {
    case "0"..."9": value - 0x30
    case "A"..."F": value - 0x41 + 10
    case "a"..."f": value - 0x61 + 10
    default: nil
    }
  }
}
