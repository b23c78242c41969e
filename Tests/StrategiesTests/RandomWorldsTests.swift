import Foundation
import SimCore
import Strategies
import Testing

/// Random clients in random worlds: whatever they do to each other, the rules of a run hold.
struct RandomWorldsTests {
  /// How many worlds of each seed; SIMRUN_WORLDS asks for more.
  private static let worlds: Range<Int> = {
    let asked = ProcessInfo.processInfo.environment["SIMRUN_WORLDS"].flatMap(Int.init)
    #if DEBUG
    return 0..<(asked ?? 60)
    #else
    return 0..<(asked ?? 1000)
    #endif
  }()

  /// A world with a client in it.
  private struct Draw {
    let decisions: Decisions
    let scenario: Scenario
    let seed: UInt64

    init(seed: UInt64, number: Int) {
      var dice = Dice(seed: seed, number: number)
      decisions = dice.decisions()
      scenario = dice.scenario(hasSchedule: decisions.schedule != .none)
      self.seed = seed
      // Where a long search stands, should a world not come to its end.
      if ProcessInfo.processInfo.environment["SHOW"] != nil {
        FileHandle.standardError.write(Data("AT \(seed) \(number)\n".utf8))
      }
    }

    func client() -> any Client & ~Copyable {
      Strategy(name: "random", summary: "", takesMargin: true, decisions: decisions)
        .client(in: scenario)
    }

    func simulation() -> Simulation {
      Simulation(scenario, seed: seed) { _ in client() }
    }

    /// A simulation whose every client is watched.
    func simulation(_ notes: (SeamWatch.Notes) -> Void) -> Simulation {
      Simulation(scenario, seed: seed) { _ in
        let watch = SeamWatch(client())
        notes(watch.notes)
        return watch
      }
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `The rules of a run hold in random worlds`(seed: UInt64) throws {
    for number in Self.worlds { try checkRules(seed, number) }
  }

  /// In these a transfer's answer found no network after its deadline had passed unheeded, and its call hung; among
  /// the two million worlds of an hour.
  @Test(arguments: [420_170, 539_160, 1_041_897])
  func `A deadline that passed unheeded is not forgotten`(number: Int) throws {
    try checkRules(1, number)
  }

  private func checkRules(_ seed: UInt64, _ number: Int) throws {
    let draw = Draw(seed: seed, number: number)
    var notes: [SeamWatch.Notes] = []
    var simulation = draw.simulation { notes.append($0) }
    for run in 0..<2 as Range<UInt64> {
      let entries = try simulation.trace(run).entries
      let records = draw.scenario.plans.indices.map {
        RunRecord(
          entries, of: $0 + 1, transfers: draw.decisions.protection == .backgroundTransfer)
      }
      let place: Comment = "seed \(seed), number \(number), run \(run)"
      #expect(simulation.violation == nil, place)
      for record in records { #expect(record.complaints.isEmpty, place) }
      // A long queue may still stand an hour after the horizon, when the run is cut short.
      let isCutShort =
        draw.scenario.usage.horizon.map { horizon in
          records.contains { $0.end > horizon + .seconds(3400) }
        } ?? false
      expectSums(simulation.tally, isCutShort: isCutShort, place)
      if draw.decisions.timeout != nil, !isCutShort,
        !records.contains(where: { $0.isSuspended || $0.isLockedOut })
      {
        #expect(simulation.tally[.stuckCalls] == 0, place)
      }
    }
    for notes in notes {
      #expect(notes.complaints.isEmpty, "seed \(seed), number \(number)")
    }
  }

  private func expectSums(_ tally: RunTally, isCutShort: Bool, _ place: Comment) {
    let judged = [Metric.rotations, .reissues, .graced, .rejected, .refused].map { tally[$0] }
      .reduce(0, +)
    #expect(isCutShort ? tally[.refreshes] >= judged : tally[.refreshes] == judged, place)
    #expect(tally[.refreshes] <= tally[.refreshesSent], place)
    let ended = [Metric.cancelledCalls, .failedCalls, .stuckCalls].map { tally[$0] }
    #expect(ended.reduce(0, +) <= tally[.calls], place)
    let kinds = [Metric.duplicatesConcurrent, .duplicatesReplay, .duplicatesStale].map { tally[$0] }
    #expect(tally[.duplicates] == kinds.reduce(0, +), place)
    #expect(tally[.falseSignOuts] <= tally[.signOuts], place)
    #expect(tally[.lostRotations] <= tally[.rotations] + tally[.forks], place)
    #expect(tally[.firstUnauthorized] <= tally[.unauthorized], place)
    #expect(tally[.unauthorized] <= tally[.attempts], place)
    #expect(tally[.waitedCalls] <= tally[.calls], place)
  }

  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func `A random run is the same alone, again, and among others`(seed: UInt64) throws {
    for number in Self.worlds {
      let draw = Draw(seed: seed, number: number)
      var alone = draw.simulation()
      try alone.run(2)
      let fingerprint = alone.fingerprint
      try alone.run(2)
      var busy = draw.simulation()
      for run in 0...2 as ClosedRange<UInt64> { try busy.run(run) }
      #expect(alone.fingerprint == fingerprint, "seed \(seed), number \(number)")
      #expect(busy.fingerprint == fingerprint, "seed \(seed), number \(number)")
    }
  }
}
