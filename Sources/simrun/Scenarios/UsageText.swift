import SimCore

/// Openings in options and files.
enum UsageText {
  private static let acceptedOpens =
    "duringLifetime, expired, expiredAtServer, or a duration after the minting"

  static let opens = FieldCodec<Usage.Opens>(
    accepted: acceptedOpens,
    encode: {
      switch $0 {
      case .duringLifetime: "duringLifetime"
      case .expired: "expired"
      case .expiredAtServer: "expiredAtServer"
      case .at(let moment): .string(moment.text)
      }
    },
    decode: { value in
      switch value {
      case "duringLifetime": return .duringLifetime
      case "expired": return .expired
      case "expiredAtServer": return .expiredAtServer
      case .string(let text) where text.first?.isLetter == true:
        let names = ["duringLifetime", "expired", "expiredAtServer"]
        throw FieldProblem(
          "is unknown; use \(acceptedOpens).\(text.suggestion(from: names))")
      default: return .at(try FieldCodec.duration.decode(value))
      }
    })
}
