extension String {
  /// The beginning of a text from a file in quotes, with nothing in it that a terminal would obey.
  var excerpt: String {
    let longest = 40
    var result = ""
    for scalar in unicodeScalars.prefix(longest) {
      if scalar.isVisible {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    // `count` would walk through all of a text that may be as long as the file.
    let isCut = unicodeScalars.dropFirst(longest).first != nil
    return "\"\(result)\(isCut ? "…" : "")\""
  }
}

extension ArraySlice<UInt8> {
  /// The beginning of these bytes as a text in quotes.
  var excerpt: String { String(decoding: self, as: UTF8.self).excerpt }
}

extension Unicode.Scalar {
  fileprivate var isVisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default: true
    }
  }
}
