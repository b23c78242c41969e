import Foundation
import SimTestSupport
import Testing

@testable import simrun

/// Whole outputs, read as text before they were committed.
struct ReportGoldenTests {
  private func answer(_ line: String) async throws -> String {
    try await Simrun.answer(line.split(separator: " ").map(String.init)).text
  }

  @Test(arguments: [
    ("one-strategy.txt", "--strategy naive --callers 5 --runs 2000"),
    ("several-strategies.txt", "--strategy naive,single-flight,single-flight+margin --runs 2000"),
    (
      "visit.txt", "--strategy single-flight,background-task --opens expired --leaves 1s --runs 500"
    ),
    ("servers.txt", "--strategy naive --server strict,parent-rule --opens expired --runs 200"),
    (
      "timeline.txt",
      "--strategy single-flight --usage timeline --set usage.timeline=call@0s,call@400s --runs 3"
    ),
    ("run.json", "--strategy naive --runs 300 --format json"),
    ("run.csv", "--strategy single-flight --runs 300 --format csv"),
    ("run.md", "--strategy naive,single-flight --runs 300 --format markdown"),
    ("trace.txt", "trace --strategy naive --callers 2 --opens expired --network slow-4g --run 0"),
    (
      "trace-task.txt",
      "trace --strategy background-task --callers 1 --opens expired --leaves 100ms --run 3"
    ),
    (
      "sessions.txt", "--usage sessions --strategy naive,single-flight+margin,best --runs 8"
    ),
    ("sessions.json", "--usage bank-app --strategy naive --runs 10 --format json"),
    ("sessions.csv", "--usage bank-app --strategy naive --runs 10 --format csv"),
    ("sessions.md", "--usage bank-app --strategy naive,best --runs 10 --format markdown"),
    ("messenger.txt", "--usage messenger --strategy naive,cross-process,best --runs 3"),
    (
      "fleet.txt", "--usage fleet --strategy naive,best --set usage.clients=40 --runs 5"
    ),
    ("fleet.json", "--usage fleet --strategy naive --set usage.clients=40 --runs 5 --format json"),
    ("fleet.csv", "--usage fleet --strategy naive --set usage.clients=40 --runs 5 --format csv"),
    (
      "fleet.md",
      "--usage fleet --strategy naive,best --set usage.clients=40 --runs 5 --format markdown"
    ),
    (
      "trace-fleet.txt", "trace --usage fleet --strategy naive --set usage.clients=40 --run 0"
    ),
    ("trace-quiet.txt", "trace --usage bank-app --strategy best --callers 2 --run 0"),
    ("strategies.txt", "show strategies"), ("help-trace.txt", "trace --help"),
    ("scenario.json5", "show scenario"), ("fields.txt", "show fields"), ("help.txt", "run --help"),
    ("completions.bash", "completions bash"), ("sensitivity.txt", "show sensitivity"),
  ])
  func `The output is what it was`(name: String, line: String) async throws {
    try expectGolden(try await answer(line), name)
  }

  /// The command that a report prints shows the run that it speaks of.
  @Test(arguments: [
    "--strategy naive,single-flight+margin --margin 5s --runs 500",
    "--strategy naive --server grace-1min,strict --opens expired --runs 500 --seed 0x10",
    "--strategy naive --set network.uplink.mean=80ms --set clock.offset=-3s --runs 2000",
  ])
  func `Each command under See one can be pasted`(line: String) async throws {
    let commands = try await answer(line).split(separator: "\n").compactMap { line -> [String]? in
      let parts = line.components(separatedBy: "See one: simrun ")
      return parts.count == 2 ? parts[1].split(separator: " ").map(String.init) : nil
    }
    #expect(!commands.isEmpty)
    for command in commands {
      let trace = try await Simrun.answer(command).text
      #expect(trace.contains("SIGNS THE USER OUT") || trace.contains("spent before"))
    }
  }
}
