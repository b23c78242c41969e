import Testing

@testable import SimCore

struct AppLifecycleTests {
  private func seconds(_ seconds: Int64) -> Instant {
    Instant(nanoseconds: seconds * 1_000_000_000)
  }

  private func lifecycle(budget: Int64 = 30) -> AppLifecycle {
    AppLifecycle(backgroundBudget: budget * 1_000_000_000)
  }

  @Test func `An app without a task is suspended when it falls due`() {
    var life = lifecycle()
    life.leave(at: seconds(0))
    let whenDue = life.suspensionFallsDue(at: seconds(3))
    #expect(whenDue == .suspend)
    #expect(life.isSuspended)
    let wasSuspended = life.resume()
    #expect(wasSuspended)
    #expect(life.isForeground)
  }

  @Test func `A return before that cancels the suspension`() {
    var life = lifecycle()
    life.leave(at: seconds(0))
    let wasSuspended = life.resume()
    #expect(!wasSuspended)
    let whenDue = life.suspensionFallsDue(at: seconds(3))
    #expect(whenDue == .nothing)
  }

  @Test func `A task holds it off, and its end suspends at once`() {
    var life = lifecycle()
    life.holdTask()
    life.leave(at: seconds(4))
    let whenDue = life.suspensionFallsDue(at: seconds(7))
    #expect(whenDue == .heldOff(until: seconds(34)))
    #expect(!life.isSuspended)
    let afterRelease = life.releaseTask()
    #expect(afterRelease == .suspend)
  }

  @Test func `A task that ends in time changes nothing`() {
    var life = lifecycle()
    life.holdTask()
    life.leave(at: seconds(4))
    let afterRelease = life.releaseTask()
    #expect(afterRelease == .nothing)
    let whenDue = life.suspensionFallsDue(at: seconds(7))
    #expect(whenDue == .suspend)
  }

  @Test func `The budget counts from the leaving`() {
    var life = lifecycle()
    life.holdTask()
    life.leave(at: seconds(4))
    _ = life.suspensionFallsDue(at: seconds(7))
    let atTheEnd = life.budgetEnds()
    #expect(atTheEnd == .expireTaskAndSuspend)
    #expect(life.isSuspended)
  }

  @Test func `A budget that is over when suspension falls due holds nothing off`() {
    var life = lifecycle(budget: 2)
    life.holdTask()
    life.leave(at: seconds(0))
    let whenDue = life.suspensionFallsDue(at: seconds(3))
    #expect(whenDue == .expireTaskAndSuspend)
  }

  @Test func `The budget's end matters only while the task is held`() {
    var life = lifecycle()
    life.leave(at: seconds(0))
    _ = life.suspensionFallsDue(at: seconds(3))
    let atTheEnd = life.budgetEnds()
    #expect(atTheEnd == .nothing)
  }
}
