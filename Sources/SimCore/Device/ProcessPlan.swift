/// A process that holds the session: the app, an extension, a browser tab, or the app of another device.
public struct ProcessPlan: Equatable, Sendable {
  /// The session that it begins with.
  public enum Session: Equatable, Sendable, CaseIterable {
    /// A copy of the first pair of the first process.
    case first
    /// A login of its own, by the same person.
    case own
    /// A login of its own that ends with the session of the first process.
    case child
    /// None.
    case none
  }

  /// Whom it shares its store with.
  public enum Store: Equatable, Sendable, CaseIterable {
    /// The other processes of its device that share theirs.
    case shared
    /// Nobody.
    case own
  }

  /// Whether it runs as the run begins.
  public enum Start: Equatable, Sendable, CaseIterable {
    /// It runs, in the foreground, with the pair in its memory.
    case running
    /// It is not there until something launches it; the pair is in its store.
    case launchedLater
  }

  /// The number of its device, from 1.
  public var device: Int
  /// The session that it begins with.
  public var session: Session
  /// Whom it shares its store with.
  public var store: Store
  /// Whether it runs as the run begins.
  public var start: Start

  /// A running process of the first device with the first pair, unless told otherwise.
  public init(
    device: Int = 1, session: Session = .first, store: Store = .shared, start: Start = .running
  ) {
    self.device = device
    self.session = session
    self.store = store
    self.start = start
  }
}
