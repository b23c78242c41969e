import Testing

@testable import SimCore

struct EventQueueTests {
  /// Drains a queue after `operations`, taking one event after every third that is added.
  private func order(of instants: [Int64]) -> (taken: [Int], expected: [Int]) {
    var queue = EventQueue<Int>()
    var pending: [(instant: Int64, number: Int)] = []
    var taken: [Int] = []
    var expected: [Int] = []
    func takeOne() {
      guard let (_, event) = queue.popNext() else { return }
      taken.append(event)
      // A stable minimum: among equals, the one added first.
      let index = pending.indices.min { pending[$0].instant < pending[$1].instant } ?? 0
      expected.append(pending.remove(at: index).number)
    }
    for (number, instant) in instants.enumerated() {
      queue.schedule(number, at: Instant(nanoseconds: instant))
      pending.append((instant, number))
      if number % 3 == 2 { takeOne() }
    }
    while !pending.isEmpty { takeOne() }
    return (taken, expected)
  }

  @Test(arguments: [3, 24, 25, 26, 200, 2000], [1, 5, 1_000_000] as [Int64])
  func `Events come by instant, and equal instants first in, first out`(
    count: Int, range: Int64
  ) {
    var draws = RandomStream(RandomRun(seed: 7, run: 0), cause: .userActivity)
      .draws(at: DrawAddress(.call, number: count))
    let instants = (0..<count).map { _ in Int64(draws.next() % UInt64(range)) }
    let (taken, expected) = order(of: instants)
    #expect(taken == expected)
  }

  @Test func `An emptied queue starts anew`() {
    var queue = EventQueue<Int>()
    for number in 0..<40 { queue.schedule(1, at: Instant(nanoseconds: Int64(number))) }
    queue.removeAll()
    let nothing = queue.popNext()
    queue.schedule(2, at: .zero)
    let next = queue.popNext()
    #expect(nothing == nil)
    #expect(next?.event == 2)
  }
}
