import Foundation

/// The experiments that the command line names, one by one or as folders.
enum ExperimentFiles {
  /// The files, those of a folder and all folders in it by their paths.
  ///
  /// - Parameter names: the names of files and folders.
  /// - Returns: the files in the order given, each once.
  /// - Throws: a ``Problem`` if nothing is named, or a folder holds no experiment.
  static func named(_ names: [String]) throws -> [String] {
    if names.isEmpty {
      throw Problem(
        "check: name the files to check, or a folder of them, as in simrun check experiments")
    }
    var files: [String] = []
    for name in names {
      let found = isFolder(name) ? try experiments(in: name) : [name]
      files += found.filter { !files.contains($0) }
    }
    return files
  }

  private static func isFolder(_ path: String) -> Bool {
    let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }

  private static func experiments(in folder: String) throws -> [String] {
    let paths = paths(in: folder, ending: ".json5")
    if paths.isEmpty {
      throw Problem("\(folder): there is no .json5 file in this folder", .cannotRead)
    }
    let base = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    return paths.map { "\(base)/\($0)" }
  }

  /// The paths of files below a folder, sorted; none if there is no such folder.
  static func paths(in folder: String, ending: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return all.filter { $0.hasSuffix(ending) }.sorted()
  }
}
