/// The facts of one run in the order in which they happened.
public struct Trace: Sendable {
  /// A fact and its moment.
  public struct Entry: Sendable {
    /// When it happened, in true time.
    public let instant: Instant
    /// What happened.
    public let fact: Fact
    /// The number of the process that it is told of, from 1.
    public let process: Int

    package init(instant: Instant, fact: Fact, process: Int = 1) {
      self.process = process
      self.instant = instant
      self.fact = fact
    }
  }

  /// The facts.
  public package(set) var entries: [Entry] = []
  /// The sessions that ended unasked, in order, with their causes.
  public package(set) var signOuts: [SignOut] = []

  package init() {}
}
