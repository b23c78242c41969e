import SimCore

/// A fact written by hand: when, in milliseconds, of which process, from 0, and what.
typealias Told = (at: Int64, process: Int32, fact: Fact)

/// Tokens and refreshes of one family, by short names.
enum Hand {
  static let family = TokenFamily(id: 0)
  static let r1 = RefreshToken(id: 0)
  static let r2 = RefreshToken(id: 1)
  static let r3 = RefreshToken(id: 2)
  static let r4 = RefreshToken(id: 3)
  static let a1 = AccessToken(id: 0)

  static func rotated(_ child: RefreshToken) -> Fact.Judgement {
    .rotated(child, AccessToken(id: child.id), lifeLeft: 0)
  }

  static func login(_ processes: Int32...) -> [Told] {
    [(0, 0, .familyBegan(family, r1, a1, user: 1))] + processes.map { (0, $0, .signedIn(r1, a1)) }
  }

  /// A refresh that is sent and judged: by a process, with its number in that process.
  static func exchange(
    _ process: Int32, _ number: Int32, _ token: RefreshToken, sent: Int64, judged: Int64,
    _ judgement: Fact.Judgement
  ) -> [Told] {
    [
      (sent, process, .refreshSent(number, token)),
      (judged, process, .refreshArrived(number, token)),
      (judged, process, .refreshJudged(number, token, judgement)),
    ]
  }

  /// A refresh that a process reads `invalid_grant` for and ends its session.
  static func rejection(
    _ process: Int32, _ number: Int32, _ token: RefreshToken, sent: Int64, judged: Int64,
    read: Int64, reuse: Bool
  ) -> [Told] {
    exchange(process, number, token, sent: sent, judged: judged, .rejected(reuse: reuse)) + [
      (read, process, .refreshAnswered(number, .invalidGrant)),
      (read, process, .signedOut(.rejected, needlessly: false)),
    ]
  }

  static func signOut(
    _ process: Int, _ cause: SignOutCause, damage: Int64, of damager: Int, refresh: Int?,
    symptom: Int64
  ) -> SignOut {
    SignOut(
      process: process, cause: cause,
      damage: .init(
        instant: Instant(nanoseconds: damage * 1_000_000), process: damager, refresh: refresh),
      symptom: Instant(nanoseconds: symptom * 1_000_000))
  }
}

extension Tallier {
  /// Folds facts written by hand, in the order of their instants.
  mutating func tell(_ facts: [Told]) {
    var last = Int64.min
    for (at, process, fact) in facts {
      precondition(at >= last, "Facts written by hand must be in order.")
      last = at
      observe(fact, at: Instant(nanoseconds: at * 1_000_000), by: process)
    }
  }
}

/// The sign-outs of a run written by hand, and its counts.
func told(
  _ facts: [Told], devices: [Int32] = [0], stores: [Int32]? = nil
) -> (signOuts: [SignOut], tally: RunTally) {
  var tallier = Tallier(devices: devices, stores: stores)
  tallier.tell(facts)
  tallier.finish()
  return (tallier.signOuts.elements, tallier.tally)
}
