/// What stands in front of the token endpoint: requests that it turns away are never judged.
struct Gateway {
  /// An answer without an exchange.
  struct Refusal: Equatable {
    let error: TokenError
    /// The seconds of a `Retry-After` header, 0 without one.
    let retryAfter: Int32
  }

  private let outages: [Range<Int64>]
  private var limiter: RateLimiter
  private let isOpen: Bool

  init(_ policy: ServerPolicy) {
    outages = policy.outages.map { outage in
      let start = outage.from.nanoseconds
      return start..<max(start, outage.to.nanoseconds)
    }
    limiter = RateLimiter(policy.rateLimit)
    isOpen = outages.isEmpty && policy.rateLimit == .none
  }

  /// Begins a run.
  mutating func reset() {
    if !isOpen { limiter.reset() }
  }

  /// How a request that arrives `now` is turned away; nil if it is let through.
  ///
  /// During an outage nothing is counted against the limit.
  @inline(__always)
  mutating func refusal(at now: Instant) -> Refusal? {
    isOpen ? nil : judge(at: now)
  }

  private mutating func judge(at now: Instant) -> Refusal? {
    if outages.contains(where: { $0.contains(now.nanoseconds) }) {
      return Refusal(error: .serverError, retryAfter: 0)
    }
    return limiter.secondsToWait(at: now).map {
      Refusal(error: .tooManyRequests, retryAfter: $0)
    }
  }
}
