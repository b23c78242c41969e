import Foundation
import Testing

@testable import simrun

/// The experiments of the repository give what they expect.
struct ExperimentTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("experiments")

  /// The paths of the files of a folder of experiments.
  static func files(_ name: String) -> [String] {
    let folder = folder.appendingPathComponent(name).path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".json5") }.sorted().map { "\(folder)/\($0)" }
  }

  /// The most runs of a file that a debug build carries out; a release build carries out all.
  #if DEBUG
  private static let mostRuns = 20_000
  #else
  private static let mostRuns = Int.max
  #endif

  @Test(arguments: files("cases") + files("claims"))
  func `Every expectation of the file holds`(file: String) async throws {
    let runs = try Experiment(file: file).variants.compactMap(\.runs).max() ?? 1
    guard runs <= Self.mostRuns else { return }
    let arguments = CommandLineArguments(["check", file])
    let report = try await CheckCommand(arguments).report()
    #expect(report.exitCode == .success, "\(report.text(Palette(isColoured: false)))")
  }
}
