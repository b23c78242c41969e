/// Where clients persist their pairs.
public struct StorePolicy: Equatable, Sendable {
  /// When a process learns that another has cleared the store that they share.
  public enum ClearingSeen: Sendable, CaseIterable {
    /// As it reads the store the next time.
    case atNextRead
    /// At once.
    case atOnce
  }

  /// How long a write takes; several may be under way at once.
  public var write: Distribution
  /// How long a reading takes.
  public var read: Distribution
  /// The share of writes that fail, from 0 to 1.
  public var failures: Double
  /// When a process learns that another has cleared the store that they share.
  public var clearingSeen: ClearingSeen

  /// A store that takes no time and never fails unless told otherwise.
  public init(
    write: Distribution = .constant(.zero), read: Distribution = .constant(.zero),
    failures: Double = 0, clearingSeen: ClearingSeen = .atNextRead
  ) {
    self.write = write
    self.read = read
    self.failures = failures
    self.clearingSeen = clearingSeen
  }
}
