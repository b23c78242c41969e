/// A session that a process dropped unasked, with the reason.
public struct SignOut: Equatable, Sendable, BitwiseCopyable {
  /// Where the damage was done: a fact of the run.
  public struct Damage: Equatable, Sendable, BitwiseCopyable {
    /// When it happened, in true time.
    public let instant: Instant
    /// The number of the process that the fact is told of, from 1.
    public let process: Int
    /// The refresh of that process that the server judged then; nil if the fact is not of a refresh.
    public let refresh: Int?

    package init(instant: Instant, process: Int, refresh: Int? = nil) {
      self.instant = instant
      self.process = process
      self.refresh = refresh
    }
  }

  /// The number of the process, from 1.
  public let process: Int
  /// Why the session ended.
  public let cause: SignOutCause
  /// The fact that sealed its end: from a concurrent duplicate on, the commit that spent the token.
  public let damage: Damage
  /// When the process dropped the session, in true time.
  public let symptom: Instant

  package init(process: Int, cause: SignOutCause, damage: Damage, symptom: Instant) {
    self.process = process
    self.cause = cause
    self.damage = damage
    self.symptom = symptom
  }
}
