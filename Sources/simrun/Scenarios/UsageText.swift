import SimCore

/// Openings and timelines in options and files.
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

  /// Moments like `call@250ms`, separated by commas, or a list of them.
  static func timeline(_ most: Int) -> FieldCodec<[Usage.Moment]> {
    FieldCodec(
      accepted: "moments in order, such as call@0s, leave@4s, return@2h; also suspend and revoke",
      encode: { .array($0.map { .string("\($0.kind)@\($0.at.text)") }) },
      decode: { value in
        let moments = try texts(value).map(moment)
        guard moments.count <= most else {
          throw FieldProblem("has more than \(most.grouped) moments")
        }
        for (earlier, later) in zip(moments, moments.dropFirst()) where later.at < earlier.at {
          throw FieldProblem(
            "goes backwards from \(earlier.kind)@\(earlier.at.text) to \(later.kind)@\(later.at.text)"
          )
        }
        return moments
      })
  }

  private static func texts(_ value: JSONValue) throws -> [String] {
    switch value {
    case .string(let text):
      return text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
    case .array(let values): return values.map(\.typed)
    default: throw FieldProblem("is not a list of moments")
    }
  }

  private static func moment(_ text: String) throws -> Usage.Moment {
    let parts = text.split(separator: "@", maxSplits: 1).map { String($0).trimmed }
    guard parts.count == 2 else {
      throw FieldProblem("has the moment \"\(text)\", which is not like call@250ms")
    }
    do {
      return Usage.Moment(
        try FieldCodec<Usage.Moment.Kind>.choice().decode(.string(parts[0])),
        at: try FieldCodec.duration.decode(.string(parts[1])))
    } catch let problem as FieldProblem {
      throw FieldProblem("has the moment \"\(text)\", which \(problem.clause)")
    }
  }
}
