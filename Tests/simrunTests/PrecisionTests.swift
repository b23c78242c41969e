import SimCore
import Testing

@testable import simrun

/// Runs that go on until rates are known well enough.
struct PrecisionTests {
  private func code(_ line: String) async throws -> (ExitCode, String) {
    let answer = try await Simrun.answer(line.split(separator: " ").map(String.init))
    return (answer.exitCode, answer.text)
  }

  @Test func `Looks grow by half, and the last is at the most`() {
    #expect(Precision.looks(upTo: 4000) == [1000, 1500, 2250, 3375, 4000])
    #expect(Precision.looks(upTo: 700) == [700])
  }

  /// An expired opening always signs the user of a naive client out and always meets a 401, so that the first look is
  /// enough.
  @Test func `What is certain is known at the first look`() async throws {
    let (code, text) = try await code("run --strategy naive --opens expired --precision 10%")
    #expect(code == .success)
    #expect(text.contains("1,000 openings"))
  }

  @Test func `Too few runs for a precision are told by text and exit code`() async throws {
    let (code, text) = try await code("run --strategy naive --precision 1% --max-runs 3000")
    #expect(code == .inconclusive)
    #expect(text.contains("3,000 openings"))
    #expect(text.contains("not enough for ±1.00 % of each rate"))
  }

  /// Looking is part of the result: threads do not change where it stops.
  @Test func `Threads do not change when a rate is known`() async throws {
    let one = try await code("run --strategy naive --precision 25% --format json --threads 1")
    let three = try await code("run --strategy naive --precision 25% --format json --threads 3")
    #expect(one.1 == three.1)
    #expect(one.0 == .success)
  }

  @Test(arguments: [
    "run --strategy naive --precision 5% --runs 100", "run --strategy naive --max-runs 100",
    "run --strategy naive --precision 0", "run --strategy naive --precision 200%",
    "run --strategy naive --precision x", "run --strategy naive --precision 5% --shard 1/2",
  ])
  func `Options that contradict each other are refused`(line: String) async {
    await #expect(throws: Problems.self) { _ = try await code(line) }
  }
}
