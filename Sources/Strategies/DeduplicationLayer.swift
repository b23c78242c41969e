public import SimCore

/// Lets equal calls in flight share one, around another client.
public struct DeduplicationLayer<Base: Client & ~Copyable>: Client, ~Copyable {
  private var base: Base
  /// The calls that are open, those that are sent and those that share another's answer.
  private var open: [Entry] = []

  private struct Entry {
    let call: CallID
    let traits: CallTraits
    /// The number of the call whose answer it shares; nil if it is sent itself.
    var leader: Int32?
  }

  /// A layer around a client.
  public init(_ base: consuming Base) {
    self.base = base
  }

  /// What is visible of the client from outside.
  public var profile: ClientProfile { base.profile }

  /// Forgets everything, to begin another run.
  public mutating func reset(_ chance: ClientChance) {
    base.reset(chance)
    open.removeAll(keepingCapacity: true)
  }

  /// Takes an event and appends what should follow to `effects`, in order.
  public mutating func handle(
    _ event: ClientEvent, now: ClockReading, effects: inout ClientEffects
  ) {
    let first = effects.count
    switch event {
    case .launched:
      open.removeAll(keepingCapacity: true)
      base.handle(event, now: now, effects: &effects)
    case .callStarted(let call, let traits) where traits.key != 0:
      let leader = open.first { $0.leader == nil && $0.traits == traits }
      open.append(Entry(call: call, traits: traits, leader: leader?.call.number))
      if leader == nil { base.handle(event, now: now, effects: &effects) }
    case .callCancelled(let call) where leader(of: call) != nil:
      open.removeAll { $0.call == call }
      effects.append(.finish(call, .cancelled))
    default: base.handle(event, now: now, effects: &effects)
    }
    share(from: first, now, &effects)
  }

  private func leader(of call: CallID) -> Int32? {
    open.first { $0.call == call }?.leader
  }

  /// Gives the end of each call to those that share it; those of a cancelled one go on with a new one.
  private mutating func share(
    from first: Int, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    var index = first
    while index < effects.count {
      defer { index += 1 }
      guard case .finish(let call, let outcome) = effects[index],
        let position = open.firstIndex(where: { $0.call == call && $0.leader == nil })
      else { continue }
      open.remove(at: position)
      let followers = open.filter { $0.leader == call.number }
      guard outcome == .cancelled else {
        open.removeAll { $0.leader == call.number }
        for follower in followers { effects.append(.finish(follower.call, outcome)) }
        continue
      }
      promote(followers, now, &effects)
    }
  }

  private mutating func promote(
    _ followers: [Entry], _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    guard let next = followers.first else { return }
    for index in open.indices where open[index].leader == followers[0].leader {
      open[index].leader = open[index].call == next.call ? nil : next.call.number
    }
    base.handle(.callStarted(next.call, next.traits), now: now, effects: &effects)
  }
}
