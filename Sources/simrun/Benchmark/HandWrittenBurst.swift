import Foundation

/// The expired burst as someone would write it by hand: no facts, no metrics but five counters, one world.
///
/// Five callers within 20 ms hold a token that is dead; one-way delays are log-normal with a median of 40 ms
/// and a sigma of 0.5, and the token endpoint takes 200 ms. It is the yardstick of `simrun bench` and an
/// independent check of the model.
struct HandWrittenBurst {
  /// Whether the client refreshes after each 401, or its callers share one refresh before use.
  enum Client: CaseIterable {
    case naive
    case singleFlight
  }

  private(set) var served = 0
  private(set) var unauthorized = 0
  private(set) var refreshes = 0
  private(set) var rejected = 0
  private(set) var revoked = 0

  private struct Event {
    let time: Double
    let order: Int
    let kind: Kind
    let call: Int
  }

  private enum Kind {
    case starts
    case arrives
    case answered
    case commits
    case refreshed
  }

  private let client: Client
  private var state: UInt64
  private var spareNormal: Double?
  private var heap: [Event] = []
  private var order = 0

  init(_ client: Client, seed: UInt64) {
    self.client = client
    state = seed
  }

  /// One burst.
  mutating func run() {
    order = 0
    var current = 0  // the number of the newest refresh token at the server
    var memory = 0  // the number of the pair that the client holds; 0 is dead
    var isRevoked = false
    var isRefreshing = false
    var token = [0, 0, 0, 0, 0]
    var presented = token
    var answer = token
    var hasResent = [false, false, false, false, false]
    var isAccepted = hasResent
    var isWaiting = hasResent
    for call in 0..<5 { push(.starts, call, 0.02 * unit()) }
    while let event = pop() {
      let call = event.call
      switch event.kind {
      case .starts where client == .singleFlight && memory == 0:
        isWaiting[call] = true
        guard !isRefreshing else { break }
        isRefreshing = true
        presented[call] = memory
        refreshes += 1
        push(.commits, call, event.time + delay() + 0.2)
      case .starts:
        token[call] = memory
        push(.arrives, call, event.time + delay())
      case .arrives:
        isAccepted[call] = token[call] > 0 && !isRevoked
        if !isAccepted[call] { unauthorized += 1 }
        push(.answered, call, event.time + delay())
      case .answered:
        if isAccepted[call] {
          served += 1
        } else if !hasResent[call] {
          presented[call] = memory
          refreshes += 1
          push(.commits, call, event.time + delay() + 0.2)
        }
      case .commits:
        if !isRevoked, presented[call] == current {
          current += 1
          answer[call] = current
        } else {
          if !isRevoked { revoked += 1 }
          isRevoked = true
          rejected += 1
          answer[call] = 0
        }
        push(.refreshed, call, event.time + delay())
      case .refreshed:
        guard answer[call] > 0 else { break }
        memory = answer[call]
        for waiter in 0..<5 where waiter == call || isWaiting[waiter] {
          isWaiting[waiter] = false
          token[waiter] = memory
          hasResent[waiter] = true
          push(.arrives, waiter, event.time + delay())
        }
      }
    }
  }

  // MARK: Chance

  private mutating func bits() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  private mutating func unit() -> Double {
    (Double(bits() >> 12) + 0.5) * 0x1p-52
  }

  /// A log-normal delay, two normal numbers at a time by the method of Box and Muller.
  private mutating func delay() -> Double {
    let normal: Double
    if let spare = spareNormal {
      normal = spare
      spareNormal = nil
    } else {
      let radius = (-2 * log(unit())).squareRoot()
      let angle = 2 * Double.pi * unit()
      normal = radius * cos(angle)
      spareNormal = radius * sin(angle)
    }
    return 0.04 * exp(0.5 * normal)
  }

  // MARK: A heap

  private func precedes(_ left: Event, _ right: Event) -> Bool {
    left.time < right.time || (left.time == right.time && left.order < right.order)
  }

  private mutating func push(_ kind: Kind, _ call: Int, _ time: Double) {
    heap.append(Event(time: time, order: order, kind: kind, call: call))
    order += 1
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard precedes(heap[child], heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func pop() -> Event? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { return first }
      if child + 1 < heap.count, precedes(heap[child + 1], heap[child]) { child += 1 }
      guard precedes(heap[child], heap[parent]) else { return first }
      heap.swapAt(child, parent)
      parent = child
    }
  }
}
