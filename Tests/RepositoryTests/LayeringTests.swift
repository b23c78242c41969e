import Foundation
import Testing

/// What may know what, read from the sources as text.
struct LayeringTests {
  private static let layers = [
    "Kernel", "Randomness", "OAuth", "Network", "Server", "Device", "Client", "Observation",
    "Simulation", "Statistics", "Prediction",
  ]

  /// The types that a file declares at its top level.
  private func declaredTypes(_ file: Sources.File) -> [String] {
    file.code.compactMap { line in
      let words = line.split { !$0.isLetter && !$0.isNumber }.map(String.init)
      guard let first = line.first, !first.isWhitespace,
        let keyword = words.firstIndex(where: {
          ["struct", "enum", "class", "protocol", "typealias"].contains($0)
        }), keyword + 1 < words.count, !words.contains("private"), !words.contains("extension")
      else { return nil }
      return words[keyword + 1]
    }
  }

  /// The names in a file that begin with a capital letter and do not follow a point.
  private func namesUsed(_ file: Sources.File) -> Set<String> {
    Set(
      file.code.flatMap { line in
        line.split { !$0.isLetter && !$0.isNumber && $0 != "." }.compactMap { name in
          name.split(separator: ".").first.map(String.init)
        }
      })
  }

  @Test func `A file of SimCore names no type of a later layer`() throws {
    var layerOf: [String: Int] = [:]
    for (index, layer) in Self.layers.enumerated() {
      for file in try Sources.files("Sources/SimCore/\(layer)") {
        for type in declaredTypes(file) { layerOf[type] = index }
      }
    }
    #expect(layerOf["Instant"] == 0)
    #expect(layerOf["Simulation"] == 8)
    for (index, layer) in Self.layers.enumerated() {
      for file in try Sources.files("Sources/SimCore/\(layer)") {
        let later = namesUsed(file).filter { (layerOf[$0] ?? 0) > index }
        #expect(later.isEmpty, "\(file.path) names \(later.sorted())")
      }
    }
  }

  @Test func `Every folder of SimCore is a layer`() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Sources.root.appendingPathComponent("Sources/SimCore").path)
    #expect(Set(folders) == Set(Self.layers))
  }

  @Test func `The core imports nothing but atomics, and strategies nothing but the core`() throws {
    func imports(_ folder: String) throws -> Set<String> {
      Set(
        try Sources.files(folder).flatMap(\.code).compactMap { line in
          let words = line.split(separator: " ")
          guard let index = words.firstIndex(of: "import"), index + 1 < words.count else {
            return nil
          }
          return String(words[index + 1])
        })
    }
    #expect(try imports("Sources/SimCore") == ["Synchronization"])
    #expect(try imports("Sources/Strategies") == ["SimCore"])
    #expect(
      try imports("Sources/simrun") == ["SimCore", "Strategies", "Foundation", "Synchronization"])
  }

  /// What would make a run depend on anything but its seed, or is left over.
  private static let banned: [(text: String, folders: [String], instead: String)] = [
    ("Date(", ["SimCore", "Strategies", "simrun"], "results carry no time of day"),
    ("ContinuousClock", ["SimCore", "Strategies"], "time comes from the queue"),
    ("SystemRandomNumberGenerator", ["SimCore", "Strategies", "simrun"], "RandomStream"),
    (".random(", ["SimCore", "Strategies", "simrun"], "RandomStream"),
    (".shuffled(", ["SimCore", "Strategies", "simrun"], "RandomStream"),
    ("Task.sleep", ["SimCore", "Strategies", "simrun"], "virtual time"),
    ("print(", ["SimCore", "Strategies", "simrun"], "Output.write"),
    (
      "fatalError(", ["SimCore", "Strategies", "simrun"],
      "an error, or a precondition with a sentence"
    ),
    ("FIX" + "ME", ["SimCore", "Strategies", "simrun"], "the work itself"),
  ]

  /// Whether a text stands in a line other than as the end of a longer word.
  private func begins(_ text: String, in line: String) -> Bool {
    line.components(separatedBy: text).dropLast().contains { before in
      !(text.first?.isLetter ?? false) || !(before.last?.isLetter ?? false)
    }
  }

  @Test func `Nothing banned is called`() throws {
    for (text, folders, instead) in Self.banned {
      for folder in folders {
        for file in try Sources.files("Sources/\(folder)") {
          let hits = file.code.filter { begins(text, in: $0) }
          #expect(hits.isEmpty, "\(file.path) uses \(text); use \(instead)")
        }
      }
    }
  }

  @Test func `Files are short enough to be one idea`() throws {
    for file in try Sources.files("Sources") {
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).count
      #expect(lines <= 400, "\(file.path) has \(lines) lines")
    }
  }

  @Test func `There are no package dependencies`() throws {
    let manifest = try String(
      contentsOf: Sources.root.appendingPathComponent("Package.swift"), encoding: .utf8)
    #expect(!manifest.contains(".package("))
    #expect(!manifest.contains("unsafeFlags"))
  }
}
