extension JSON5Reader {
  /// Reads `null`, `true`, or `false`.
  mutating func word() throws(JSON5Problem) -> JSON5Node.Content {
    let position = cursor.position
    let token = cursor.takeToken()
    switch String(decoding: token, as: UTF8.self) {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "Infinity", "NaN": throw notFinite(token, at: position)
    default: throw notA("value", token, at: position)
    }
  }

  /// Reads a number, decimal or hexadecimal.
  mutating func number() throws(JSON5Problem) -> JSON5Node.Content {
    let position = cursor.position
    let token = cursor.takeToken()
    var digits = token
    let isNegative = digits.take("-")
    if !isNegative { _ = digits.take("+") }
    if digits.elementsEqual("Infinity".utf8) || digits.elementsEqual("NaN".utf8) {
      throw notFinite(token, at: position)
    }
    var hexadecimal = digits
    if hexadecimal.take("0"), hexadecimal.take("x") || hexadecimal.take("X") {
      if let value = try whole(token, hexadecimal, isNegative, at: position) {
        return .integer(value)
      }
      return .number(try finite(token, at: position))
    }
    return try decimal(token, digits, isNegative, at: position)
  }

  /// The value of hexadecimal digits, nil if it does not fit.
  private func whole(
    _ token: ArraySlice<UInt8>, _ digits: ArraySlice<UInt8>, _ isNegative: Bool,
    at position: TextPosition
  ) throws(JSON5Problem) -> Int? {
    if digits.isEmpty { throw unexpected("a hexadecimal digit after \(token.excerpt)") }
    guard digits.allSatisfy({ Unicode.Scalar($0).hexadecimalDigit != nil }) else {
      throw notA("number", token, at: position)
    }
    return Int(digits, radix: 16, isNegative: isNegative)
  }

  private func decimal(
    _ token: ArraySlice<UInt8>, _ digits: ArraySlice<UInt8>, _ isNegative: Bool,
    at position: TextPosition
  ) throws(JSON5Problem) -> JSON5Node.Content {
    var rest = digits
    let whole = rest.takeDigits()
    let hasPoint = rest.take(".")
    let fraction = hasPoint ? rest.takeDigits() : []
    let hasMantissa = !whole.isEmpty || !fraction.isEmpty
    let hasExponent = hasMantissa && (rest.take("e") || rest.take("E"))
    if hasExponent { _ = rest.take("+") || rest.take("-") }
    let exponent = hasExponent ? rest.takeDigits() : []
    if rest.isEmpty, !hasMantissa || (hasExponent && exponent.isEmpty) {
      throw unexpected("a digit after \(token.excerpt)")
    }
    if !rest.isEmpty || !hasMantissa { throw notA("number", token, at: position) }
    let zero = UInt8(ascii: "0")
    if whole.count > 1, whole.first == zero {
      throw JSON5Problem(
        position: position, message: "\(token.excerpt) must not begin with a zero")
    }
    if !hasPoint, !hasExponent, let value = Int(whole, radix: 10, isNegative: isNegative) {
      return .integer(value)
    }
    let value = try finite(token, at: position)
    if value == 0, whole.contains(where: { $0 != zero }) || fraction.contains(where: { $0 != zero })
    {
      throw JSON5Problem(
        position: position, message: "\(token.excerpt) is too close to zero for a number")
    }
    return .number(value)
  }

  private func finite(
    _ token: ArraySlice<UInt8>, at position: TextPosition
  ) throws(JSON5Problem) -> Double {
    guard let value = Double(String(decoding: token, as: UTF8.self)) else {
      throw notA("number", token, at: position)
    }
    guard value.isFinite else {
      throw JSON5Problem(position: position, message: "\(token.excerpt) is too large for a number")
    }
    return value
  }

  private func notFinite(_ token: ArraySlice<UInt8>, at position: TextPosition) -> JSON5Problem {
    JSON5Problem(
      position: position,
      message: "\(String(decoding: token, as: UTF8.self)) is refused, "
        + "since every number here is finite")
  }

  private func notA(
    _ kind: String, _ token: ArraySlice<UInt8>, at position: TextPosition
  ) -> JSON5Problem {
    JSON5Problem(
      position: position,
      message: "\(token.excerpt) is not a \(kind); quote it to make it text\(unclosedAtEnd)")
  }
}

extension Int {
  /// The value of digits, which must be digits of the radix; nil if it does not fit.
  fileprivate init?(_ digits: ArraySlice<UInt8>, radix: Int, isNegative: Bool) {
    var value = 0
    for byte in digits {
      let digit = Int(Unicode.Scalar(byte).hexadecimalDigit ?? 0)
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: radix)
      // Counted down for a negative number, since the least one has no opposite.
      let (sum, isOver) = product.addingReportingOverflow(isNegative ? -digit : digit)
      if isTooLarge || isOver { return nil }
      value = sum
    }
    self = value
  }
}

extension ArraySlice<UInt8> {
  /// Removes the decimal digits at the beginning.
  fileprivate mutating func takeDigits() -> ArraySlice<UInt8> {
    let digits = prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    self = self[digits.endIndex...]
    return digits
  }

  /// Removes a character from the beginning if it is there.
  fileprivate mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard first == UInt8(ascii: character) else { return false }
    removeFirst()
    return true
  }
}
