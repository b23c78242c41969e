extension ServerPolicy {
  /// How a spent refresh token is still answered.
  public struct Grace: Equatable, Sendable {
    /// How long.
    public var window: Window
    /// What the window counts from.
    public var start: Start
    /// How often one token is answered after it was spent.
    public var uses: Uses
    /// The use of a successor that ends it.
    public var untilUse: UntilUse
    /// What is answered.
    public var reply: Reply

    /// A grace; by default none at all.
    public init(
      window: Window = .lasting(.zero), start: Start = .firstSpend, uses: Uses = .unlimited,
      untilUse: UntilUse = .no, reply: Reply = .sibling
    ) {
      self.window = window
      self.start = start
      self.uses = uses
      self.untilUse = untilUse
      self.reply = reply
    }

    /// A length of time, or no end.
    public enum Window: Equatable, Sendable {
      /// Strictly less than this long; zero is no grace.
      case lasting(Duration)
      /// For ever.
      case unlimited
    }

    /// The moment that a window counts from.
    public enum Start: Equatable, Sendable, CaseIterable {
      /// The exchange that spent the token.
      case firstSpend
      /// The last exchange that the token was answered in.
      case lastUse
      /// The last refresh of the session.
      case sessionRefresh
    }

    /// A number of uses, or no limit.
    public enum Uses: Equatable, Sendable {
      /// At most this many, the first exchange not counted.
      case atMost(Int)
      /// Any number.
      case unlimited
    }

    /// A use of the successor that ends the grace of its parent.
    public enum UntilUse: Equatable, Sendable, CaseIterable {
      /// None does.
      case no
      /// An access token of a successor is accepted at the resource.
      case accessAccepted
      /// That, or a successor is itself presented.
      case anyUse
    }

    /// What a spent token is answered with.
    public enum Reply: Equatable, Sendable, CaseIterable {
      /// A further child: the family forks.
      case sibling
      /// A further child that spends the earlier ones.
      case siblingSupersedes
      /// The first child again, with a new access token.
      case sameSuccessor
      /// The first child again, with the same access token.
      case replayResponse
      /// The newest unspent token of the family, with a new access token.
      case currentActive
      /// The presented token itself, with a new access token.
      case presentedToken
    }
  }
}
