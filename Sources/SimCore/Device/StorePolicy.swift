/// Where the client persists its pair.
public struct StorePolicy: Equatable, Sendable {
  /// How long a write takes; several may be under way at once.
  public var write: Distribution

  /// A store that takes no time unless told otherwise.
  public init(write: Distribution = .constant(.zero)) {
    self.write = write
  }
}
