import Foundation
import Testing

@testable import simrun

/// The gate for pull requests opens for a careful client and closes for one that was made worse.
struct GateTests {
  private static let file = ExperimentTests.folder.appendingPathComponent("ci-gate.json5").path

  @Test func `The client as committed passes`() async throws {
    let answer = try await Simrun.answer(["check", Self.file], Environment([:]))
    #expect(answer.exitCode == .success, "\(answer.text)")
  }

  @Test(arguments: [
    ("merge: \"none\"", "deadOnTheServer"), ("merge: \"queue\"", "expired"),
    ("check: \"0s\"", "randomMoment"), ("check: \"none\"", "expired"),
    ("owner: \"startingCall\"", "cancelled"), ("protection: \"none\"", "suspended"),
    ("onFailure: { invalidGrant: \"retry\" }", "revoked"),
    ("afterUnauthorized: \"refresh\"", "deadOnTheServer"),
  ])
  func `A client made worse is caught`(change: String, variant: String) async throws {
    let text = try String(contentsOf: URL(fileURLWithPath: Self.file), encoding: .utf8)
    let usual = "    check: \"30s\","
    try #require(text.contains(usual))
    // A changed decision stands in the place of the usual one.
    let decisions = change.hasPrefix("check") ? "    \(change)," : "\(usual) \(change),"
    let folder = try ScratchFolder()
    let file = try folder.write(text.replacing(usual, with: decisions), to: "gate.json5")
    let answer = try await folder.run(["check", file, "--variant", variant])
    #expect(answer.exitCode == .expectationFailed)
    #expect(answer.text.contains("FAIL \(file) · \(variant) · ours"))
  }
}
