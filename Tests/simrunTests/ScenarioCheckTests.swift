import SimCore
import Testing

@testable import simrun

/// What fields, moments, and pins must not say together.
struct ScenarioCheckTests {
  private func messages(_ scenario: Scenario, given: Set<String> = []) throws -> [String] {
    do {
      try ScenarioCheck(scenario, given: given).check()
      return []
    } catch let problems as Problems {
      return problems.list.map(\.message)
    }
  }

  private func timeline(
    _ text: String, processes: String = "main", pins: String = "", locks: Double = 0
  ) throws -> [String] {
    var scenario = Scenario()
    scenario.usage.kind = .timeline
    scenario.lifecycle.locks = locks
    for (path, value) in [
      ("usage.timeline", text), ("processes", processes), ("usage.pins", pins),
    ] {
      let field = try #require(ScenarioField.all.first { $0.path == path })
      try field.write(&scenario, .string(value))
    }
    return try messages(scenario)
  }

  @Test(arguments: [
    ("call@0s in 3", "call@0s in 3 names process 3 of 2"),
    ("copyPair(3)@0s", "copyPair(3)@0s names process 3 of 2"),
    ("copyPair(2)@0s in 2", "copyPair(2)@0s in 2 copies the pair of process 2 to itself"),
    ("call@0s, cancel(1)@1s in 2", "cancel(1)@1s in 2 names call 1 of 0"),
    (
      "leave@0s, return@1s in 2",
      "return@1s in 2, but the person has not left; put leave, suspend, or kill before it"
    ),
    (
      "kill@1s, leave@2s",
      "leave@2s, but process 1 is not there; return or wake launches it"
    ),
    (
      "kill@1s in 2, suspend@2s in 2",
      "suspend@2s in 2, but process 2 is not there; return or wake launches it"
    ),
    (
      "forceQuit@1s, kill@2s",
      "kill@2s, but process 1 is not there; return or wake launches it"
    ),
    (
      "reboot@1s, kill@2s in 2",
      "kill@2s in 2, but process 2 is not there; return or wake launches it"
    ),
    ("lock@1s, lock@2s in 2", "lock@2s in 2, but device 1 is locked already"),
    ("reboot@1s, lock@2s", "lock@2s, but device 1 is locked already"),
    ("unlock@1s", "unlock@1s, but device 1 is not locked; put lock or reboot before it"),
    ("leave@0s x2 every 1s", "leave@1s, but the person has left already"),
  ])
  func `A moment that cannot happen is refused`(text: String, message: String) throws {
    #expect(try timeline(text, processes: "main; main") == ["usage.timeline: \(message)"])
  }

  @Test(arguments: [
    "kill@1s, return@2s, leave@3s, return@4s", "kill@1s, wake(30s)@2s, kill@1min",
    "leave@1s, kill@2s, return@3s", "lock@1s, unlock@2s, lock@3s", "reboot@1s, unlock@2s",
    "wake(30s)@1s in 2, return@2s in 2", "lock@1s, lock@1s in 3",
    "leave@0s x2 every 2s, return@1s x2 every 2s", "suspend@1s, leave@2s, return@3s",
    "copyPair(3)@1s in 2",
  ])
  func `A moment that can happen is not`(text: String) throws {
    #expect(
      try timeline(text, processes: "main; start=launchedLater; device=2, session=own").isEmpty)
  }

  @Test func `A device that locks itself may be unlocked at any time`() throws {
    #expect(try timeline("leave@0s, unlock@1s", locks: 0.5).isEmpty)
  }

  @Test(arguments: [
    ("process 3 refresh 1: lost=answer", "process 3 refresh 1 names process 3 of 2"),
    ("process 2 call 1: lost=answer", "process 2 call 1 names call 1 of 0"),
    ("refresh 1: fails=true", "refresh 1 has fails or a duration, which only a write has"),
    (
      "write 1: uplink=5ms",
      "write 1 has what only a request has; a write takes fails and duration"
    ),
  ])
  func `A pin of what there is not is refused`(pin: String, message: String) throws {
    #expect(
      try timeline("call@0s", processes: "main; main", pins: pin) == ["usage.pins: \(message)"])
  }

  @Test(arguments: [
    (Usage.Kind.steady, "usage.visit", "only sessions have it"),
    (.opening, "usage.whileOpen", "only sessions and a fleet have it"),
    (.sessions, "usage.clients", "only a fleet has it"),
    (.fleet, "usage.callers", "only an opening and sessions have it"),
    (.sessions, "lifecycle.leaves", "only an opening has it"),
    (.sessions, "usage.interval", "only steady use has it"),
    (.timeline, "usage.callers", "say in usage.timeline when calls, leaving, and returning happen"),
  ])
  func `A field of another kind of use is refused`(
    kind: Usage.Kind, path: String, clause: String
  ) throws {
    var scenario = Scenario()
    scenario.usage = Usage(
      kind: kind, callers: 3, interval: .constant(.seconds(1)), horizon: .seconds(3600),
      visit: .constant(.seconds(1)), whileOpen: .constant(.seconds(1)), clients: 3)
    scenario.lifecycle.leaves = .at(.seconds(1))
    let found = try messages(scenario, given: [path])
    #expect(found.first == "\(path) is given, but usage.kind is \(kind); \(clause)")
  }

  @Test(arguments: [
    (Usage.Kind.sessions, "visits need an end, such as 30d"),
    (.fleet, "calls need an end, such as 1h"), (.steady, "calls need an end, such as 1d"),
  ])
  func `Use without an end is refused`(kind: Usage.Kind, need: String) throws {
    var scenario = Scenario()
    scenario.usage.kind = kind
    #expect(
      try messages(scenario) == ["usage.kind is \(kind), but usage.horizon is none; \(need)"])
  }

  @Test func `What never lets time pass is refused`() throws {
    var scenario = Scenario()
    scenario.usage = Usage(
      kind: .sessions, horizon: .seconds(3600), visit: .constant(.zero), gap: .constant(.zero))
    #expect(
      try messages(scenario) == [
        "usage.visit and usage.gap are always 0s; visits would never let time pass"
      ])
    scenario.usage.gap = .constant(.seconds(1))
    scenario.usage.whileOpen = .constant(.zero)
    #expect(
      try messages(scenario) == ["usage.whileOpen is always 0s; calls would never let time pass"])
    scenario.usage.whileOpen = nil
    scenario.lifecycle.wakes = .constant(.zero)
    #expect(
      try messages(scenario) == ["lifecycle.wakes is always 0s; wakes would never let time pass"])
  }

  @Test func `Processes fit the use`() throws {
    var scenario = Scenario()
    scenario.processes = [ProcessPlan(session: .child)]
    #expect(
      try messages(scenario) == [
        "processes: process 1 has session=child, but its session is the one that others are told apart "
          + "from; leave it first"
      ])
    scenario.processes = [ProcessPlan(), ProcessPlan(device: 2)]
    #expect(try messages(scenario).isEmpty)
    scenario.usage = Usage(kind: .fleet, horizon: .seconds(3600))
    #expect(
      try messages(scenario) == [
        "processes has 2, but usage.kind is fleet; each client of a fleet is one process"
      ])
    scenario.processes = [ProcessPlan()]
    scenario.usage.callsFrom = .seconds(3600)
    #expect(
      try messages(scenario) == ["usage.callsFrom, 1h, is not before usage.horizon, 1h"])
  }
}
