/// How long refresh tokens live and spent ones are known, made ready for use.
struct RefreshLife {
  private let idle: Int64
  private let absolute: Int64
  private let memory: Int64

  init(_ policy: ServerPolicy) {
    idle = policy.refreshIdle?.nanoseconds ?? .max
    absolute = policy.refreshAbsolute?.nanoseconds ?? .max
    memory = policy.reuseMemory.nanoseconds
  }

  /// Whether a token, spent or not, is beyond its end now.
  func isOver(
    _ record: TokenLedger.RefreshRecord, _ family: TokenLedger.FamilyRecord, at now: Instant
  ) -> Bool {
    now.nanoseconds - record.lastUsedAt.nanoseconds >= idle
      || now.nanoseconds - family.startedAt.nanoseconds >= absolute
  }

  /// Whether the server no longer knows a spent token.
  func isForgotten(_ record: TokenLedger.RefreshRecord, at now: Instant) -> Bool {
    guard let spentAt = record.spentAt else { return false }
    return now.nanoseconds - spentAt.nanoseconds >= memory
  }

  /// The instant from which a spent token is beyond its end or forgotten, in nanoseconds; the largest number
  /// for never.
  func end(
    _ record: TokenLedger.RefreshRecord, _ family: TokenLedger.FamilyRecord, spentAt: Instant
  ) -> Int64 {
    func end(_ start: Instant, _ length: Int64) -> Int64 {
      length == .max ? .max : start.nanoseconds + length
    }
    return min(
      end(record.lastUsedAt, idle), end(family.startedAt, absolute), end(spentAt, memory))
  }
}
