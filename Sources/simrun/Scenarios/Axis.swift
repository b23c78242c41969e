import SimCore

/// Something of the scenario, with the values that a sweep goes through.
struct Axis: Equatable {
  /// What a value is put into.
  enum Subject: Equatable {
    /// The path of a field, or of a member of its value.
    case field(String)
    /// What a preset is of.
    case preset(Preset.Kind)
  }

  /// The path as it was typed, such as `margin` or `server.grace.parent.window`.
  let name: String
  let subject: Subject
  /// The values as they would be typed, in the order given.
  let values: [String]

  /// The most values of one axis, and points of a whole sweep.
  static let mostPoints = 10_000

  private static let accepted =
    "is not like margin=0s...60s:2s, or server.grace.parent.window=0s,10s,unlimited"

  /// Reads an axis: a path and a list of values, or a range with its step.
  ///
  /// - Throws: a ``FieldProblem`` that says what is accepted.
  init(_ text: String) throws {
    guard let equals = text.firstIndex(of: "=") else { throw FieldProblem(Self.accepted) }
    name = String(text[..<equals]).trimmed
    subject = try Self.subject(name)
    let rest = String(text[text.index(after: equals)...]).trimmed
    if rest.isEmpty { throw FieldProblem("has no values; give some, as in margin=0s,5s,30s") }
    values = try AxisRange(rest)?.values() ?? Self.list(rest)
    if values.count > Self.mostPoints {
      throw FieldProblem(
        "has \(values.count.grouped) values; at most \(Self.mostPoints.grouped) can be swept")
    }
    try check()
  }

  /// The values of a list, whose commas stand outside brackets.
  private static func list(_ text: String) throws -> [String] {
    let values = try text.pieces(at: ",")
    for (index, value) in values.enumerated() {
      if value.isEmpty { throw FieldProblem("has an empty value") }
      if values[..<index].contains(value) { throw FieldProblem("has the value \(value) twice") }
    }
    return values
  }

  private static func subject(_ name: String) throws -> Subject {
    if let kind = Preset.Kind(rawValue: name) { return .preset(kind) }
    let path = Option(rawValue: name)?.field ?? name
    do {
      _ = try FieldSetting(source: "", path: path, value: "").target()
    } catch {
      throw FieldProblem(
        "names the unknown field \"\(name)\"; simrun show fields lists them."
          + name.suggestion(from: known))
    }
    return .field(path)
  }

  /// All that an axis can name.
  private static var known: [String] {
    ScenarioField.all.map(\.path) + Option.allCases.filter { $0.field != nil }.map(\.rawValue)
      + Preset.Kind.allCases.map(\.rawValue)
  }

  /// Whether the field takes each of the values; whether a scenario does is another question.
  private func check() throws {
    var earlier: (value: String, scenario: Scenario)?
    for value in values {
      var scenario = Scenario()
      do {
        try put(value, into: &scenario)
      } catch let problem as Problem {
        throw FieldProblem(": " + problem.message)
      } catch let problems as Problems {
        throw FieldProblem(": " + (problems.list.first?.message ?? ""))
      }
      if let earlier, earlier.scenario == scenario {
        throw FieldProblem("has \(earlier.value) and \(value), which are the same value")
      }
      earlier = (value, scenario)
    }
  }

  /// The path of the field that it changes; nil for a preset.
  var path: String? {
    if case .field(let path) = subject { path } else { nil }
  }

  /// Puts one of the values into a scenario.
  ///
  /// - Throws: a ``Problem`` if the field does not take it.
  func put(_ value: String, into scenario: inout Scenario) throws {
    switch subject {
    case .field(let path):
      try FieldSetting.apply([.init(source: name, path: path, value: value)], to: &scenario)
    case .preset(let kind):
      let known = Preset.all(kind)
      guard let preset = known.first(where: { $0.name == value }) else {
        throw Problem(
          "\(name): unknown \(kind.rawValue) \"\(value)\"; use \(known.map(\.name).alternatives)."
            + value.suggestion(from: known.map(\.name)))
      }
      preset.apply(&scenario)
    }
  }

  /// The value as a number of seconds, of what is counted, or of a share; nil for anything else.
  static func number(_ value: String) -> Double? {
    JSONValue.string(value).asShare ?? (try? Duration(text: value))?.inSeconds
  }
}
