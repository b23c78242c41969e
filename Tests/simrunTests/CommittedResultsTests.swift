import Foundation
import Testing

@testable import simrun

/// Experiments against committed results.
struct CommittedResultsTests {
  private static let experiment = """
    { title: "Five calls meet an expired token", question: "Who signs out?", note: "A strict server.",
      usage: { opens: "expired" }, network: "slow-4g", strategies: ["naive", "single-flight"], runs: 400,
      expect: ["refreshes > 0", "calls per opening = 5 ± 1%"], answer: ["signOuts per opening"] }
    """

  private let folder: ScratchFolder
  private let file: String
  private let results: String

  init() throws {
    folder = try ScratchFolder()
    file = try folder.write(Self.experiment, to: "experiments/claims/Q1.json5")
    try folder.write(
      "{ title: \"One call\", usage: { callers: 1 }, strategies: \"naive\", runs: 1, expect: \"calls = 1\" }",
      to: "experiments/B1.json5")
    results = "\(folder.path)/results"
  }

  private func check(_ more: String...) async throws -> Simrun.Answer {
    try await folder.run(["check", "\(folder.path)/experiments", "--results", results] + more)
  }

  private func change(_ name: String, _ old: String, _ new: String) throws {
    let text = try folder.text(name)
    try #require(text.contains(old))
    try folder.write(text.replacing(old, with: new), to: name)
  }

  @Test func `What was written anew is what comes out`() async throws {
    let written = try await check("--update")
    #expect(written.exitCode == .success)
    #expect(written.attachments.count == 3)
    #expect(written.text.hasSuffix("2 results, 3 files new or changed\n"))
    let compared = try await check()
    #expect(compared.exitCode == .success)
    #expect(
      compared.text.hasSuffix(
        "2 committed files: 2 as they came out, 0 of another version or other inputs, 0 failures\n")
    )
    let again = try await check("--update")
    #expect(again.attachments.isEmpty)
    let text = try folder.text("results/claims/Q1.json")
    #expect(!text.contains(folder.path))
    #expect(text.contains("\"file\": \"experiments/claims/Q1.json5\""))
  }

  @Test func `A number that someone changed is named`() async throws {
    _ = try await check("--update")
    try change(
      "results/claims/Q1.json", "\"calls\": { \"count\": 2000", "\"calls\": { \"count\": 2001")
    let compared = try await check()
    #expect(compared.exitCode == .expectationFailed)
    #expect(
      compared.text.contains(
        "stale or changed: worlds[0].results[naive].metrics.calls.count is 2001, and 2000 came out; "
          + "simrun check --update writes it anew"))
  }

  @Test func `An index that is not that of the results fails`() async throws {
    _ = try await check("--update")
    try change("results/README.md", "Who signs out?", "Who does not?")
    let compared = try await check()
    #expect(compared.exitCode == .expectationFailed)
    #expect(compared.text.contains("README.md\n       is not the index of the results beside it"))
  }

  @Test func `Rates of another version are compared as samples`() async throws {
    _ = try await check("--update")
    try change(
      "results/claims/Q1.json", "\"version\": \"\(Version.number)\"", "\"version\": \"0.0.1\"")
    let compared = try await check()
    #expect(compared.exitCode == .success)
    #expect(compared.text.contains("with one false alarm in a hundred such checks"))
    #expect(compared.text.contains("none differs; simrun check --update is due for"))
  }

  @Test func `A client that got worse fails against what was committed`() async throws {
    _ = try await check("--update")
    try change(
      "experiments/claims/Q1.json5", "[\"naive\", \"single-flight\"]",
      "[\"naive\", { name: \"single-flight\", base: \"single-flight\", merge: \"none\" }]")
    let compared = try await check()
    #expect(compared.exitCode == .expectationFailed)
    #expect(
      compared.text.contains("single-flight: signOuts per opening was 0 (0 to 0.00951) and is 1 ("))
    #expect(compared.text.contains("standard errors apart; if that is meant"))
  }

  @Test func `A result that is missing or of a part of the runs is told`() async throws {
    _ = try await check("--update")
    try FileManager.default.removeItem(atPath: "\(results)/B1.json")
    try change("results/claims/Q1.json", "\"partial\": false", "\"partial\": true")
    let compared = try await check()
    #expect(compared.exitCode == .expectationFailed)
    #expect(compared.text.contains("B1.json\n       is missing; simrun check --update writes it"))
    #expect(compared.text.contains("is of a part of the runs, because it was interrupted"))
  }

  @Test func `A result whose experiment is gone is told`() async throws {
    _ = try await check("--update")
    try FileManager.default.removeItem(atPath: file)
    let compared = try await check()
    #expect(compared.exitCode == .expectationFailed)
    #expect(
      compared.text.contains(
        "Q1.json\n       is of experiments/claims/Q1.json5, which is not there; remove one or bring back the other"
      ))
  }

  @Test func `What is no result at all is bad data`() async throws {
    _ = try await check("--update")
    try folder.write("{ a: 1 }", to: "results/B1.json")
    await #expect(throws: Problem.self) { try await check() }
  }

  @Test func `The index asks, answers, and says how`() async throws {
    _ = try await check("--update")
    let index = try folder.text("results/README.md")
    // Wilson's limits of 400 yeses and 400 noes are 400/403.84 = 0.99049 and 3.84/403.84 = 0.00951.
    #expect(
      index.contains(
        """
        ## Who signs out?

        A strict server.

        | strategy | signOuts per opening |
        | --- | --- |
        | naive | 100 % (99.0 to 100 %) |
        | single-flight | 0 % (below 0.951 %) |

        `simrun check experiments/claims/Q1.json5 --results results` · [result](claims/Q1.json)
        """))
    #expect(index.contains("| [B1](B1.json) | One call | 1 of 1 |"))
  }

  @Test func `A single variant has no result of its own`() async throws {
    await #expect(throws: Problems.self) { try await check("--variant", "a") }
    do {
      _ = try await folder.run(["check", file, "--results", "\(results)-nowhere"])
      Issue.record("a missing folder was not told")
    } catch let problems as Problems {
      #expect(problems.list.map(\.exitCode) == [.cannotRead])
    }
  }
}
