import Testing

@testable import simrun

/// `simrun run --rare` from the words to the answer.
struct RareCommandTests {
  private static let visit = [
    "--rare", "--strategy", "single-flight", "--opens", "expired", "--callers", "1", "--spread",
    "0s", "--network", "lte", "--leaves", "logNormal(median=90s, sigma=1.5)",
  ]

  private func problem(_ words: [String]) async -> String? {
    do {
      _ = try await Simrun.answer(words)
      return nil
    } catch let problems as Problems {
      return problems.list.map(\.message).joined(separator: "\n")
    } catch let problem as Problem {
      return problem.message
    } catch {
      return nil
    }
  }

  /// The member `rare` of the first result.
  private func rare(_ words: [String]) async throws -> JSONValue {
    var reader = JSON5Reader(try await Simrun.answer(words + ["--format", "json"]).text)
    guard case .array(let results)? = try reader.read()["results"]?.value else { return .null }
    return results.first?["rare"] ?? .null
  }

  private func number(_ value: JSONValue?) throws -> Double {
    guard case .number(let number)? = value else { throw Problem("There is no number.") }
    return number
  }

  @Test(arguments: [
    (
      ["--rare", "--strategy", "naive"],
      "--rare weighs the moment at which the person leaves an opening, which lifecycle.leaves must "
        + "draw, such as --leaves 'logNormal(median=90s, sigma=1.5)'"
    ),
    (
      ["--rare", "--strategy", "naive", "--set", "lifecycle.leaves=at 3s"],
      "--rare weighs the moment at which the person leaves an opening, which lifecycle.leaves must "
        + "draw, such as --leaves 'logNormal(median=90s, sigma=1.5)'"
    ),
    (
      ["--rare", "--strategy", "naive", "--usage", "sessions"],
      "--rare weighs the moment at which the person leaves an opening, but usage.kind is sessions; "
        + "use opening"
    ),
    (
      ["--rare", "--strategy", "naive", "--leaves", "3s", "--precision", "5%"],
      "--precision decides how many runs there are, so --rare cannot be given too"
    ),
    (
      ["--rare", "--strategy", "naive", "--leaves", "3s", "--shard", "1/3"],
      "--shard divides runs that are counted; with --rare they are weighed, all at once"
    ),
  ])
  func `What cannot be weighed is said`(words: [String], message: String) async throws {
    #expect(await problem(words) == message)
  }

  /// A separate program that draws only the connection c, the refresh r, and a, and averages F(r - a) - F(c - a), gives
  /// 2.18e-6; 10,000 runs know it to about a tenth.
  @Test func `One in half a million is measured with 10,000 runs`() async throws {
    let rare = try await rare(Self.visit + ["--runs", "10000"])
    let estimate = try number(rare["signOuts"]?["estimate"])
    #expect(estimate > 1.5e-6 && estimate < 2.9e-6)
    let low = try number(rare["signOuts"]?["low"])
    let high = try number(rare["signOuts"]?["high"])
    #expect(low < estimate && estimate < high)
    #expect(try number(rare["effectiveSignOuts"]) >= 30)
    #expect(try number(rare["gainPerRun"]) > 400)
  }

  @Test func `Threads change no byte`() async throws {
    let words = Self.visit + ["--runs", "400"]
    let one = try await Simrun.answer(words + ["--threads", "1"]).text
    let three = try await Simrun.answer(words + ["--threads", "3"]).text
    #expect(one == three)
  }

  @Test func `Too few sign-outs have no interval, and none is none`() async throws {
    let few = try await Simrun.answer(Self.visit + ["--runs", "300"]).text
    #expect(few.contains("but the runs say too little for an interval"))
    #expect(!few.contains("Gain"))
    let task = try await Simrun.answer(
      Self.visit.map { $0 == "single-flight" ? "background-task" : $0 } + ["--runs", "300"]
    ).text
    #expect(task.contains("Nobody was signed out."))
  }

  @Test(arguments: [("csv", 3), ("markdown", 4)])
  func `Tables have a line for each strategy`(format: String, lines: Int) async throws {
    let words = Self.visit.map { $0 == "single-flight" ? "single-flight,background-task" : $0 }
    let text = try await Simrun.answer(words + ["--runs", "300", "--format", format]).text
    #expect(text.split(separator: "\n").count == lines)
  }
}
