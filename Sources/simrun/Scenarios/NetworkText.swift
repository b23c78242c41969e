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
        PeriodText.list.encode(periods)
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
      return .periods(try PeriodText.list.decode(value))
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
}

/// Steps of a clock in options and files.
enum ClockText {
  static let steps = FieldCodec<[ClockStep]>(
    accepted: "steps such as -1d@60s, +2s@1h",
    encode: { .array($0.map { .string("\($0.by.text)@\($0.at.text)") }) },
    decode: { value in
      try value.items(separatedBy: ",") { text in
        let parts = text.parts(at: "@")
        guard parts.count == 2 else { throw FieldProblem("is not like -1d@60s") }
        return ClockStep(
          by: try FieldCodec.signedDuration.decode(.string(parts[0])),
          at: try FieldCodec.duration.decode(.string(parts[1])))
      }
    })
}
