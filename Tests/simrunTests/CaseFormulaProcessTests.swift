import Foundation
import SimCore
import Strategies
import Testing

@testable import simrun

/// The cases of several processes, machines, and stores with other numbers than their cards have, each against a
/// closed form.
struct CaseFormulaProcessTests {
  private func refresh(_ process: Int, at moment: Duration) -> Usage.Moment {
    Usage.Moment(.refresh, at: moment, process: process)
  }

  // MARK: Processes of one device

  /// Tab 1 ticks from 10 s every `period`, tab 2 `gap` later and by `drift` slower, all in milliseconds.
  @Test(
    arguments: [
      (10_000, 9000, 300), (10_000, 500, 1000), (8000, 5000, 7), (15_000, 9999, 2),
      (10_000, 1, 2500),
    ])
  func `B11: A gap that grows falls out of the grace in the first round in which it is as long`(
    period: Int, gap: Int, drift: Int
  ) throws {
    let grace = min(10_000, period - 1)
    // The rounds before it, from the first on.
    let rounds = (grace - gap + drift - 1) / drift
    let late = rounds * (period + drift) + gap
    // Tab 1 rotates once more if its next tick comes before the late one.
    let rotations = (late - 1) / period + 1
    let tally = try Case.tally("B11", "buggy") {
      $0.scenario.processes = [ProcessPlan(), ProcessPlan()]
      $0.scenario.usage.horizon = .milliseconds(10_000 + late + 1)
      $0.scenario.server.parentGrace.window = .lasting(.milliseconds(grace))
      func ticks(_ every: Int, from first: Int) -> Decisions.Schedule {
        .tick(
          every: .milliseconds(every), first: .milliseconds(first), threshold: .seconds(3600))
      }
      $0.strategies[0].decisions.schedule = ticks(period, from: 10_000)
      var second = $0.strategies[0].decisions
      second.schedule = ticks(period + drift, from: 10_000 + gap)
      $0.strategies[0].processes = [2: second]
    }
    expect(
      tally,
      [
        .refreshes: rotations + rounds + 1, .rotations: rotations, .graced: rounds, .rejected: 1,
        .revocations: 1, .signOuts: 1, .falseSignOuts: 0,
      ])
    #expect(tally[SignOutCause.otherProcess] == 1)
  }

  /// Equal periods of 10 s, tabs `spacing` milliseconds apart.
  @Test(arguments: [(2, 4000), (3, 3000), (5, 1000), (10, 900), (20, 10)], [1, 3, 8])
  func `B11: Tabs within the grace share each rotation`(tabs: (Int, Int), rounds: Int) throws {
    let (count, spacing) = tabs
    let tally = try Case.tally("B11", "buggy") {
      $0.scenario.processes = Array(repeating: ProcessPlan(), count: count)
      $0.scenario.usage.horizon = .seconds(10 * (rounds + 1))
      let base = $0.strategies[0].decisions
      var clients: [Int: Decisions] = [:]
      for tab in 1...count {
        var decisions = base
        decisions.schedule = .tick(
          every: .seconds(10), first: .seconds(10) + .milliseconds(spacing * (tab - 1)),
          threshold: .seconds(3600))
        clients[tab] = decisions
      }
      $0.strategies[0].decisions = clients[1] ?? base
      $0.strategies[0].processes = clients
    }
    expect(
      tally,
      [
        .refreshes: count * rounds, .rotations: rounds, .graced: (count - 1) * rounds, .rejected: 0,
        .signOuts: 0,
      ])
  }

  /// N processes `spacing` milliseconds apart; the first round at 0, the second after the end of the access token.
  private func twoRounds(_ processes: Int, _ spacing: Int) -> [Usage.Moment] {
    let first = (0..<processes).map { refresh($0 + 1, at: .milliseconds(spacing * $0)) }
    let second = (0..<processes).map {
      Usage.Moment(
        .call(), at: .seconds(3700) + .milliseconds(spacing * $0), process: $0 + 1)
    }
    return first + second
  }

  /// Processes, spacing, and grace in milliseconds.
  @Test(
    arguments: [
      (1, 13, 0), (2, 13, 0), (2, 500, 0), (5, 13, 0), (2, 13, 1000), (5, 13, 53), (5, 13, 51),
      (5, 400, 1000), (8, 100, 350), (8, 100, 1),
    ])
  func `B13: Whoever comes after the grace ends the session of all N`(
    processes: Int, spacing: Int, grace: Int
  ) throws {
    let tally = try Case.tally("B13", "buggy") {
      $0.scenario.processes = Array(repeating: ProcessPlan(), count: processes)
      $0.scenario.usage.timeline = twoRounds(processes, spacing)
      $0.scenario.server.parentGrace.window = .lasting(.milliseconds(grace))
      $0.scenario.server.parentGrace.reply = .sameSuccessor
    }
    // Of the first round, those who are answered beside the first, and those who are too late.
    let graced = (1..<max(2, processes)).count { $0 < processes && spacing * $0 < grace }
    let isWhole = graced == processes - 1
    expect(
      tally,
      [
        .rotations: isWhole ? 2 : 1, .graced: isWhole ? 2 * graced : graced,
        .refreshes: isWhole ? 2 * processes : processes + 1 + graced,
        .rejected: isWhole ? 0 : processes, .revocations: isWhole ? 0 : 1,
        .signOuts: isWhole ? 0 : processes, .failedCalls: isWhole ? 0 : processes,
        .falseSignOuts: 0,
      ])
  }

  @Test(arguments: [1, 2, 5, 20], [1, 13, 99, 500])
  func `B13: A lock and a look leave one refresh for N processes`(processes: Int, spacing: Int)
    throws
  {
    let tally = try Case.tally("B13", "lock") {
      $0.scenario.processes = Array(repeating: ProcessPlan(), count: processes)
      $0.scenario.usage.timeline = twoRounds(processes, spacing)
    }
    expect(
      tally,
      [.refreshes: 2, .rotations: 2, .duplicates: 0, .rejected: 0, .failedCalls: 0, .signOuts: 0])
  }

  /// Two bursts `apart` milliseconds from each other; the pair of the first is stored after two ways of `leg`.
  @Test(
    arguments: [
      (150, 200, 8, 7), (150, 299, 1, 30), (150, 300, 3, 4), (150, 301, 3, 4), (10, 200, 8, 7),
      (1000, 1500, 2, 9),
    ])
  func `B15: A leak does harm until the pair of the first holder is stored`(
    leg: Int, apart: Int, first: Int, second: Int
  ) throws {
    func change(_ variant: inout Case.Variant) {
      variant.scenario.network.uplink = .constant(.milliseconds(leg))
      variant.scenario.network.downlink = .constant(.milliseconds(leg))
      variant.scenario.usage.timeline = [
        .init(.call(), at: .seconds(70), times: first),
        .init(
          .call(), at: .seconds(70) + .milliseconds(apart), times: second, process: 2),
      ]
    }
    let leaks = apart <= 2 * leg
    expect(
      try Case.tally("B15", "buggy", change),
      [
        .refreshes: leaks ? 2 : 1, .rotations: 1, .rejected: leaks ? 1 : 0,
        .failedCalls: leaks ? second : 0, .signOuts: leaks ? 1 : 0,
      ])
    expect(
      try Case.tally("B15", "buggy behind a grace", change),
      [.graced: leaks ? 1 : 0, .duplicates: leaks ? 1 : 0, .failedCalls: 0])
    expect(
      try Case.tally("B15", "fixed", change), [.refreshes: 1, .duplicates: 0, .failedCalls: 0])
  }

  /// Processes that call at 5 s and every 10 s, and refresh every `period` seconds, evenly shifted.
  @Test(arguments: [(2, 300), (3, 300), (5, 300), (10, 600), (4, 120), (1, 300)])
  func `B18: P processes cost P - 1 401s per rotation`(processes: Int, period: Int) throws {
    let tally = try Case.tally("B18", "buggy") {
      $0.scenario.processes = Array(repeating: ProcessPlan(), count: processes)
      $0.scenario.usage.timeline = (1...processes).map {
        Usage.Moment(.call(), at: .seconds(5), times: 360, every: .seconds(10), process: $0)
      }
      let base = $0.strategies[0].decisions
      $0.strategies[0].processes = [:]
      for process in 1...processes {
        var decisions = base
        decisions.schedule = .tick(
          every: .seconds(period), first: .seconds(period / processes * (process - 1)),
          threshold: .seconds(10 * 86_400))
        $0.strategies[0].processes[process] = decisions
      }
    }
    let rotations = processes * 3600 / period
    expect(
      tally,
      [
        .rotations: rotations, .unauthorized: (processes - 1) * rotations, .rejected: 0,
        .failedCalls: 0, .signOuts: 0,
      ])
  }

  /// Process 1 refreshes at 0; process 2 learns of it by its call at 5 s.
  @Test(arguments: [1, 4, 6, 9, 150])
  func `B18: Who refreshes before a call has told of the others loses the session`(shift: Int)
    throws
  {
    let tally = try Case.tally("B18", "buggy") {
      $0.scenario.processes = [ProcessPlan(), ProcessPlan()]
      $0.scenario.usage.timeline.removeLast()
      $0.scenario.usage.horizon = .seconds(290)
      var second = $0.strategies[0].decisions
      second.schedule = .tick(
        every: .seconds(300), first: .seconds(shift), threshold: .seconds(10 * 86_400))
      $0.strategies[0].processes = [2: second]
    }
    let isEarly = shift < 5
    expect(
      tally,
      [.rotations: isEarly ? 1 : 2, .rejected: isEarly ? 1 : 0, .revocations: isEarly ? 1 : 0])
  }

  /// Widgets that refresh a second apart, and the app at 900 s and 3600 s, each with a copy of R1.
  @Test(arguments: [1, 2, 5, 12])
  func `B30: Of K widgets and an app all but one are rejected`(widgets: Int) throws {
    func change(_ variant: inout Case.Variant) {
      variant.scenario.processes = Array(repeating: ProcessPlan(), count: widgets + 1)
      variant.scenario.usage.timeline =
        (0..<widgets).map { refresh($0 + 2, at: .seconds($0)) }
        + [refresh(1, at: .seconds(900)), refresh(1, at: .seconds(3600))]
    }
    let buggy = try Case.tally("B30", "buggy", change)
    expect(
      buggy,
      [
        .refreshes: widgets + 1, .rotations: 1, .rejected: widgets, .revocations: 0,
        .signOuts: widgets, .falseSignOuts: widgets,
      ])
    #expect(buggy[SignOutCause.otherProcess] == widgets)
    expect(
      try Case.tally("B30", "fixed", change),
      [.refreshes: widgets + 2, .rotations: 2, .rejected: widgets, .signOuts: 0])
  }

  // MARK: Machines

  /// Machines that refresh half an hour apart, and then the first again.
  @Test(arguments: [1, 2, 4, 10, 30])
  func `B19: Of M machines with one copy all are signed out, and with logins none`(machines: Int)
    throws
  {
    func change(_ session: ProcessPlan.Session) -> (inout Case.Variant) -> Void {
      {
        $0.scenario.processes = (1...machines).map {
          ProcessPlan(device: $0, session: $0 == 1 ? .first : session)
        }
        $0.scenario.usage.timeline =
          (1...machines).map { refresh($0, at: .seconds(3600 + 1800 * ($0 - 1))) }
          + [refresh(1, at: .seconds(3600 + 1800 * machines))]
      }
    }
    let lost = machines == 1 ? 0 : machines
    let buggy = try Case.tally("B19", "buggy", change(.first))
    expect(
      buggy,
      [
        .refreshes: machines + 1, .rotations: machines == 1 ? 2 : 1, .rejected: lost,
        .revocations: min(1, lost), .signOuts: lost, .falseSignOuts: 0,
      ])
    #expect(buggy[SignOutCause.otherDevice] == lost)
    expect(
      try Case.tally("B19", "fixed", change(.own)),
      [.refreshes: machines + 1, .rotations: machines + 1, .rejected: 0, .signOuts: 0])
  }

  /// The watch refreshes after `delay` milliseconds, under a grace of as many.
  @Test(arguments: [(45_000, 10_000), (9999, 10_000), (10_000, 10_000), (1, 0), (45_000, 60_000)])
  func `B21: A shared token lasts as long as the watch comes within the grace`(
    delay: Int, grace: Int
  ) throws {
    let tally = try Case.tally("B21", "buggy") {
      $0.scenario.usage.timeline[1] = refresh(2, at: .milliseconds(delay))
      $0.scenario.server.parentGrace.window = .lasting(.milliseconds(grace))
    }
    let isAnswered = delay < grace
    expect(
      tally,
      [
        .refreshes: 3, .rotations: isAnswered ? 2 : 1, .graced: isAnswered ? 1 : 0,
        .rejected: isAnswered ? 0 : 2, .revocations: isAnswered ? 0 : 1,
        .signOuts: isAnswered ? 0 : 2,
      ])
  }

  @Test(arguments: [1, 2, 10, 31])
  func `B21: A sign-out on the phone ends the sessions of all its companions`(companions: Int)
    throws
  {
    let tally = try Case.tally("B21", "fixed") {
      $0.scenario.processes =
        [ProcessPlan()] + (1...companions).map { ProcessPlan(device: $0 + 1, session: .child) }
      let companionsRefresh = (1...companions).map { refresh($0 + 1, at: .seconds(45 + $0)) }
      $0.scenario.usage.timeline.replaceSubrange(1...1, with: companionsRefresh)
    }
    expect(
      tally,
      [
        .rotations: 2 + companions, .rejected: 0, .signOuts: 0, .revokedByRequest: 1 + companions,
      ])
  }
}
