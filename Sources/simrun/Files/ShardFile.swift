import Foundation
import SimCore
import Strategies

/// What a machine writes of its part of the runs, for `simrun merge` to join with the others.
struct ShardFile: Codable {
  /// Tells such a file from any other.
  private var kind = Self.name
  let version: String
  /// The words of the question, without what concerns this machine alone.
  let question: [String]
  /// A hash of the worlds, clients, seed, and runs, which words name but do not hold.
  let digest: String
  let shard: Shard
  let outcomes: [Replications.Outcome]

  private static let name = "partial result of simrun"

  /// What the parts of one question may differ in.
  private static let local: [Option] = [.shard, .threads, .output, .svg, .color]

  init(
    _ arguments: CommandLineArguments, _ plan: any Plan, _ shard: Shard,
    _ outcomes: [Replications.Outcome]
  ) {
    version = Version.number
    question =
      [arguments.command.rawValue]
      + arguments.values.filter { !Self.local.contains($0.option) }.map { option, value in
        option.placeholder == nil ? option.flag : "\(option.flag)=\(value)"
      }
    digest = plan.digest
    self.shard = shard
    self.outcomes = outcomes
  }

  /// The file as text.
  ///
  /// - Throws: what the encoder throws, which would be an internal error.
  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }

  /// Reads a file.
  ///
  /// - Throws: a ``Problem`` if it cannot be read, or is something else.
  static func read(_ file: String) throws -> ShardFile {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: file))
    } catch {
      throw Problem("\(file) cannot be read", .cannotRead)
    }
    guard let part = try? JSONDecoder().decode(ShardFile.self, from: data), part.kind == name else {
      throw Problem(
        "\(file) is not what simrun --shard writes, or is not complete", .badData)
    }
    return part
  }
}

extension Plan {
  /// A hash of the worlds, clients, seed, and runs.
  var digest: String {
    let parts = trials.flatMap { trial in
      trial.cells.flatMap { strategy, scenario in
        [
          strategy.name, "\(trial.seed)", "\(trial.runs)",
          FieldText.tree(scenario, fields: ScenarioField.all).text(),
          FieldText.tree(strategy.decisions, fields: DecisionField.all).text(),
        ]
          + strategy.processes.sorted { $0.key < $1.key }.map {
            "\($0.key)" + FieldText.tree($0.value, fields: DecisionField.all).text()
          }
      }
    }
    return parts.joined(separator: "\n").fingerprint
  }
}

extension String {
  /// A 64-bit hash (FNV-1a) that is the same on every machine, which `Hasher` is not.
  var fingerprint: String {
    utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
      .fingerprint
  }
}
