struct BenchCommand {
  func text() async throws -> String { "" }
}
