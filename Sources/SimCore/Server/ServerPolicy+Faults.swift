extension ServerPolicy {
  /// The order of the writes that spend a refresh token and store the new pair.
  public enum Commit: Equatable, Sendable, CaseIterable {
    /// Both or none.
    case atomic
    /// The presented token is spent first; after a crash nobody has a token.
    case spendFirst
    /// The new pair is stored first; after a crash there are two live tokens.
    case issueFirst
  }

  /// Shares of requests that the token endpoint answers with a 5xx by chance.
  public struct Errors: Equatable, Sendable {
    /// Before the commit: nothing happened.
    public var before: Double
    /// After the commit: the exchange was carried out.
    public var after: Double
    /// No answer at all: nothing happened, and the client waits in vain.
    public var hanging: Double

    /// Shares of failures; by default there are none.
    public init(before: Double = 0, after: Double = 0, hanging: Double = 0) {
      self.before = before
      self.after = after
      self.hanging = hanging
    }
  }

  /// How many requests the token endpoint takes, judged as they arrive.
  public enum RateLimit: Equatable, Sendable {
    /// Any number.
    case none
    /// A bucket, full at the beginning, that each request takes a token from.
    case tokenBucket(capacity: Int, refillPerSecond: Double)
    /// This many in each period of this length, the first of which begins with the run.
    case window(count: Int, length: Duration)
  }
}
