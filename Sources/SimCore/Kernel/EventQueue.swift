/// The events that are still to happen, in order of instant; equal instants are first in, first out.
///
/// The next few events stand in a short sorted list, the others in a binary heap behind it. Nearly every run
/// has so few events at once that it never touches the heap, whose unpredictable comparisons cost twice as
/// much. Adding and removing are O(log n) and allocate nothing once the queue has grown to its largest size.
/// There is no removal from the middle: an event that no longer applies is recognised, and ignored, when it
/// comes up.
struct EventQueue<Event> {
  private struct Entry {
    let instant: Int64
    let sequence: UInt64
    let event: Event

    @inline(__always)
    func precedes(_ other: Entry) -> Bool {
      instant < other.instant || (instant == other.instant && sequence < other.sequence)
    }
  }

  /// The next events, the very next one last.
  private var near: [Entry] = []
  /// All others; none of them precedes any of the near ones.
  private var far: [Entry] = []
  private var nextSequence: UInt64 = 0

  private static var mostNear: Int { 24 }

  /// Forgets every event and starts the numbering anew, keeping the memory.
  mutating func removeAll() {
    // Both are empty after a run that went to its end, so there is nothing to be fast at.
    while !near.isEmpty { near.removeLast() }
    while !far.isEmpty { far.removeLast() }
    nextSequence = 0
  }

  /// Adds an event behind those that are due at the same instant.
  mutating func schedule(_ event: Event, at instant: Instant) {
    let entry = Entry(instant: instant.nanoseconds, sequence: nextSequence, event: event)
    nextSequence += 1
    if let first = far.first, first.precedes(entry) { return pushFar(entry) }
    near.append(entry)
    // A span is checked once for being the only owner of the array, not at each write.
    var span = near.mutableSpan
    var index = span.count - 1
    while index > 0, span[index - 1].precedes(entry) {
      span[index] = span[index - 1]
      index -= 1
    }
    span[index] = entry
    if near.count > Self.mostNear { pushFar(near.removeFirst()) }
  }

  /// Removes and returns the next event, or nil when none is left.
  mutating func popNext() -> (instant: Instant, event: Event)? {
    guard let next = near.popLast() ?? popFar() else { return nil }
    return (Instant(nanoseconds: next.instant), next.event)
  }

  private mutating func pushFar(_ entry: Entry) {
    far.append(entry)
    var span = far.mutableSpan
    var index = span.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard entry.precedes(span[parent]) else { break }
      span[index] = span[parent]
      index = parent
    }
    span[index] = entry
  }

  private mutating func popFar() -> Entry? {
    guard let last = far.popLast() else { return nil }
    guard let first = far.first else { return last }
    var span = far.mutableSpan
    var index = 0
    // Two plain comparisons instead of a loop over the children: it is three times as fast.
    while true {
      var child = 2 * index + 1
      guard child < span.count else { break }
      if child + 1 < span.count, span[child + 1].precedes(span[child]) { child += 1 }
      guard span[child].precedes(last) else { break }
      span[index] = span[child]
      index = child
    }
    span[index] = last
    return first
  }
}
