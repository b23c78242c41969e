public import SimCore

/// Tries calls again that failed in transport or with a 5xx, around or inside another client.
///
/// Outside authentication each try passes through the client again and takes the token that it then holds;
/// inside it repeats the request as it was.
public struct RetryLayer<Base: Client & ~Copyable>: Client, ~Copyable {
  private var base: Base
  private let pauses: [Int64]
  private let placement: Decisions.Placement
  private var calls = ReusableArray<Tries>()

  struct Tries {
    let number: Int32
    let traits: CallTraits
    var token: AccessToken?
    var done = 0
    var isPausing = false
  }

  /// A layer with these pauses, one per retry.
  public init(_ base: consuming Base, pauses: [Duration], placement: Decisions.Placement) {
    self.base = base
    self.pauses = pauses.map(\.nanoseconds)
    self.placement = placement
  }

  /// What is visible of the client from outside.
  public var profile: ClientProfile { base.profile }

  /// Forgets everything, to begin another run.
  public mutating func reset(_ chance: ClientChance) {
    base.reset(chance)
    calls.removeAll()
  }

  /// Takes an event and appends what should follow to `effects`, in order.
  public mutating func handle(
    _ event: ClientEvent, now: ClockReading, effects: inout ClientEffects
  ) {
    let first = effects.count
    switch event {
    case .callStarted(let call, let traits):
      note(call, traits)
      base.handle(event, now: now, effects: &effects)
    case .pauseEnded(let call): tryAgain(call, now, &effects)
    case .callCancelled(let call) where calls[Int(call.slot)].isPausing:
      effects.append(.finish(call, .cancelled))
    case .callFailed(let call, .transport), .callAnswered(let call, .serverError):
      if placement == .inside, pause(call, &effects) { return }
      base.handle(event, now: now, effects: &effects)
    default: base.handle(event, now: now, effects: &effects)
    }
    inspect(from: first, &effects)
  }

  private mutating func note(_ call: CallID, _ traits: CallTraits) {
    let tries = Tries(number: call.number, traits: traits)
    while calls.count <= Int(call.slot) { calls.append(tries) }
    calls[Int(call.slot)] = tries
  }

  private mutating func tryAgain(
    _ call: CallID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    let tries = calls[Int(call.slot)]
    calls[Int(call.slot)].isPausing = false
    switch placement {
    case .outside:
      base.handle(.callStarted(call, tries.traits), now: now, effects: &effects)
    case .inside: effects.append(.send(call, tries.token))
    }
  }

  /// Lets a call rest, if it may be tried again.
  private mutating func pause(_ call: CallID, _ effects: inout ClientEffects) -> Bool {
    guard let pause = nextPause(call) else { return false }
    effects.append(.pause(call, nanoseconds: pause))
    return true
  }

  private mutating func nextPause(_ call: CallID) -> Int64? {
    let done = calls[Int(call.slot)].done
    guard done < pauses.count else { return nil }
    calls[Int(call.slot)].done += 1
    calls[Int(call.slot)].isPausing = true
    return pauses[done]
  }

  /// Turns the ends of calls that may be tried again into pauses, and remembers the tokens they are sent with.
  private mutating func inspect(from first: Int, _ effects: inout ClientEffects) {
    for index in first..<effects.count {
      switch effects[index] {
      case .send(let call, let token): calls[Int(call.slot)].token = token
      case .finish(let call, .transport), .finish(let call, .serverError):
        guard placement == .outside, let pause = nextPause(call) else { continue }
        effects[index] = .pause(call, nanoseconds: pause)
      default: continue
      }
    }
  }
}
