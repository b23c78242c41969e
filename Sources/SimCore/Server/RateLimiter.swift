/// Counts the requests of a run against a rate limit.
///
/// In whole nanoseconds, so that nothing drifts: a token of the bucket is the time in which it fills again.
struct RateLimiter {
  private enum Form {
    case none
    case bucket(costOfToken: Int64, capacity: Int64)
    case window(count: Int, length: Int64)
  }

  private let form: Form
  /// What is in the bucket; the requests of the window.
  private var level: Int64 = 0
  /// When the level was noted; the number of the window.
  private var noted: Int64 = 0

  init(_ policy: ServerPolicy.RateLimit) {
    form =
      switch policy {
      case .none: .none
      case .tokenBucket(let capacity, let refill): Self.bucket(capacity, refill)
      case .window(let count, let length): .window(count: count, length: length.nanoseconds)
      }
    reset()
  }

  private static func bucket(_ capacity: Int, _ refill: Double) -> Form {
    let cost = Int64(max(1, min(1e9 / refill, 0x1p60)))
    let (full, overflow) = cost.multipliedReportingOverflow(by: Int64(capacity))
    return .bucket(costOfToken: cost, capacity: overflow ? .max : full)
  }

  /// Begins a run.
  mutating func reset() {
    noted = 0
    level = 0
    if case .bucket(_, let capacity) = form { level = capacity }
  }

  /// Takes a request that arrives `now`, or says in how many seconds the next one would be taken, rounded up.
  mutating func secondsToWait(at now: Instant) -> Int32? {
    switch form {
    case .none: return nil
    case .bucket(let cost, let capacity):
      let (sum, overflow) = level.addingReportingOverflow(now.nanoseconds - noted)
      level = overflow ? capacity : min(capacity, sum)
      noted = now.nanoseconds
      if level < cost { return Self.seconds(cost - level) }
      level -= cost
      return nil
    case .window(let count, let length):
      let window = now.nanoseconds / length
      if window != noted { level = 0 }
      noted = window
      if level >= Int64(count) { return Self.seconds(length - now.nanoseconds % length) }
      level += 1
      return nil
    }
  }

  private static func seconds(_ nanoseconds: Int64) -> Int32 {
    Int32(clamping: (nanoseconds - 1) / 1_000_000_000 + 1)
  }
}
