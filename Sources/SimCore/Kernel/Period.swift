/// A time with a beginning and an end, counted from the beginning of the run.
public struct Period: Equatable, Sendable {
  /// Its first moment.
  public let from: Duration
  /// The first moment after it.
  public let to: Duration

  /// A period by its first moment and the first one after it.
  public init(from: Duration, to: Duration) {
    self.from = from
    self.to = to
  }
}
