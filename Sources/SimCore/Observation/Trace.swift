/// The facts of one run in the order in which they happened.
public struct Trace: Sendable {
  /// A fact and its moment.
  public struct Entry: Sendable {
    /// When it happened, in true time.
    public let instant: Instant
    /// What happened.
    public let fact: Fact

    package init(instant: Instant, fact: Fact) {
      self.instant = instant
      self.fact = fact
    }
  }

  /// The facts.
  public package(set) var entries: [Entry] = []

  package init() {}
}
