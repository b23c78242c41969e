import Foundation
import Testing

/// The elementary functions of the C library differ between platforms in the last bit, so nothing that may
/// influence a result uses them.
struct ImportedSymbolsTests {
  private static let banned = [
    "log", "log2", "log10", "log1p", "exp", "exp2", "expm1", "pow", "sin", "cos", "sincos", "tan",
    "cbrt", "hypot", "erf", "erfc", "tgamma", "lgamma", "fma",
  ]

  /// The object files of a module, beside the tests.
  private func objects(of module: String) throws -> [URL] {
    let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
    let tests = bundles.first ?? URL(fileURLWithPath: CommandLine.arguments[0])
    let folder = tests.deletingLastPathComponent().appendingPathComponent("\(module).build")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "o" }
  }

  /// The symbols that an object file expects from elsewhere, as `nm` of the system's linker package lists them.
  private func imports(of object: URL) throws -> Set<String> {
    let nm = Process()
    nm.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    nm.arguments = ["nm", "-u", object.path]
    let output = Pipe()
    nm.standardOutput = output
    try nm.run()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    nm.waitUntilExit()
    try #require(nm.terminationStatus == 0)
    return Set(
      text.split(separator: "\n").compactMap { line in
        // Some platforms put an underscore before each C name.
        line.split(separator: " ").last.map { String($0.drop { $0 == "_" }) }
      })
  }

  @Test(arguments: ["SimCore", "Strategies"])
  func `The built modules import none of them`(module: String) throws {
    let objects = try objects(of: module)
    #expect(!objects.isEmpty)
    for object in objects {
      let found = try imports(of: object).intersection(Self.banned)
      #expect(found.isEmpty, "\(object.lastPathComponent) imports \(found.sorted())")
    }
  }

  /// The same search finds them where they are: the yardstick of the benchmark uses the C library.
  @Test func `The search can find one`() throws {
    let all = try objects(of: "simrun").map(imports).reduce(into: Set()) { $0.formUnion($1) }
    #expect(all.contains("log"))
  }
}
