import SimCore

/// Rate limits of servers in options and files.
enum RateLimitText {
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
