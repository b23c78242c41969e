import SimCore

/// Periods without a network in options and files.
enum NetworkText {
  static let offline = FieldCodec<NetworkPolicy.Offline>(
    accepted:
      "never, periods such as 10min..12min, 1h..2h, or alternating(up=…, down=…) with two distributions",
    encode: {
      switch $0 {
      case .never: "never"
      case .periods(let periods):
        .array(periods.map { .string("\($0.from.text)..\($0.to.text)") })
      case .alternating(let up, let down):
        .object([
          "kind": "alternating", "up": DistributionText.encode(up),
          "down": DistributionText.encode(down),
        ])
      }
    },
    decode: { value in
      if value == "never" { return .never }
      if let (up, down) = try alternating(value) {
        return .alternating(
          up: try DistributionText.decode(up), down: try DistributionText.decode(down))
      }
      let periods = try value.items(separatedBy: ",", period)
      for (index, pair) in zip(periods, periods.dropFirst()).enumerated()
      where pair.1.from < pair.0.to {
        throw FieldProblem("has a period that begins before the one before it ends", at: index + 1)
      }
      return .periods(periods)
    })

  private static func alternating(_ value: JSONValue) throws -> (JSONValue, JSONValue)? {
    switch value {
    case .object(let members):
      guard members.count == 3, value["kind"] == "alternating", let up = value["up"],
        let down = value["down"]
      else { throw FieldProblem("needs kind alternating, up, and down, and nothing else") }
      return (up, down)
    case .string(let text) where text.nameAndArgument.name == "alternating":
      let arguments = try (text.nameAndArgument.argument ?? "").pieces(at: ",")
      guard arguments.count == 2, arguments[0].hasPrefix("up="), arguments[1].hasPrefix("down=")
      else { throw FieldProblem("is not like alternating(up=exponential(mean=1h), down=30s)") }
      return (
        .string(String(arguments[0].dropFirst(3))), .string(String(arguments[1].dropFirst(5)))
      )
    default: return nil
    }
  }

  /// A period like `10min..12min`.
  static func period(_ text: String) throws -> NetworkPolicy.Period {
    let ends = text.components(at: "..")
    guard ends.count == 2 else { throw FieldProblem("is not like 10min..12min") }
    let period = NetworkPolicy.Period(
      from: try FieldCodec.duration.decode(.string(ends[0])),
      to: try FieldCodec.duration.decode(.string(ends[1])))
    guard period.from < period.to else { throw FieldProblem("ends before it begins") }
    return period
  }
}

/// Steps of a clock in options and files.
enum ClockText {
  static let steps = FieldCodec<[ClockStep]>(
    accepted: "steps such as -1d@60s, +2s@1h",
    encode: { .array($0.map { .string("\($0.by.text)@\($0.at.text)") }) },
    decode: { value in
      try value.items(separatedBy: ",") { text in
        let parts = text.components(at: "@")
        guard parts.count == 2 else { throw FieldProblem("is not like -1d@60s") }
        return ClockStep(
          by: try FieldCodec.signedDuration.decode(.string(parts[0])),
          at: try FieldCodec.duration.decode(.string(parts[1])))
      }
    })
}

extension String {
  /// The text cut at each occurrence of another, without spaces at either end of a piece.
  fileprivate func components(at separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map { String($0).trimmed }
  }
}
