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

  static let lifetime = FieldCodec<ServerPolicy.Lifetime>(
    accepted: "a duration above zero, such as 5min, or uniform(from=…, to=…)",
    encode: {
      switch $0 {
      case .fixed(let length): DistributionText.encode(.constant(length))
      case .uniform(let from, let to): DistributionText.encode(.uniform(from: from, to: to))
      }
    },
    decode: { value in
      let lifetime: ServerPolicy.Lifetime
      switch try DistributionText.decode(value) {
      case .constant(let length): lifetime = .fixed(length)
      case .uniform(let from, let to): lifetime = .uniform(from: from, to: to)
      default: throw FieldProblem("is neither a duration nor uniform(from=…, to=…)")
      }
      if lifetime.shortest == .zero { throw FieldProblem("must be longer than zero") }
      return lifetime
    })

  static let overlap = FieldCodec<ServerPolicy.AccessOverlap>(
    accepted: "unlimited, a duration, untilNewAccessUsed, or untilNewRefreshUsed",
    encode: {
      switch $0 {
      case .unlimited: "unlimited"
      case .lasting(let length): .string(length.text)
      case .untilNewAccessUsed: "untilNewAccessUsed"
      case .untilNewRefreshUsed: "untilNewRefreshUsed"
      }
    },
    decode: { value in
      switch value {
      case "unlimited": return .unlimited
      case "untilNewAccessUsed": return .untilNewAccessUsed
      case "untilNewRefreshUsed": return .untilNewRefreshUsed
      case .string(let text) where text.first?.isLetter == true:
        let names = ["unlimited", "untilNewAccessUsed", "untilNewRefreshUsed"]
        throw FieldProblem(
          "is unknown; use a duration, \(names.alternatives).\(text.suggestion(from: names))")
      default: return .lasting(try FieldCodec.duration.decode(value))
      }
    })

  private static let acceptedRace =
    "serialize, refuse(error), winnersPair, fork, or lastWriter; an error is "
    + FieldCodec<TokenError>.choice().accepted

  static let race = FieldCodec<ServerPolicy.Race>(
    accepted: acceptedRace,
    encode: {
      switch $0 {
      case .serialize: "serialize"
      case .refuse(let error): .string("refuse(\(error))")
      case .winnersPair: "winnersPair"
      case .fork: "fork"
      case .lastWriter: "lastWriter"
      }
    },
    decode: { value in
      let (name, argument) = call(value.typed)
      switch (name, argument) {
      case ("serialize", nil): return .serialize
      case ("refuse", let error?):
        return .refuse(try FieldCodec<TokenError>.choice().decode(error, as: "error"))
      case ("refuse", nil): throw FieldProblem("needs an error, as in refuse(serverError)")
      case ("winnersPair", nil): return .winnersPair
      case ("fork", nil): return .fork
      case ("lastWriter", nil): return .lastWriter
      default:
        let names = ["serialize", "refuse", "winnersPair", "fork", "lastWriter"]
        throw FieldProblem("is unknown; use \(acceptedRace).\(name.suggestion(from: names))")
      }
    })

  /// A name with an argument in brackets, taken apart.
  static func call(_ text: String) -> (name: String, argument: String?) {
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return (text, nil) }
    return (String(text[..<open]), String(text[text.index(after: open)...].dropLast()))
  }
}
