import SimCore
import SimTestSupport
import Strategies
import Testing

/// What a process sends as it comes back from a suspension does not end with the connections of before.
struct ResumeTests {
  private func run(
    _ timeline: [Usage.Moment], _ decide: (inout Decisions) -> Void,
    _ change: (inout Scenario) -> Void = { _ in }
  ) throws -> RunTally {
    let scenario = Scenario.constantDelays {
      $0.usage = Usage(kind: .timeline, timeline: timeline)
      change(&$0)
    }
    var ours = try strategy("single-flight")
    decide(&ours.decisions)
    var simulation = Simulation(scenario, seed: 1) { ours.client(in: scenario, process: $0) }
    try simulation.run(0)
    #expect(simulation.violation == nil)
    return simulation.tally
  }

  /// The call of the wake waits for the unlocking, which the process learns of as the person returns.
  @Test func `A refresh that waited for the unlocking goes over a new connection`() throws {
    let counts = try run([
      .init(.leave, at: .seconds(4)), .init(.lock, at: .seconds(4)), .init(.kill, at: .seconds(60)),
      .init(.wake(.seconds(30)), at: .seconds(3600)), .init(.call(), at: .seconds(3600)),
      .init(.return, at: .seconds(7200)), .init(.call(), at: .seconds(7200)),
    ]) { $0.protectionClass = .whenUnlocked }
    expect(counts, [.refreshesSent: 1, .refreshes: 1, .rotations: 1, .attempts: 2])
  }

  /// Process 2 holds the lock from 400 s to 410.05 s; process 1 waits for it from 401 s on, and is suspended.
  @Test func `A refresh that gets the lock at the resume goes over a new connection`() throws {
    let counts = try run(
      [
        .init(.call(), at: .seconds(400), process: 2), .init(.call(), at: .seconds(401)),
        .init(.leave, at: .seconds(402)), .init(.suspend, at: .seconds(402)),
        .init(.return, at: .seconds(420)),
      ],
      {
        $0.lock = CrossProcessLock(whileSuspended: .released)
        $0.rereads = [.beforeSending]
      },
      {
        $0.processes = [ProcessPlan(), ProcessPlan()]
        var pin = Usage.Pin(.refresh(1), process: 2)
        pin.uplink = .seconds(10)
        pin.answer = .serverError
        $0.usage.pins = [pin]
      })
    expect(
      counts,
      [.refreshesSent: 2, .refreshes: 2, .refused: 1, .rotations: 1, .failedCalls: 1, .attempts: 1])
  }
}
