import Foundation

/// The folder of committed results.
struct ResultsFolder {
  let folder: String

  private static let index = "README.md"

  /// The folder that the options name; nil if they ask for none.
  ///
  /// - Throws: a ``Problem`` if it is asked for together with a single variant.
  init?(_ arguments: CommandLineArguments) throws {
    guard arguments.contains(.results) || arguments.contains(.update) else { return nil }
    if arguments.contains(.variant) {
      throw Problem(
        "--variant: a committed result is of all variants of a file, so it cannot be given with "
          + "--results or --update")
    }
    let name = arguments[.results] ?? "results"
    if name.isEmpty { throw Problem("--results needs the name of a folder") }
    folder = name.count > 1 && name.hasSuffix("/") ? String(name.dropLast()) : name
    let attributes = try? FileManager.default.attributesOfItem(atPath: folder)
    if let type = attributes?[.type] as? FileAttributeType, type == .typeRegular {
      throw Problem("--results: \(folder) is a file, not a folder", .cannotRead)
    }
    if attributes == nil, !arguments.contains(.update) {
      throw Problem(
        "--results: there is no folder \(folder); simrun check --update makes it", .cannotRead)
    }
  }

  /// Complains about experiments whose results would lie in the same place.
  ///
  /// - Throws: a ``Problem`` that names both.
  func check(_ experiments: [Experiment]) throws {
    var files: [String: String] = [:]
    for experiment in experiments {
      let path = ResultFile.path(of: experiment.file)
      if let other = files[path] {
        throw Problem(
          "\(experiment.file) and \(other) would have the same result, \(folder)/\(path)")
      }
      files[path] = experiment.file
    }
  }

  /// The files to write so that the folder holds what experiments gave: those that are new or changed.
  ///
  /// - Throws: a ``Problem`` if a committed result of another experiment cannot be read.
  func updates(_ checked: [CheckedExperiment]) throws -> [(String, String)] {
    let new = checked.map(ResultFile.init)
    var leftovers = ResultComparison()
    try checkForLeftovers(checked.map(\.experiment.file), &leftovers)
    if let leftover = leftovers.failures.first {
      throw Problem("\(leftover.file) \(leftover.message)", .badData)
    }
    var all = Dictionary(uniqueKeysWithValues: new.map { ($0.path, $0.value) })
    for path in committedPaths where all[path] == nil { all[path] = try committed(path) }
    return
      (new.flatMap { [($0.path, $0.text)] + $0.figures } + [
        (Self.index, ResultIndex(all, in: folder).text)
      ])
      .filter { text(of: $0.0) != $0.1 }.map { ("\(folder)/\($0.0)", $0.1) }
  }

  /// Holds what experiments gave against what was committed.
  ///
  /// - Throws: a ``Problem`` if a committed result cannot be read.
  func comparison(_ checked: [CheckedExperiment]) throws -> ResultComparison {
    var comparison = ResultComparison()
    for new in checked.map(ResultFile.init) {
      let file = "\(folder)/\(new.path)"
      guard let text = text(of: new.path) else {
        comparison.fail(file, "is missing; simrun check --update writes it")
        continue
      }
      comparison.compare(file, try committed(new.path), text, with: new)
      for figure in new.figures where comparison.equal.last == file {
        guard self.text(of: figure.path) != figure.text else { continue }
        comparison.fail(
          "\(folder)/\(figure.path)",
          "is not the figure of its result; simrun check --update draws it")
      }
    }
    comparison.testRates()
    try checkForLeftovers(checked.map(\.experiment.file), &comparison)
    try checkForFigures(&comparison)
    try checkIndex(&comparison)
    return comparison
  }

  /// A result whose experiment is gone would stand in the index for ever.
  private func checkForLeftovers(
    _ files: [String], _ comparison: inout ResultComparison
  ) throws {
    let root = files.first { $0.contains(ResultFile.root) }?.components(
      separatedBy: ResultFile.root)
    guard let root = root?.dropLast().joined(separator: ResultFile.root) else { return }
    let checked = Set(files.map(ResultFile.path))
    for path in committedPaths where !checked.contains(path) {
      guard let file = try committed(path)["file"]?.text, file.hasPrefix(ResultFile.root),
        !FileManager.default.fileExists(atPath: root + file)
      else { continue }
      comparison.fail(
        "\(folder)/\(path)", "is of \(file), which is not there; remove one or bring back the other"
      )
    }
  }

  /// A figure that no result names is that of an earlier one.
  private func checkForFigures(_ comparison: inout ResultComparison) throws {
    let named = try committedPaths.flatMap { path in
      (try committed(path)["sweeps"]?.elements ?? []).compactMap { $0["figure"]?.text }
    }
    for path in ExperimentFiles.paths(in: folder, ending: ".svg") where !named.contains(path) {
      comparison.fail("\(folder)/\(path)", "is a figure that no result names; remove it")
    }
  }

  /// The index is to be that of the results beside it.
  private func checkIndex(_ comparison: inout ResultComparison) throws {
    var all: [String: JSONValue] = [:]
    for path in committedPaths { all[path] = try committed(path) }
    if text(of: Self.index) != ResultIndex(all, in: folder).text {
      comparison.fail(
        "\(folder)/\(Self.index)",
        "is not the index of the results beside it; simrun check --update writes it anew")
    }
  }

  private var committedPaths: [String] { ExperimentFiles.paths(in: folder, ending: ".json") }

  private func text(of path: String) -> String? {
    try? String(contentsOf: URL(fileURLWithPath: "\(folder)/\(path)"), encoding: .utf8)
  }

  private func committed(_ path: String) throws -> JSONValue {
    let value = try JSON5File.read("\(folder)/\(path)").value
    guard value["command"] == "check", value["worlds"]?.elements != nil else {
      throw Problem(
        "\(folder)/\(path) is no result of simrun check; remove it or let simrun check --update write it",
        .badData)
    }
    return value
  }
}

extension JSONValue {
  /// The elements of an array; nil for anything else.
  var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members of an object; none for anything else.
  var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }

  /// The text of a string; nil for anything else.
  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The value of a number of any kind; nil for anything else.
  var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .number(let value): value
    case .null, .bool, .string, .array, .object: nil
    }
  }
}
