import SimCore

/// What a described client remembers of a call.
struct CallState {
  var call: CallID
  let needsToken: Bool
  /// The token of the last attempt.
  var sentWith: AccessToken?
  /// The refresh token that was in memory when the call started, or when the store was read for it.
  var captured: RefreshToken?
  var resendsLeft: Int32
  /// The next call in the same line; -1 for none.
  var next: Int32 = -1
  /// The slot of the flight that it waits for, or ``nothing``, ``turn``, or ``reading``.
  var waitsFor = nothing
  /// The number of the deadline of its wait; 0 for none.
  var deadline: Int32 = 0
  var isCancelled = false

  /// The call waits for no refresh.
  static let nothing: Int32 = -1
  /// The call waits for its turn in the queue.
  static let turn: Int32 = -2
  /// The call waits until the store is read.
  static let reading: Int32 = -3
}

/// Calls in the order in which they began to wait, linked through their states.
struct WaitingLine {
  fileprivate(set) var first: Int32 = -1
  fileprivate var last: Int32 = -1

  var isEmpty: Bool { first < 0 }
}

/// The calls of a described client by their slots, and the lines in which they wait.
struct CallTable: ~Copyable {
  private var states = ReusableArray<CallState>()

  subscript(call: CallID) -> CallState {
    get { states[Int(call.slot)] }
    _modify { yield &states[Int(call.slot)] }
  }

  /// The state of the call in a slot; nil if there never was one.
  subscript(slot: Int32) -> CallState? {
    (0..<states.count).contains(Int(slot)) ? states[Int(slot)] : nil
  }

  mutating func removeAll() {
    states.removeAll()
  }

  /// Begins a call in its slot.
  ///
  /// Slots may be skipped: those of calls that a layer around the client kept to itself.
  mutating func begin(_ state: CallState) {
    while states.count <= Int(state.call.slot) { states.append(state) }
    states[Int(state.call.slot)] = state
  }

  /// Lets a call wait at the end of a line.
  mutating func append(_ call: CallID, to line: inout WaitingLine, waitingFor flight: Int32) {
    states[Int(call.slot)].next = -1
    states[Int(call.slot)].waitsFor = flight
    if line.last >= 0 { states[Int(line.last)].next = call.slot } else { line.first = call.slot }
    line.last = call.slot
  }

  /// Takes a call out of the middle of its line; O(n).
  mutating func remove(_ call: CallID, from line: inout WaitingLine) {
    var previous: Int32 = -1
    var current = line.first
    while current >= 0, current != call.slot {
      previous = current
      current = states[Int(current)].next
    }
    guard current >= 0 else { return }
    let next = self[call].next
    if previous >= 0 { states[Int(previous)].next = next } else { line.first = next }
    if line.last == call.slot { line.last = previous }
    self[call].waitsFor = CallState.nothing
  }

  /// Takes the first call of a line.
  mutating func takeFirst(of line: inout WaitingLine) -> CallID? {
    guard line.first >= 0 else { return nil }
    let slot = Int(line.first)
    line.first = states[slot].next
    if line.first < 0 { line.last = -1 }
    states[slot].waitsFor = CallState.nothing
    return states[slot].call
  }
}
