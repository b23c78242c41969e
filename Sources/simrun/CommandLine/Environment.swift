import Foundation

/// The environment variables that the program heeds, read here and nowhere else.
struct Environment {
  private let values: [String: String]

  /// Variables by their names.
  init(_ values: [String: String]) {
    self.values = values
  }

  /// That of the process.
  static var ofProcess: Environment { Environment(ProcessInfo.processInfo.environment) }

  /// Whether a terminal could show colour, and the person has not asked for none.
  var allowsColor: Bool { values["TERM"] != "dumb" && (values["NO_COLOR"] ?? "").isEmpty }

  /// Whether the program runs as a step of a GitHub workflow.
  var isGitHubActions: Bool { values["GITHUB_ACTIONS"] == "true" }

  /// The file that a step of a GitHub workflow appends its summary to; nil if there is none.
  var stepSummary: String? {
    values["GITHUB_STEP_SUMMARY"].flatMap { $0.isEmpty ? nil : $0 }
  }
}
