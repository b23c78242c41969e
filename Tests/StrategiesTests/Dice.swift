import SimCore
import Strategies

/// Random worlds and clients, the same for the same numbers.
struct Dice {
  private var draws: Draws

  init(seed: UInt64, number: Int) {
    draws = RandomStream(RandomRun(seed: seed, run: 0), cause: .userActivity)
      .draws(at: DrawAddress(.call, number: number))
  }

  mutating func roll(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(draws.next() % UInt64(range.count))
  }

  mutating func happens(_ share: Double = 0.5) -> Bool { draws.unit() < share }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[roll(0...values.count - 1)] }

  mutating func pick<Value: CaseIterable>() -> Value { pick(Array(Value.allCases)) }

  mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration { .milliseconds(roll(range)) }

  mutating func list<Value>(_ most: Int, _ value: (inout Dice) -> Value) -> [Value] {
    (0..<roll(0...most)).map { _ in value(&self) }
  }

  mutating func maybe<Value>(_ share: Double = 0.5, _ value: (inout Dice) -> Value) -> Value? {
    happens(share) ? value(&self) : nil
  }

  mutating func delay(_ range: ClosedRange<Int>) -> Distribution {
    let (low, high) = (milliseconds(range), milliseconds(range))
    return switch roll(0...3) {
    case 0: .constant(low)
    case 1: .uniform(from: min(low, high), to: max(low, high))
    case 2: .cap(.logNormal(.median(max(low, .milliseconds(1)), sigma: 0.8)), at: .seconds(20))
    default: .cap(.exponential(mean: low), at: .seconds(20))
    }
  }
}

// MARK: Clients

extension Dice {
  mutating func decisions() -> Decisions {
    var decisions = Decisions()
    decideAboutCalls(&decisions)
    decideAboutRefreshes(&decisions)
    decideAboutAnswers(&decisions)
    decideAboutStore(&decisions)
    return decisions
  }

  private mutating func decideAboutCalls(_ decisions: inout Decisions) {
    decisions.check = happens(0.3) ? .none : .margin(milliseconds(-2000...20_000))
    decisions.marginCap = maybe(0.3) { $0.pick([0, 0.25, 1]) }
    decisions.marginJitter = pick([.zero, .seconds(3)])
    decisions.expiryBasis = pick()
    decisions.clock = pick()
    decisions.duringRefresh = pick()
    decisions.withoutPair = pick()
    decisions.afterUnauthorized = pick()
    decisions.resends = roll(0...3)
    decisions.callRetries = list(3) { $0.milliseconds(0...3000) }
    decisions.callRetryPlacement = pick()
    decisions.deduplicates = happens(0.3)
  }

  private mutating func decideAboutRefreshes(_ decisions: inout Decisions) {
    let (margin, floor) = (milliseconds(0...20_000), milliseconds(500...5000))
    let jitter = pick([Duration.zero, .seconds(2)])
    decisions.schedule = pick([
      .none, .none, .oneShot(margin: margin, floor: floor, jitter: jitter),
      .chain(margin: margin, floor: floor, jitter: jitter),
      .tick(every: floor, first: margin, threshold: margin),
    ])
    decisions.scheduleCheck = pick([.none, .margin(margin)])
    decisions.merge = pick()
    decisions.owner = pick()
    decisions.slotCleared = pick()
    decisions.waiters = pick()
    decisions.flights = pick()
    decisions.presents = pick()
    decisions.refreshRequest = pick()
    decisions.quota = maybe(0.2) { .init(refreshes: $0.roll(0...5), window: .seconds(20)) }
    decisions.coolDown = pick([.zero, .zero, .seconds(5)])
    decisions.timeout = maybe(0.85) { $0.milliseconds(200...15_000) }
    decisions.waiterDeadline = maybe(0.3) { $0.milliseconds(50...8000) }
    decisions.retries = list(3) { $0.milliseconds(0...3000) }
    decisions.retriesWhile = pick()
    decisions.retryJitter = pick([0, 0.5])
    decisions.heedsRetryAfter = happens()
    decisions.retryBudget = maybe(0.3) { $0.milliseconds(0...20_000) }
    decisions.protection = pick()
  }

  private mutating func decideAboutAnswers(_ decisions: inout Decisions) {
    decisions.accept = pick()
    decisions.persist = pick()
    decisions.shortLived = pick()
    decisions.onFailure.transport = pick()
    decisions.onFailure.timeout = pick()
    decisions.onFailure.cancelled = pick()
    decisions.onFailure.forbidden = pick()
    decisions.onFailure.tooManyRequests = pick()
    decisions.onFailure.clientError = pick()
    decisions.onFailure.serverError = pick()
    decisions.onFailure.malformed = pick()
    decisions.onFailure.invalidGrant = pick()
    decisions.afterFailedCheck = pick()
    decisions.rejection = pick()
    decisions.endsSession = pick()
    decisions.afterRejection = pick()
    decisions.notices = pick()
    decisions.onSignOut = pick()
    decisions.revokesOnSignOut = happens()
  }
}

extension Dice {
  private mutating func decideAboutStore(_ decisions: inout Decisions) {
    decisions.storeUnreadable = pick()
    for moment in Decisions.Reread.allCases where happens(0.3) { decisions.rereads.insert(moment) }
    decisions.refreshes = happens(0.1) ? .never : .yes
    decisions.lock = maybe(0.3) { CrossProcessLock(leak: $0.pick([0, 0.2])) }
    decisions.journal = happens(0.3)
    decisions.persistedParts = pick()
    decisions.protectionClass = pick()
    decisions.storeRetries = list(2) { $0.milliseconds(0...3000) }
    decisions.afterFailedWrite = pick()
  }
}
