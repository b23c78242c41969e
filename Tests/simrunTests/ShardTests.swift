import Foundation
import SimCore
import Testing

@testable import simrun

/// The runs of one question on several machines.
struct ShardTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func answer(_ line: [String]) async throws -> String {
    try await Simrun.answer(line).text
  }

  /// Writes the parts of a question and gives their files.
  private func parts(_ question: [String], _ shards: [String]) async throws -> [String] {
    var files: [String] = []
    for (index, shard) in shards.enumerated() {
      let file = folder.appending(path: "\(files.count)-\(index)-\(UUID().uuidString).json").path
      let text = try await answer(question + ["--shard", shard])
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      files.append(file)
    }
    return files
  }

  private func complaint(_ files: [String]) async -> String {
    do {
      return try await answer(["merge"] + files)
    } catch let problems as Problems {
      return problems.list.map(\.message).joined(separator: "\n")
    } catch let problem as Problem {
      return problem.message
    } catch {
      return "\(error)"
    }
  }

  private let question = ["run", "--strategy", "naive,single-flight", "--runs", "1001"]

  @Test func `Parts leave no run out and share none`() throws {
    let shards = try (1...7).map { try Shard(text: "\($0)/7") }
    let slices = shards.map { $0.slice(of: 1001) }
    #expect(slices.first?.lowerBound == 0)
    #expect(slices.last?.upperBound == 1001)
    #expect(zip(slices, slices.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    #expect(slices.allSatisfy { $0.count == 143 })
  }

  @Test(arguments: ["text", "json", "csv", "markdown"])
  func `Merged parts give the bytes of one machine`(format: String) async throws {
    let question = question + ["--format", format]
    let whole = try await answer(question)
    let files = try await parts(question + ["--threads", "1"], ["3/3", "1/3", "2/3"])
    #expect(try await answer(["merge"] + files) == whole)
  }

  @Test func `Merging may write another format than its parts were asked for`() async throws {
    let files = try await parts(question, ["1/2", "2/2"])
    let csv = try await answer(question + ["--format", "csv"])
    #expect(try await answer(["merge", "--format", "csv"] + files) == csv)
  }

  @Test func `Parts that are missing, twice there, or of another question are told`() async throws {
    let files = try await parts(question, ["1/3", "2/3", "3/3"])
    #expect(await complaint(Array(files[..<2])).contains("part 3 of 3 is missing"))
    #expect(await complaint([files[1]]).contains("parts 1, 3 of 3 are missing"))
    let double = await complaint([files[0], files[1], files[1], files[2]])
    #expect(double.contains("are both part 2"))
    let otherSeed = try await parts(question + ["--seed", "2"], ["2/3"])
    #expect(
      await complaint([files[0], otherSeed[0], files[2]]).contains("answers another question"))
    let otherCount = try await parts(question, ["2/2"])
    #expect(
      await complaint([files[0], otherCount[0]]).contains("is one of 2 parts, but"))
  }

  @Test func `A part of another version, a whole result, and a broken file are refused`()
    async throws
  {
    let files = try await parts(question, ["1/2", "2/2"])
    let text = try String(contentsOfFile: files[0], encoding: .utf8)
    let other = text.replacing("\"version\":\"\(Version.number)\"", with: "\"version\":\"0.0.0\"")
    try Data(other.utf8).write(to: URL(fileURLWithPath: files[0]))
    #expect(await complaint(files).contains("by version 0.0.0"))
    try Data(text.dropLast(100).utf8).write(to: URL(fileURLWithPath: files[0]))
    #expect(await complaint(files).contains("is not complete"))
    let whole = try await answer(question + ["--format", "json"])
    try Data(whole.utf8).write(to: URL(fileURLWithPath: files[0]))
    #expect(await complaint(files).contains("is not what simrun --shard writes"))
  }

  @Test(arguments: ["0/3", "4/3", "3", "1/0", "a/b", "1/2/3", "-1/2", "1/1000000"])
  func `What is no part is refused`(text: String) {
    #expect(throws: Problem.self) { try Shard(text: text) }
  }
}
