import SimCore

/// How a kind of value is written in options and files, and read back.
///
/// On the command line everything is a string; so each kind reads itself from a string too.
struct FieldCodec<Value>: Sendable {
  /// What is accepted, for messages and documentation.
  let accepted: String
  let encode: @Sendable (Value) -> JSONValue
  let decode: @Sendable (JSONValue) throws -> Value
}

extension FieldCodec {
  /// The value of a part of a field, which a problem then names.
  func decode(_ text: String, as part: String) throws -> Value {
    do {
      return try decode(.string(text))
    } catch let problem as FieldProblem {
      throw FieldProblem("has the \(part) \"\(text)\", which \(problem.clause)")
    }
  }

  /// This kind of value or none.
  func optional(none: String) -> FieldCodec<Value?> {
    FieldCodec<Value?>(
      accepted: "\(accepted), or \(none)", encode: { $0.map(encode) ?? .null },
      decode: { $0 == .null || $0 == .string(none) ? nil : try decode($0) })
  }
}

extension FieldCodec where Value == Duration {
  /// A length of time of at least zero.
  static let duration = FieldCodec(
    accepted: "a duration such as 250ms", encode: { .string($0.text) },
    decode: {
      let value = try Duration(text: text($0))
      if value < .zero { throw FieldProblem("is negative") }
      return value
    })

  /// A length of time that is longer than zero.
  static let positiveDuration = FieldCodec(
    accepted: "a duration above zero, such as 5min", encode: duration.encode,
    decode: {
      let value = try duration.decode($0)
      if value == .zero { throw FieldProblem("must be longer than zero") }
      return value
    })

  /// A part of a day, at least zero and below 24 h.
  static let partOfDay = FieldCodec(
    accepted: "a duration below 24h, such as 8h", encode: duration.encode,
    decode: {
      let value = try duration.decode($0)
      if value >= .seconds(86_400) { throw FieldProblem("is not below 24h") }
      return value
    })

  /// A length of time with a sign.
  static let signedDuration = FieldCodec(
    accepted: "a duration, negative or not, such as -1s", encode: duration.encode,
    decode: { try Duration(text: text($0)) })

  fileprivate static func text(_ value: JSONValue) throws -> String {
    switch value {
    case .string(let text): return text
    case .integer(let number): return String(number)
    case .number(let number): return String(number)
    default: throw FieldProblem("is not a duration such as 250ms")
    }
  }
}

extension FieldCodec where Value == Int {
  /// A whole number in a range.
  static func integer(_ range: ClosedRange<Int>) -> FieldCodec {
    let accepted = "a whole number from \(range.lowerBound.grouped) to \(range.upperBound.grouped)"
    return FieldCodec(
      accepted: accepted, encode: { .integer($0) },
      decode: {
        guard let number = $0.asNumber, number == number.rounded(), number.magnitude < 1e18,
          range.contains(Int(number))
        else { throw FieldProblem("is not \(accepted)") }
        return Int(number)
      })
  }
}

extension FieldCodec where Value == Double {
  /// A number in a range.
  static func number(_ range: ClosedRange<Double>) -> FieldCodec {
    let accepted = "a number from \(range.lowerBound.short) to \(range.upperBound.short)"
    return FieldCodec(
      accepted: accepted, encode: { .number($0) },
      decode: {
        guard let number = $0.asNumber, range.contains(number) else {
          throw FieldProblem("is not \(accepted)")
        }
        return number
      })
  }

  /// A share below one, of things that happen again and again.
  static let shareBelowOne = FieldCodec(
    accepted: "a share from 0 to 0.99, or 0% to 99%", encode: share.encode,
    decode: {
      let value = try share.decode($0)
      guard value <= 0.99 else { throw FieldProblem("is not a share from 0 to 0.99, or 0% to 99%") }
      return value
    })

  /// A share, as a plain number or with a percent sign.
  static let share = FieldCodec(
    accepted: "a share from 0 to 1, or 0% to 100%", encode: { .number($0) },
    decode: {
      guard let number = $0.asShare, (0...1).contains(number) else {
        throw FieldProblem("is not a share from 0 to 1, or 0% to 100%")
      }
      return number
    })
}

extension FieldCodec where Value == Bool {
  /// True or false.
  static let boolean = FieldCodec(
    accepted: "true or false", encode: { .bool($0) },
    decode: {
      switch $0 {
      case .bool(let value): return value
      case .string("true"): return true
      case .string("false"): return false
      default: throw FieldProblem("is not true or false")
      }
    })
}

extension FieldCodec where Value: CaseIterable & Sendable {
  /// One of the cases of an enumeration, by name.
  static func choice() -> FieldCodec {
    let cases = Array(Value.allCases)
    let names = cases.map { String(describing: $0) }
    return FieldCodec(
      accepted: names.alternatives, encode: { .string(String(describing: $0)) },
      decode: { value in
        guard let index = names.firstIndex(of: value.typed) else {
          throw FieldProblem(
            "is unknown; use \(names.alternatives).\(value.typed.suggestion(from: names))")
        }
        return cases[index]
      })
  }
}

extension FieldCodec {
  /// Any of the cases of an enumeration, by name, in the order in which they are declared.
  static func set<Element: CaseIterable & Hashable & Sendable>() -> FieldCodec<Set<Element>>
  where Value == Set<Element> {
    let choice = FieldCodec<Element>.choice()
    return FieldCodec<Set<Element>>(
      accepted: "none, or a list of \(choice.accepted)",
      encode: { set in .array(Element.allCases.filter(set.contains).map(choice.encode)) },
      decode: { value in
        if value == .null || value == "none" { return [] }
        let items = try value.items(separatedBy: ",") { try choice.decode(.string($0)) }
        return Set(items)
      })
  }
}

extension JSONValue {
  /// The number, also where it is written in a string.
  var asNumber: Double? {
    switch self {
    case .integer(let value): return Double(value)
    case .number(let value): return value
    case .string(let text):
      let value = Double(text.filter { $0 != " " && $0 != "_" })
      return value.flatMap { $0.isFinite ? $0 : nil }
    default: return nil
    }
  }

  /// The number, also with a percent sign.
  var asShare: Double? {
    guard case .string(let text) = self, text.hasSuffix("%") else { return asNumber }
    return JSONValue.string(String(text.dropLast())).asNumber.map { $0 / 100 }
  }

  /// The value as someone would have typed it.
  var typed: String {
    if case .string(let text) = self { text } else { text() }
  }
}
