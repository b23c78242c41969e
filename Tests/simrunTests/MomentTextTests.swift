import SimCore
import SimTestSupport
import Testing

@testable import simrun

/// Moments, pins, and processes as they are typed, printed, and refused.
struct MomentTextTests {
  private func field(_ path: String) throws -> ScenarioField {
    try #require(ScenarioField.all.first { $0.path == path })
  }

  private func scenario(_ path: String, _ text: String) throws -> Scenario {
    var scenario = Scenario()
    try field(path).write(&scenario, .string(text))
    return scenario
  }

  @Test(arguments: [
    ("kill@5s", Usage.Moment(.kill, at: .seconds(5))),
    ("forceQuit@5s in 2", Usage.Moment(.forceQuit, at: .seconds(5), process: 2)),
    ("wake(30s)@1h", Usage.Moment(.wake(.seconds(30)), at: .seconds(3600))),
    ("lock@5s", Usage.Moment(.lock, at: .seconds(5))),
    ("unlock@1h", Usage.Moment(.unlock, at: .seconds(3600))),
    ("reboot@1d", Usage.Moment(.reboot, at: .seconds(86_400))),
    ("copyPair(2)@1h", Usage.Moment(.copyPair(to: 2), at: .seconds(3600))),
    ("restoreStore@0s in 3", Usage.Moment(.restoreStore, at: .zero, process: 3)),
    ("signIn(2)@1h", Usage.Moment(.signIn(user: 2), at: .seconds(3600))),
    ("signIn@1h", Usage.Moment(.signIn(), at: .seconds(3600))),
    ("call@0s in 2", Usage.Moment(.call(), at: .zero, process: 2)),
    (
      "call@0s x60 every 10s in 2",
      Usage.Moment(.call(), at: .zero, times: 60, every: .seconds(10), process: 2)
    ),
  ])
  func `A moment reads as it is written`(text: String, moment: Usage.Moment) throws {
    let scenario = try scenario("usage.timeline", text)
    #expect(scenario.usage.timeline == [moment])
    #expect(try field("usage.timeline").read(scenario) == .array([.string(text)]))
  }

  @Test func `The first process and the first user need no number`() throws {
    let scenario = try scenario("usage.timeline", "call@0s in 1, signIn(1)@1s")
    #expect(try field("usage.timeline").read(scenario) == .array(["call@0s", "signIn@1s"]))
  }

  @Test(arguments: [
    ("call@0s in", "has \"in\" after its time; x60 every 10s in 2 could stand there"),
    (
      "call@0s in two",
      "has the process \"two\", which is not a whole number from 1 to 1,000,000"
    ),
    (
      "call@0s in 2 x3", "has \"x3\" after its time; x60 every 10s in 2 could stand there"
    ),
    ("wake@1h", "needs how long the code runs, as in wake(30s)"),
    ("wake(0s)@1h", "must be longer than zero"),
    ("copyPair@1h", "needs the number of a process, as in copyPair(2)"),
    ("kill(2)@1h", "takes nothing in brackets"),
    (
      "forcequit@1h",
      "is unknown; use call, cancel, clock, wake, copyPair, refresh, leave, return, suspend, offline, "
        + "online, signOut, signIn, endAccess, revoke, kill, forceQuit, lock, unlock, reboot, or "
        + "restoreStore. Did you mean \"forceQuit\"?"
    ),
  ])
  func `A moment that is wrong says what is accepted`(text: String, clause: String) throws {
    #expect(throws: FieldProblem("has \"\(text)\", which \(clause)", at: 0)) {
      try scenario("usage.timeline", text)
    }
  }

  @Test func `A write is pinned, and a request of another process`() throws {
    let text = "write 1: fails=true, duration=200ms; process 2 refresh 1: lost=answer"
    var write = Usage.Pin(.write(1))
    write.fails = true
    write.duration = .milliseconds(200)
    var refresh = Usage.Pin(.refresh(1), process: 2)
    refresh.lost = .answer
    let scenario = try scenario("usage.pins", text)
    #expect(scenario.usage.pins == [write, refresh])
    #expect(
      try field("usage.pins").read(scenario)
        == .array([
          "write 1: fails=true, duration=200ms", "process 2 refresh 1: lost=answer",
        ]))
  }

  @Test(arguments: [
    (
      "wrote 1: fails=true",
      "has \"wrote 1: fails=true\", which does not begin with refresh 1, call 1, call 1 attempt 2, or "
        + "write 1, which process 2 may stand before"
    ),
    (
      "process x call 1: lost=answer",
      "has \"process x call 1: lost=answer\", which has the process \"x\", which is not a whole number "
        + "from 1 to 1,000,000"
    ),
    ("write 1: fails=yes", "has \"write 1: fails=yes\", which is not true or false"),
  ])
  func `A pin that is wrong says what is accepted`(text: String, clause: String) throws {
    #expect(throws: FieldProblem(clause, at: 0)) { try scenario("usage.pins", text) }
  }

  @Test func `The same request of two processes may be pinned`() throws {
    let text = "refresh 1: lost=answer; process 2 refresh 1: lost=answer"
    #expect(try scenario("usage.pins", text).usage.pins.count == 2)
    #expect(throws: FieldProblem("pins process 2 refresh 1 twice", at: 1)) {
      try scenario(
        "usage.pins", "process 2 refresh 1: lost=answer; process 2 refresh 1: lost=request")
    }
  }

  @Test(arguments: [
    ("main", [ProcessPlan()]),
    ("main; store=own", [ProcessPlan(), ProcessPlan(store: .own)]),
    (
      "main; device=2, session=child, store=own, start=launchedLater",
      [
        ProcessPlan(),
        ProcessPlan(device: 2, session: .child, store: .own, start: .launchedLater),
      ]
    ),
  ])
  func `Processes read as they are written`(text: String, plans: [ProcessPlan]) throws {
    let scenario = try scenario("processes", text)
    #expect(scenario.processes == plans)
    let texts = text.split(separator: "; ").map { JSONValue.string(String($0)) }
    #expect(try field("processes").read(scenario) == .array(texts))
  }

  @Test func `An empty text in a list is a plain process`() throws {
    var scenario = Scenario()
    try field("processes").write(&scenario, .array(["", "main"]))
    #expect(scenario.processes == [ProcessPlan(), ProcessPlan()])
  }

  @Test(arguments: [
    ("", "is empty; there is at least one process, such as main"),
    (
      "main; device 2",
      "has \"device 2\", which has \"device 2\", which is not like device=2, or main alone"
    ),
    (
      "main; device=0",
      "has \"device=0\", which has the device \"0\", which is not a whole number from 1 to 32"
    ),
    (
      "main; sesion=own",
      "has \"sesion=own\", which has the unknown parameter \"sesion\", or has it twice. Did you mean "
        + "\"session\"?"
    ),
    (
      "main; store=privat",
      "has \"store=privat\", which has the store \"privat\", which is unknown; use shared or own."
    ),
  ])
  func `A process that is wrong says what is accepted`(text: String, clause: String) throws {
    let problem = #expect(throws: FieldProblem.self) { try scenario("processes", text) }
    #expect(problem?.clause == clause)
  }
}
