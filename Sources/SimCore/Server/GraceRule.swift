/// A grace made ready for use: lengths in nanoseconds, the largest number for no limit.
struct GraceRule {
  private let window: Int64
  private let uses: Int32
  private let start: ServerPolicy.Grace.Start
  let untilUse: ServerPolicy.Grace.UntilUse
  let reply: ServerPolicy.Grace.Reply

  init(_ grace: ServerPolicy.Grace) {
    window = grace.window.nanoseconds
    uses =
      switch grace.uses {
      case .atMost(let uses): Int32(clamping: uses)
      case .unlimited: .max
      }
    start = grace.start
    untilUse = grace.untilUse
    reply = grace.reply
  }

  /// Whether it ever covers anything.
  var exists: Bool { window > 0 }

  /// Whether it covers a spent token now.
  func covers(_ record: TokenLedger.RefreshRecord, _ ledger: borrowing TokenLedger, at now: Instant)
    -> Bool
  {
    guard window > 0, record.gracedUses < uses, successorUse(record) == nil else { return false }
    return now.nanoseconds - origin(record, ledger).nanoseconds < window
  }

  /// The instant at which it ends for a spent token, in nanoseconds, as far as is known; the largest number
  /// for none.
  func end(_ record: TokenLedger.RefreshRecord, _ ledger: borrowing TokenLedger) -> Int64 {
    guard let spentAt = record.spentAt else { return .max }
    if window == 0 { return spentAt.nanoseconds }
    let windowEnd =
      window == .max ? Int64.max : origin(record, ledger).nanoseconds + window
    let lastUse = record.gracedUses < uses ? Int64.max : record.lastUsedAt.nanoseconds
    return min(windowEnd, lastUse, successorUse(record)?.nanoseconds ?? .max)
  }

  /// What the window counts from.
  ///
  /// A token that was superseded or killed has not been used since, so there the last use is that instant.
  private func origin(_ record: TokenLedger.RefreshRecord, _ ledger: borrowing TokenLedger)
    -> Instant
  {
    let spentAt = record.spentAt ?? record.lastUsedAt
    return switch start {
    case .firstSpend: spentAt
    case .lastUse: max(spentAt, record.lastUsedAt)
    case .sessionRefresh: ledger[record.family].lastRefreshAt
    }
  }

  /// The use of a successor that ended it.
  private func successorUse(_ record: TokenLedger.RefreshRecord) -> Instant? {
    switch untilUse {
    case .no: nil
    case .accessAccepted: record.childAcceptedAt
    case .anyUse:
      if let accepted = record.childAcceptedAt, let presented = record.childPresentedAt {
        min(accepted, presented)
      } else {
        record.childAcceptedAt ?? record.childPresentedAt
      }
    }
  }
}

extension ServerPolicy.Grace.Window {
  /// Its length in nanoseconds, the largest number for no limit.
  var nanoseconds: Int64 {
    switch self {
    case .lasting(let length): length.nanoseconds
    case .unlimited: .max
    }
  }
}
