/// The events that are still to happen, in order of instant; equal instants are first in, first out.
///
/// The next few events stand in a short sorted list, the others in a binary heap behind it. Nearly every run
/// has so few events at once that it never touches the heap, whose unpredictable comparisons cost twice as
/// much. Adding and removing are O(log n) and allocate nothing once the queue has grown to its largest size.
/// There is no removal from the middle: an event that no longer applies is recognised, and ignored, when it
/// comes up.
struct EventQueue<Event: BitwiseCopyable>: ~Copyable {
  struct Entry: BitwiseCopyable {
    let instant: Int64
    let sequence: UInt64
    let event: Event

    @inline(__always)
    func precedes(_ other: Entry) -> Bool {
      instant < other.instant || (instant == other.instant && sequence < other.sequence)
    }
  }

  /// The next events, the very next one last.
  private var near = ReusableArray<Entry>()
  /// All others; none of them precedes any of the near ones.
  private var far = ReusableArray<Entry>()
  private var nextSequence: UInt64 = 0

  private static var mostNear: Int { 24 }

  /// Forgets every event and starts the numbering anew, keeping the memory.
  mutating func removeAll() {
    near.removeAll()
    far.removeAll()
    nextSequence = 0
  }

  /// Adds an event behind those that are due at the same instant.
  mutating func schedule(_ event: Event, at instant: Instant) {
    let entry = Entry(instant: instant.nanoseconds, sequence: nextSequence, event: event)
    nextSequence += 1
    if !far.isEmpty, far[0].precedes(entry) { return pushFar(entry) }
    near.append(entry)
    var index = near.count - 1
    while index > 0, near[index - 1].precedes(entry) {
      near[index] = near[index - 1]
      index -= 1
    }
    near[index] = entry
    if near.count > Self.mostNear { moveLatestAway() }
  }

  /// Removes and returns the next event, or nil when none is left.
  @inline(__always)
  mutating func popNext() -> (instant: Instant, event: Event)? {
    guard let next = near.popLast() ?? popFar() else { return nil }
    return (Instant(nanoseconds: next.instant), next.event)
  }

  private mutating func moveLatestAway() {
    pushFar(near[0])
    for index in 1..<near.count { near[index - 1] = near[index] }
    _ = near.popLast()
  }

  private mutating func pushFar(_ entry: Entry) {
    far.append(entry)
    var index = far.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard entry.precedes(far[parent]) else { break }
      far[index] = far[parent]
      index = parent
    }
    far[index] = entry
  }

  private mutating func popFar() -> Entry? {
    guard let last = far.popLast() else { return nil }
    guard !far.isEmpty else { return last }
    let first = far[0]
    var index = 0
    // Two plain comparisons instead of a loop over the children: it is three times as fast.
    while true {
      var child = 2 * index + 1
      guard child < far.count else { break }
      if child + 1 < far.count, far[child + 1].precedes(far[child]) { child += 1 }
      guard far[child].precedes(last) else { break }
      far[index] = far[child]
      index = child
    }
    far[index] = last
    return first
  }
}
