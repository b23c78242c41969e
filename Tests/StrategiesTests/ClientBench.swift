import SimCore
import Strategies

/// A client that is told events one by one, and its effects in words.
final class ClientBench {
  var client: DescribedClient
  var seconds: Int64 = 0
  private var timer = TimerID(name: -1)

  /// A client that signed in at 0 s with a pair that ends at 300 s, unless told otherwise.
  init(_ decisions: Decisions, isSignedIn: Bool = true) {
    client = DescribedClient(decisions)
    client.reset(Self.chance)
    if isSignedIn { _ = tell(.signedIn(Self.pair(1, end: 300), afterNanoseconds: 0)) }
  }

  /// A client whose decisions differ a little from the usual ones.
  convenience init(isSignedIn: Bool = true, _ change: (inout Decisions) -> Void) {
    var decisions = Decisions()
    change(&decisions)
    self.init(decisions, isSignedIn: isSignedIn)
  }

  static let chance = ClientChance(
    RandomStream(RandomRun(seed: 1, run: 0), cause: .clientJitter))

  static func time(_ seconds: Int64) -> ClockReading {
    let time = WallTime(nanoseconds: seconds * 1_000_000_000)
    return ClockReading(wall: time, continuous: time, suspending: time)
  }

  static func pair(_ number: Int32, end: Int64) -> TokenResponse {
    TokenResponse(
      accessToken: AccessToken(id: number - 1), refreshToken: RefreshToken(id: number - 1),
      expiresIn: 300, expiry: WallTime(nanoseconds: end * 1_000_000_000))
  }

  /// A pair of the store whose refresh token has the number, and whose access token has it too unless told.
  static func found(
    _ number: Int32, end: Int64, access: Int32? = nil, isAlone: Bool = false,
    isUnfinished: Bool = false
  ) -> StoreContent {
    .pair(
      StoredPair(
        refresh: RefreshToken(id: number - 1),
        access: isAlone ? nil : AccessToken(id: (access ?? number) - 1),
        believedEnd: end * 1_000_000_000, expiry: WallTime(nanoseconds: end * 1_000_000_000),
        expiresIn: 300, hasUnfinishedRefresh: isUnfinished))
  }

  @discardableResult
  func tell(_ event: ClientEvent) -> [String] {
    var effects = ClientEffects()
    client.handle(event, now: Self.time(seconds), effects: &effects)
    for case .setTimer(let id, _, _) in effects.elements { timer = id }
    return effects.elements.map(Self.words)
  }

  /// The call with this number starts.
  @discardableResult
  func start(_ number: Int32) -> [String] { tell(.callStarted(call(number), CallTraits())) }

  /// The reading with the name 0 is over.
  func read(_ content: StoreContent) -> [String] { read(0, content) }

  /// A reading is over.
  func read(_ name: Int32, _ content: StoreContent) -> [String] {
    tell(.storeRead(StoreReadID(name: name), content))
  }

  /// The first flight is granted a pair.
  @discardableResult
  func grant(_ number: Int32, end: Int64) -> [String] {
    tell(.refreshAnswered(first, .granted(Self.pair(number, end: end))))
  }

  /// The first flight is rejected.
  func reject() -> [String] {
    tell(.refreshAnswered(first, .failed(.invalidGrant, retryAfter: 0)))
  }

  /// The timer that was set last goes off.
  func fireTimer() -> [String] { tell(.timerFired(timer)) }

  static func words(_ effect: ClientEffect) -> String {
    switch effect {
    case .send(let call, let token): "send \(call.number) \(token.map { "A\($0.number)" } ?? "-")"
    case .wait(let call): "wait \(call.number)"
    case .finish(let call, let outcome): "finish \(call.number) \(outcome)"
    case .refresh(let id, let token): "refresh \(id.slot) R\(token.number)"
    case .store(let id, let access, let refresh, _):
      "store \(id.slot) R\(refresh.number)\(access == nil ? " alone" : "")"
    case .clearStore: "clear"
    case .setTimer(let id, let nanoseconds, _):
      "timer \(id.name & 0xff) \(nanoseconds / 1_000_000) ms"
    case .pause(let call, let nanoseconds):
      "pause \(call.number) \(nanoseconds / 1_000_000) ms"
    case .abandonRefresh(let id): "abandon \(id.slot)"
    case .cutRefreshChain: "cut"
    case .storeLogin(let access, let refresh, let end):
      "store login R\(refresh.number)\(access == nil ? " alone" : "") until \(end / 1_000_000_000)"
    case .readStore(let id): "read \(id.name)"
    case .recordRefresh: "record"
    case .acquireLock: "lock"
    case .releaseLock: "unlock"
    case .revoke(let token): "revoke R\(token.number)"
    case .holdBackgroundTask: "hold"
    case .releaseBackgroundTask: "release"
    case .endSession(.rejected): "end"
    case .endSession(let reason): "end \(reason)"
    case .notifySignOut: "notify"
    }
  }
}

/// The call with a number, in the slot that goes with it.
func call(_ number: Int32) -> CallID { CallID(number: number, slot: number - 1) }

let first = RefreshID(slot: 0)
let second = RefreshID(slot: 1)
