import Foundation
import SimCore
import Testing

@testable import simrun

#if canImport(FoundationXML)
import FoundationXML
#endif

/// `simrun sweep` from its words to its answer.
struct SweepTests {
  private func answer(_ line: String) async throws -> Simrun.Answer {
    try await Simrun.answer(line.split(separator: " ").map(String.init))
  }

  private func answer(_ line: String, target: String) async throws -> Simrun.Answer {
    try await Simrun.answer(
      line.split(separator: " ").map(String.init) + ["--target", target])
  }

  private func problem(_ line: String, target: String? = nil) async -> (String, ExitCode)? {
    do {
      let words = line.split(separator: " ").map(String.init)
      _ = try await Simrun.answer(words + (target.map { ["--target", $0] } ?? []))
      return nil
    } catch let problems as Problems {
      return (problems.list.map(\.message).joined(separator: "\n"), problems.list[0].exitCode)
    } catch let problem as Problem {
      return (problem.message, problem.exitCode)
    } catch {
      return nil
    }
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private static let margins = "sweep --strategy single-flight+margin --over margin=0s,3s,30s"

  // MARK: Points

  @Test func `A point is the run with that value`() async throws {
    let sweep = try object(
      try await answer(Self.margins + " --runs 400 --seed 7 --format json").text)
    let points = try #require(sweep["points"] as? [[String: Any]])
    #expect(points.count == 3)
    for (point, margin) in zip(points, ["0s", "3s", "30s"]) {
      let line = "--strategy single-flight+margin --runs 400 --seed 7 --format json"
      let run = try object(try await answer(line + " --set client.margin=\(margin)").text)
      let own = try #require((point["results"] as? [[String: Any]])?.first)
      let plain = try #require((run["results"] as? [[String: Any]])?.first)
      #expect((point["values"] as? [String: String]) == ["margin": margin])
      #expect(own["fingerprint"] as? String == plain["fingerprint"] as? String)
      #expect(own["metrics"] as? NSDictionary == plain["metrics"] as? NSDictionary)
    }
  }

  @Test func `A grid goes through all pairs of values`() async throws {
    let line = Self.margins + " --over callers=1,2 --runs 50 --format json"
    let points = try #require(try object(try await answer(line).text)["points"] as? [[String: Any]])
    let values = points.compactMap { $0["values"] as? [String: String] }
    #expect(
      values.map { "\($0["margin"] ?? "") \($0["callers"] ?? "")" }
        == ["0s 1", "0s 2", "3s 1", "3s 2", "30s 1", "30s 2"])
  }

  @Test func `An axis may choose the server, which each point then names`() async throws {
    let line = "sweep --strategy naive --over server=strict,grace-1min --runs 50 --format csv"
    let lines = try await answer(line).text.split(separator: "\n").dropFirst()
    #expect(lines.contains { $0.hasPrefix("strict,naive,,strict,signOuts per opening,") })
    #expect(lines.contains { $0.hasPrefix("grace-1min,naive,,grace-1min,signOuts per opening,") })
  }

  @Test func `A table in Markdown has a row per point and strategy`() async throws {
    let line = "sweep --strategy naive,single-flight --over callers=1,2,3 --runs 50"
    let lines = try await answer(line + " --format markdown").text.split(separator: "\n")
    #expect(lines.count == 2 + 6)
    #expect(Set(lines.map { $0.count { $0 == "|" } }).count == 1)
  }

  @Test func `The chart fits into a hundred columns`() async throws {
    let text = try await answer(
      "sweep --strategy single-flight+margin --over margin=0s...10s:1s --runs 300"
    ).text
    let rows = text.split(separator: "\n").filter { $0.contains("●") || $0.contains("○") }
    #expect(rows.count == 12)
    #expect(rows.allSatisfy { $0.count <= 100 })
  }

  // MARK: Target

  /// With constant delays a call is late by d + s = 3 s of a token's 301 s, unless the margin covers them.
  private static let constant =
    "sweep --strategy single-flight+margin --callers 1 --set network.uplink=2s "
    + "--set network.downlink=0s --runs 2000"

  @Test func `The cheapest margin that will do is chosen`() async throws {
    let target = "firstUnauthorized per call < 0.4%"
    let line = Self.constant + " --over margin=10s,0s,4s,1s --format json"
    let answer = try await answer(line, target: target)
    #expect(answer.exitCode == .success)
    let choices = try #require(try object(answer.text)["choices"] as? [[String: Any]])
    #expect(choices.count == 1)
    #expect(choices[0]["verdict"] as? String == "chosen")
    #expect(choices[0]["value"] as? String == "4s")
  }

  @Test func `No value that will do ends with 1 and names the best`() async throws {
    let answer = try await answer(
      Self.constant + " --over margin=0s,1s", target: "firstUnauthorized per call < 0.1%")
    #expect(answer.exitCode == .expectationFailed)
    #expect(answer.text.contains("no value meets it; the best is margin=1s"))
  }

  /// With 30 runs none late is no proof of less than 1 %: the limit is 1 - 0.0125^(1/30) = 13.6 %.
  @Test func `Too few runs end with 3 and say how many would tell`() async throws {
    let line = Self.constant.replacing("--runs 2000", with: "--runs 30") + " --over margin=5s,8s"
    let answer = try await answer(line, target: "firstUnauthorized per call < 1%")
    #expect(answer.exitCode == .inconclusive)
    #expect(answer.text.contains("no value surely meets it"))
    #expect(answer.text.contains("runs would decide"))
  }

  @Test func `A grace costs exposure, of which the least is chosen`() async throws {
    let line =
      "sweep --strategy naive --opens expired --over "
      + "server.grace.parent.window=unlimited,1h,60s --runs 300 --format json"
    let answer = try await answer(line, target: "signOuts per opening < 50%")
    let choices = try #require(try object(answer.text)["choices"] as? [[String: Any]])
    #expect(choices[0]["value"] as? String == "60s")
  }

  @Test func `An exact limit stands beside a margin`() async throws {
    let answer = try await answer(
      Self.margins + " --callers 1 --spread 0s --runs 200",
      target: "firstUnauthorized per call < 0.1%")
    #expect(answer.text.contains("d_p99 + s_max: 5.65 s + 1 s = 6.65 s"))
    #expect(answer.text.contains("By the exact formula 3.27 s is enough."))
  }

  // MARK: Bad input

  @Test(
    arguments: [
      ("--strategy naive", nil, "--over is missing", .usage),
      ("--over margin=0s,5s", nil, "--strategy is missing", .usage),
      ("--strategy naive --over margn=0s,5s", nil, "unknown field \"margn\"", .usage),
      ("--strategy naive --over margin=0s,5s", nil, "leaves its margin open", .usage),
      (
        "--strategy single-flight+margin --margin 3s --over margin=0s,5s", nil,
        "client.margin is set by --margin", .usage
      ),
      (
        "--strategy naive --set network.uplink.mean=1s --over network.uplink=1s,2s", nil,
        "network.uplink.mean is set by --set", .usage
      ),
      (
        "--strategy naive --network lte --over network=lte,3g", nil,
        "--network is given, but --over network", .usage
      ),
      ("--strategy naive --over callers=1,2 --over callers=3,4", nil, "both axes", .usage),
      (
        "--strategy naive --over callers=1,2 --over spread=0s,1s --over lifetime=1s,2s", nil,
        "--over is given 3 times", .usage
      ),
      (
        "--strategy naive --over callers=1...100:1 --over spread=0ms...101ms:1ms", nil,
        "10,200 points together", .usage
      ),
      ("--strategy naive --over callers=1,2", "signOuts = 3", "a target needs <", .usage),
      ("--strategy naive --over callers=1,2", "prediction agrees", "a target needs <", .usage),
      ("--strategy naive --over callers=1,2", "sinOuts < 3", "unknown metric", .usage),
      (
        "--strategy naive --over callers=1,2", "signOuts per month < 1",
        "counts per month, but usage.horizon is none", .usage
      ),
      (
        "--strategy naive --usage steady --over lifetime=1h,2h --runs 1",
        "openingsUnauthorized per opening < 1%", "cannot be measured", .badData
      ),
      (
        "--strategy naive --over callers=1,2 --svg x.svg --shard 1/2", nil,
        "give it to simrun merge", .usage
      ),
      (
        "--strategy naive --over callers=1,2", "waitAdded p99 < 1s", "comes without an interval",
        .usage
      ),
    ] as [(String, String?, String, ExitCode)])
  func `What is wrong is said`(
    line: String, target: String?, message: String, code: ExitCode
  ) async throws {
    let found = try #require(await problem("sweep " + line, target: target))
    #expect(found.0.contains(message), "\(found.0)")
    #expect(found.1 == code)
  }

  // MARK: Figure

  private func figure(_ line: String, target: String? = nil) async throws -> String {
    let words =
      line.split(separator: " ").map(String.init) + (target.map { ["--target", $0] } ?? [])
    let answer = try await Simrun.answer(words + ["--svg", "figure.svg"])
    #expect(answer.attachments.map(\.file) == ["figure.svg"])
    let text = answer.attachments[0].text
    let parser = XMLParser(data: Data(text.utf8))
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    return text
  }

  @Test func `A figure is well formed and names what it shows`() async throws {
    let text = try await figure(
      Self.constant + " --over margin=0s...8s:2s", target: "firstUnauthorized per call < 0.4%")
    for part in [
      "firstUnauthorized per call over margin", "chosen: 4s", "d_p99 + s_max = 3 s",
      "target &lt; 0.4%", ">single-flight+margin</text>", ">8s</text>", "fill=\"#ffffff\"",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(!text.contains("<script"))
  }

  @Test func `A large grid is a map with a number in each cell`() async throws {
    let text = try await figure(
      "sweep --strategy naive --over callers=1,2 --over lifetime=1min...8min:1min --runs 20")
    #expect(text.components(separatedBy: "<rect").count == 1 + 1 + 16)
    #expect(text.contains(">8min</text>"))
  }

  // MARK: Parts

  @Test func `Parts of a sweep give the bytes of the whole`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("simrun-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let line = Self.margins + " --runs 301"
    let target = "firstUnauthorized per call < 1%"
    var files: [String] = []
    for part in 1...3 {
      let file = folder.appendingPathComponent("part-\(part).json").path
      try Data(try await answer(line + " --shard \(part)/3", target: target).text.utf8)
        .write(to: URL(fileURLWithPath: file))
      files.append(file)
    }
    let figure = folder.appendingPathComponent("figure.svg").path
    for format in ["text", "json", "csv"] {
      let merged = try await Simrun.answer(["merge", "--format", format, "--svg", figure] + files)
      let whole = try await Simrun.answer(
        line.split(separator: " ").map(String.init)
          + ["--target", target, "--format", format, "--svg", figure])
      #expect(merged.text == whole.text)
      #expect(merged.exitCode == whole.exitCode)
      #expect(merged.attachments.map(\.text) == whole.attachments.map(\.text))
    }
  }
}
