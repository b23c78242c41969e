import Foundation
import SimCore
import Testing

@testable import simrun

struct JSONReportTests {
  private func report(_ line: String) async throws -> String {
    try await Simrun.answer(line.split(separator: " ").map(String.init) + ["--format", "json"]).text
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func `The names that others rely on are there, and every metric is`() async throws {
    let root = try object(
      try await report("--strategy naive --runs 500 --seed 18446744073709551615"))
    #expect(root["schema"] as? Int == 1)
    #expect(root["command"] as? String == "run")
    #expect(root["runs"] as? Int == 500)
    #expect(root["partial"] as? Bool == false)
    #expect((root["fingerprint"] as? String)?.count == 16)
    #expect((root["seed"] as? NSNumber)?.uint64Value == .max)
    #expect((root["scenario"] as? [String: Any])?["usage"] != nil)
    let result = try #require((root["results"] as? [[String: Any]])?.first)
    #expect(result["strategy"] as? String == "naive")
    #expect(result["server"] as? String == "strict")
    let metrics = try #require(result["metrics"] as? [String: Any])
    for name in Metric.allCases.map(\.name) + ["waitAdded", "lifeUnused", "exposure"] {
      #expect(metrics[name] != nil, "\(name)")
    }
    let revocations = try #require(metrics["revocations"] as? [String: Any])
    let perOpening = try #require(revocations["perOpening"] as? [String: Double])
    #expect(Set(perOpening.keys) == ["estimate", "low", "high"])
    let prediction = try #require(result["prediction"] as? [String: Any])
    #expect(Set(["rule", "exact", "measured", "verdict"]).isSubset(of: prediction.keys))
    #expect(result["firstBadRun"] is Int)
  }

  @Test func `A rate whose unit is absent is null`() async throws {
    let text = try await report(
      "--strategy naive --runs 10 --usage timeline --set usage.timeline=call@0s")
    let root = try object(text)
    let result = try #require((root["results"] as? [[String: Any]])?.first)
    let metrics = try #require(result["metrics"] as? [String: Any])
    let signOuts = try #require(metrics["signOuts"] as? [String: Any])
    #expect(signOuts["perOpening"] is NSNull)
    #expect(signOuts["perCall"] is [String: Any])
    #expect((result["prediction"] as? [String: Any])?["verdict"] as? String == "does not apply")
  }

  @Test func `Equal runs give equal bytes, whatever the threads`() async throws {
    let line = "--strategy naive,single-flight --runs 777"
    let one = try await report(line + " --threads 1")
    #expect(try await report(line + " --threads 3") == one)
  }

  @Test func `Text in JSON is quoted`() {
    let value = JSONValue.object(["a\"b": .string("tab\t\u{1}\\ü")])
    #expect(value.text() == #"{ "a\"b": "tab\t\u0001\\ü" }"#)
  }
}
