import SimCore

/// Outages and rate limits of servers in options and files.
enum ServerFaultsText {
  private static let acceptedOutages = "periods in order, such as 10min..12min, 1h..2h"

  /// Periods separated by commas, or a list of them.
  static let outages = FieldCodec<[ServerPolicy.Outage]>(
    accepted: acceptedOutages,
    encode: { .array($0.map { .string("\($0.from.text)..\($0.to.text)") }) },
    decode: { value in
      let outages = try texts(value).map(outage)
      for (earlier, later) in zip(outages, outages.dropFirst()) where later.from < earlier.to {
        throw FieldProblem(
          "has a period from \(later.from.text) that begins before the one up to \(earlier.to.text) "
            + "has ended")
      }
      return outages
    })

  private static func texts(_ value: JSONValue) throws -> [String] {
    switch value {
    case .string(let text):
      text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
    case .array(let values): values.map(\.typed)
    default: throw FieldProblem("is not a list of periods; use \(acceptedOutages)")
    }
  }

  private static func outage(_ text: String) throws -> ServerPolicy.Outage {
    let ends = text.split(separator: "..", omittingEmptySubsequences: false).map {
      String($0).trimmed
    }
    guard ends.count == 2 else {
      throw FieldProblem("has the period \"\(text)\", which is not like 10min..12min")
    }
    do {
      let outage = ServerPolicy.Outage(
        from: try FieldCodec.duration.decode(.string(ends[0])),
        to: try FieldCodec.duration.decode(.string(ends[1])))
      guard outage.from < outage.to else { throw FieldProblem("ends before it begins") }
      return outage
    } catch let problem as FieldProblem {
      throw FieldProblem("has the period \"\(text)\", which \(problem.clause)")
    }
  }

  private static let acceptedRateLimit =
    "none, tokenBucket(capacity, refill per second), or window(count, duration)"

  static let rateLimit = FieldCodec<ServerPolicy.RateLimit>(
    accepted: acceptedRateLimit,
    encode: {
      switch $0 {
      case .none: "none"
      case .tokenBucket(let capacity, let refill): .string("tokenBucket(\(capacity), \(refill))")
      case .window(let count, let length): .string("window(\(count), \(length.text))")
      }
    },
    decode: { value in
      let (name, argument) = ServerText.call(value.typed)
      let arguments = argument?.split(separator: ",").map { String($0).trimmed }
      switch (name, arguments) {
      case ("none", nil): return .none
      case ("tokenBucket", let arguments?) where arguments.count == 2:
        return .tokenBucket(
          capacity: try count.decode(arguments[0], as: "capacity"),
          refillPerSecond: try refill.decode(arguments[1], as: "refill")
        )
      case ("window", let arguments?) where arguments.count == 2:
        return .window(
          count: try count.decode(arguments[0], as: "count"),
          length: try FieldCodec.positiveDuration.decode(arguments[1], as: "length"))
      case ("tokenBucket", _):
        throw FieldProblem("needs a capacity and a refill per second, as in tokenBucket(30, 0.5)")
      case ("window", _):
        throw FieldProblem("needs a count and a duration, as in window(1800, 1h)")
      default:
        let names = ["none", "tokenBucket", "window"]
        throw FieldProblem("is unknown; use \(acceptedRateLimit).\(name.suggestion(from: names))")
      }
    })

  private static let count = FieldCodec.integer(1...1_000_000)
  private static let refill = FieldCodec.number(1e-6...1e6)
}
