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
    ("scenario.json5", "show scenario"), ("fields.txt", "show fields"), ("help.txt", "run --help"),
    ("completions.bash", "completions bash"),
  ])
  func `The output is what it was`(name: String, line: String) async throws {
    try expectGolden(try await answer(line), name)
  }
}
