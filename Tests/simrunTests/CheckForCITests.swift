import Foundation
import Testing

@testable import simrun

#if canImport(FoundationXML)
import FoundationXML
#endif

/// What a check gives a CI system: JUnit's XML, annotations, a summary.
struct CheckForCITests {
  private static let experiment = """
    {
      usage: { opens: "expired" }, strategies: { name: "a<b, \\"c\\" & 50%", base: "naive" }, runs: 100,
      expect: [
        "refreshes = 500",
        "refreshes = 5",
        "signOuts per run > 99.9%",
      ],
    }
    """

  private let folder: ScratchFolder
  private let file: String

  init() throws {
    folder = try ScratchFolder()
    file = try folder.write(Self.experiment, to: "experiments/x.json5")
  }

  private final class Elements: NSObject, XMLParserDelegate {
    var all: [(name: String, attributes: [String: String])] = []
    var texts: [String] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      all.append((name, attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { texts.append(text) }
  }

  @Test func `JUnit's file has a suite per file and a test per expectation`() async throws {
    let junit = "\(folder.path)/junit.xml"
    let answer = try await folder.run(["check", file, "--junit", junit])
    #expect(answer.exitCode == .expectationFailed)
    let parser = XMLParser(data: try Data(contentsOf: URL(fileURLWithPath: junit)))
    let elements = Elements()
    parser.delegate = elements
    #expect(parser.parse())
    #expect(
      elements.all.map(\.name) == [
        "testsuites", "testsuite", "testcase", "testcase", "failure", "testcase", "error",
      ])
    let suite = elements.all[1].attributes
    #expect(suite["name"] == file)
    #expect(suite["tests"] == "3")
    #expect(suite["failures"] == "1")
    #expect(suite["errors"] == "1")
    #expect(elements.all[2].attributes["classname"] == "a<b, \"c\" & 50%")
    #expect(elements.all[2].attributes["name"] == "refreshes = 500")
    #expect(elements.all[4].attributes["message"] == "found 500")
    #expect(elements.texts.joined().contains("\(file):5"))
    // Of 100 yeses in 100 runs the exact limit is 0.025^(1/100) = 96.378 %.
    #expect(elements.all[6].attributes["type"] == "inconclusive")
  }

  @Test func `What XML cannot hold is replaced`() {
    #expect("a\u{1}<&>\"\n".escapedForXML == "a?&lt;&amp;&gt;&quot;&#10;")
  }

  @Test func `GitHub is told the place of each expectation that does not hold`() async throws {
    let summary = try folder.write("Before.\n", to: "summary.md")
    let answer = try await folder.run(
      ["check", file], ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary])
    let lines = answer.text.split(separator: "\n").filter { $0.hasPrefix("::") }
    #expect(lines.count == 2)
    #expect(
      lines[0]
        == "::error file=\(file),line=5,col=5,title=a<b%2C \"c\" & 50%25%3A fails::refreshes = 5; found 500"
    )
    #expect(
      lines[1].hasPrefix(
        "::warning file=\(file),line=6,col=5,title=a<b%2C \"c\" & 50%25%3A inconclusive::"
          + "signOuts per run > 99.9%25; found 100 %25 ("))
    let text = try folder.text("summary.md")
    #expect(
      text.hasPrefix(
        "Before.\n### simrun check\n\n3 expectations in 1 file: 1 hold, 1 fail, 1 inconclusive."))
    #expect(text.contains("| \(file):5 | a<b, \"c\" & 50% | refreshes = 5 | fails | 500 |"))
  }

  @Test func `Elsewhere nothing of this is written`() async throws {
    let summary = try folder.write("Before.\n", to: "summary.md")
    let answer = try await folder.run(["check", file], ["GITHUB_STEP_SUMMARY": summary])
    #expect(!answer.text.contains("::"))
    #expect(try folder.text("summary.md") == "Before.\n")
  }

  @Test func `A folder stands for all experiments in it, by their paths`() async throws {
    try folder.write(Self.experiment, to: "experiments/b/y.json5")
    try folder.write("no experiment", to: "experiments/b/data.csv")
    let answer = try await folder.run(["check", "\(folder.path)/experiments/"])
    let files = answer.text.split(separator: "\n").filter { $0.hasPrefix("FAIL") }
    #expect(files.count == 2)
    #expect(files[0].contains("/experiments/b/y.json5 · "))
    #expect(files[1].contains("/experiments/x.json5 · "))
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/none", withIntermediateDirectories: true)
    await #expect(throws: Problems.self) { try await folder.run(["check", "\(folder.path)/none"]) }
  }
}
