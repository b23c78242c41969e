import SimCore

/// A value for a field of the scenario, or for a member of one, as an option gives it.
struct FieldSetting {
  /// What gives it, for messages.
  let source: String
  /// The path of a field, or of a member of its value such as `network.uplink.mean`.
  let path: String
  let value: String

  /// The path of the field, without that of a member of its value.
  var field: String {
    ScenarioField.all.first { path.hasPrefix($0.path + ".") }?.path ?? path
  }

  /// Puts values into a scenario; those of members of one value together.
  ///
  /// - Throws: all ``Problems`` together, each naming what gave the value.
  static func apply(_ settings: [FieldSetting], to scenario: inout Scenario) throws {
    var problems = Problems()
    var membersOf: [String: [JSONValue.Member]] = [:]
    for setting in settings {
      _ = try problems.collect {
        let (field, member) = try setting.target()
        guard let member else {
          return try setting.write(.string(setting.value), field, to: &scenario)
        }
        membersOf[field.path, default: []].append(.init(member, .string(setting.value)))
      }
    }
    for field in ScenarioField.all {
      guard let members = membersOf[field.path] else { continue }
      let path = "\(field.path).\(members[0].key)"
      let setting =
        settings.first { $0.path == path }
        ?? FieldSetting(source: path, path: path, value: members[0].value.typed)
      _ = try problems.collect {
        let merged = try setting.naming {
          try DistributionText.merging(members, into: field.read(scenario))
        }
        try setting.write(merged, field, to: &scenario)
      }
    }
    try problems.throwIfAny()
  }

  private func write(
    _ value: JSONValue, _ field: ScenarioField, to scenario: inout Scenario
  ) throws {
    try naming { try field.write(&scenario, value) }
  }

  /// Puts the name of the option and what was given before what is wrong with it.
  private func naming<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let problem as FieldProblem {
      throw Problem("\(source): \"\(value)\" \(problem.clause)")
    } catch let problem as Problem {
      throw Problem("\(source): \(problem.message)", problem.exitCode)
    }
  }

  /// The field that the path names, and the member of it that the rest of the path names.
  ///
  /// - Throws: a ``Problem`` that names the nearest field.
  func target() throws -> (field: ScenarioField, member: String?) {
    for field in ScenarioField.all {
      if field.path == path { return (field, nil) }
      if field.hasMembers, path.hasPrefix(field.path + ".") {
        return (field, String(path.dropFirst(field.path.count + 1)))
      }
    }
    let option = source.split(separator: " ").first.map(String.init) ?? source
    throw Problem(
      "\(option): unknown field \"\(path)\"; simrun show fields lists them."
        + path.suggestion(from: ScenarioField.all.map(\.path)))
  }
}
