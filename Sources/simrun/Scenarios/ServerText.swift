import SimCore

/// The decisions of servers in options and files.
enum ServerText {
  private static let acceptedRotation =
    "always, never, usedFraction(share), or remainingBelow(duration)"

  static let rotation = FieldCodec<ServerPolicy.Rotation>(
    accepted: acceptedRotation,
    encode: {
      switch $0 {
      case .always: "always"
      case .never: "never"
      case .usedFraction(let share): .string("usedFraction(\(share))")
      case .remainingBelow(let left): .string("remainingBelow(\(left.text))")
      }
    },
    decode: { value in
      let (name, argument) = call(value.typed)
      switch (name, argument) {
      case ("always", nil): return .always
      case ("never", nil): return .never
      case ("usedFraction", let share?):
        return .usedFraction(try FieldCodec.share.decode(.string(share)))
      case ("remainingBelow", let left?):
        return .remainingBelow(try FieldCodec.duration.decode(.string(left)))
      default:
        let names = ["always", "never", "usedFraction", "remainingBelow"]
        throw FieldProblem("is unknown; use \(acceptedRotation).\(name.suggestion(from: names))")
      }
    })

  static let window = FieldCodec<ServerPolicy.Grace.Window>(
    accepted: "a duration, or unlimited",
    encode: {
      switch $0 {
      case .unlimited: "unlimited"
      case .lasting(let window): .string(window.text)
      }
    },
    decode: {
      $0 == "unlimited" ? .unlimited : .lasting(try FieldCodec.duration.decode($0))
    })

  static let uses = FieldCodec<ServerPolicy.Grace.Uses>(
    accepted: "a whole number from 0, or unlimited",
    encode: {
      switch $0 {
      case .unlimited: "unlimited"
      case .atMost(let uses): .integer(uses)
      }
    },
    decode: {
      $0 == "unlimited"
        ? .unlimited : .atMost(try FieldCodec.integer(0...1_000_000).decode($0))
    })

  /// A name with an argument in brackets, taken apart.
  private static func call(_ text: String) -> (name: String, argument: String?) {
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return (text, nil) }
    return (String(text[..<open]), String(text[text.index(after: open)...].dropLast()))
  }
}

/// The life of the app in options and files.
enum LifecycleText {
  static let departure = FieldCodec<LifecyclePolicy.Departure>(
    accepted: "never, a distribution of the time after the opening, or \"at\" and an instant",
    encode: {
      switch $0 {
      case .never: "never"
      case .at(let instant): .string("at \(instant.text)")
      case .after(let distribution): DistributionText.encode(distribution)
      }
    },
    decode: { value in
      if value == "never" { return .never }
      if case .string(let text) = value, text.hasPrefix("at ") {
        return .at(try FieldCodec.duration.decode(.string(String(text.dropFirst(3)))))
      }
      return .after(try DistributionText.decode(value))
    })
}
