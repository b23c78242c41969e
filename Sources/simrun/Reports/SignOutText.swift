import SimCore

/// Why a session ended, for the lines of a trace.
struct SignOutText {
  /// Sign-outs by where they are told.
  private struct Place: Hashable {
    let nanoseconds: Int64
    let process: Int
  }

  private let trace: Trace
  private let signOuts: [Place: SignOut]
  private let hasSeveralProcesses: Bool

  /// The sign-outs of a run.
  init(_ trace: Trace, hasSeveralProcesses: Bool) {
    self.trace = trace
    self.hasSeveralProcesses = hasSeveralProcesses
    signOuts = Dictionary(
      trace.signOuts.map { (Place(nanoseconds: $0.symptom.nanoseconds, process: $0.process), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The cause of a sign-out in words, and what did the damage.
  ///
  /// - Parameter entry: any fact of the run.
  /// - Returns: one or two lines; none unless the fact is a sign-out.
  func lines(_ entry: Trace.Entry) -> [String] {
    guard case .signedOut = entry.fact,
      let signOut = signOuts[
        Place(nanoseconds: entry.instant.nanoseconds, process: entry.process)]
    else { return [] }
    return ["\(signOut.cause.name): \(signOut.cause.words)"] + (damage(signOut).map { [$0] } ?? [])
  }

  private func damage(_ signOut: SignOut) -> String? {
    let damage = signOut.damage
    let entry = trace.entries.first {
      $0.instant == damage.instant && $0.process == damage.process
        && Self.isDamage($0.fact, damage.refresh)
    }
    guard let entry else { return nil }
    let (actor, words) = TraceText.words(entry.fact)
    let process = hasSeveralProcesses ? " of process \(damage.process)" : ""
    return "sealed at \(entry.instant.text)\(process): \(actor), \(words)"
  }

  private static func isDamage(_ fact: Fact, _ refresh: Int?) -> Bool {
    switch fact {
    case .refreshJudged(let number, _, _): Int(number) == refresh
    case .familyRevoked, .storeCleared, .storeUnreadable, .storeRead(nil), .refreshFailed,
      .refreshAnswered(_, .some):
      refresh == nil
    default: false
    }
  }
}
