import Foundation
public import SimCore

/// Reads the column of a file in `experiments/data`, without the product's own reader.
public func measuredLatency(_ file: String, scale: Double) throws -> Distribution {
  let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  let url = root.appendingPathComponent("experiments/data/\(file)")
  let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst()
  let values = lines.compactMap(Double.init).map { Int64(($0 * 1e6 * scale).rounded()) }
  return .empirical(
    Empirical(
      nanoseconds: values,
      source: Empirical.Source(file: file, column: "latency_ms", scale: scale)))
}
