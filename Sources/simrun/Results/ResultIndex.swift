/// The index of the committed results, which reads like a paper: question, setup, answer, and how to get it again.
struct ResultIndex {
  private let results: [(path: String, value: JSONValue)]
  /// The folder that it lies in, as a command names it.
  private let folder: String

  /// The index of results by their paths in a folder; the folder of another machine goes by its last name.
  init(_ results: [String: JSONValue], in folder: String) {
    self.folder =
      folder.hasPrefix("/") ? folder.split(separator: "/").last.map(String.init) ?? folder : folder
    self.results = results.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  var text: String {
    let questions = results.filter { $0.value["question"] != nil }
    let others = results.filter { $0.value["question"] == nil }
    var blocks = [opening]
    blocks += questions.map { section($0.path, $0.value) }
    if !others.isEmpty {
      blocks.append("## What else is held")
      blocks.append(Self.table(others))
      if let rates = Self.rates(others) { blocks += ["Rates in them, with what came out:", rates] }
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private var opening: String {
    let files =
      results.contains { !($0.value["file"]?.text ?? "").hasPrefix(ResultFile.root) }
      ? "FILES" : "experiments"
    return """
      # Results

      What the experiments gave, by `simrun check \(files) --results \(folder) --update`, which writes this page and the
      files beside it anew; without `--update` it says whether they are what comes out. Each file holds its scenarios,
      strategies, seeds, and fingerprints. Intervals in brackets are of 95 %, each by itself; they follow from how runs
      differ, so that a handful of long runs that saw none of something can only say little about it.
      """
  }

  // MARK: Questions

  private func section(_ path: String, _ result: JSONValue) -> String {
    let file = result["file"]?.text ?? path
    let sweeps = result["sweeps"]?.elements ?? []
    var blocks = ["## \(result["question"]?.text ?? "")"]
    if let note = result["note"]?.text { blocks.append(note) }
    blocks += sweeps.compactMap(Self.choices)
    blocks.append(Self.answer(result))
    blocks += sweeps.compactMap(Self.figure)
    blocks.append("`simrun check \(file) --results \(folder)` · [result](\(path))")
    return blocks.joined(separator: "\n\n")
  }

  private static func figure(_ sweep: JSONValue) -> String? {
    sweep["figure"]?.text.map { "![\(sweep["variant"]?.text ?? "figure")](\($0))" }
  }

  /// The values that were chosen, with what lies beside them; nil without a target.
  private static func choices(_ sweep: JSONValue) -> String? {
    guard let target = sweep["target"]?.text else { return nil }
    let blocks = (sweep["choices"]?.elements ?? []).map { choice in
      (choice.elements ?? []).compactMap(\.text).joined(separator: "\n")
    }
    let variant = sweep["variant"]?.text.map { "\($0): t" } ?? "T"
    return "\(variant)he cheapest value with \(target):\n\n```text\n"
      + blocks.joined(separator: "\n") + "\n```"
  }

  /// The answer: a row per world and strategy, a column per rate.
  private static func answer(_ result: JSONValue) -> String {
    let worlds = result["worlds"]?.elements ?? []
    let rows = worlds.flatMap { world in
      (world["results"]?.elements ?? []).map { (world: world, result: $0) }
    }
    let rates = rows.flatMap { $0.result["answer"]?.members.map(\.key) ?? [] }.unique
    let places = ["variant", "at"].filter { key in worlds.contains { $0[key] != nil } }
    return ReportTable(
      header: places + ["strategy"] + rates,
      rows: rows.map { world, result in
        places.map { world[$0]?.text ?? "–" } + [result["strategy"]?.text ?? "–"]
          + rates.map { result["answer"]?[$0]?.text ?? "–" }
      }
    ).markdown.trimmedAtEnd
  }

  // MARK: Claims and cases

  private static func table(_ results: [(path: String, value: JSONValue)]) -> String {
    ReportTable(
      header: ["result", "about", "held"],
      rows: results.map { path, value in
        [link(path), value["title"]?.text ?? "–", held(value)]
      }
    ).markdown.trimmedAtEnd
  }

  private static func link(_ path: String) -> String { "[\(path.dropLast(5))](\(path))" }

  private static func held(_ result: JSONValue) -> String {
    let all = entries(result)
    return "\(all.count { $0.entry["verdict"] == "pass" }) of \(all.count)"
  }

  private static func entries(_ result: JSONValue) -> [(place: String, entry: JSONValue)] {
    (result["worlds"]?.elements ?? []).flatMap { world in
      (world["results"]?.elements ?? []).flatMap { result in
        let names = [world["variant"], world["at"], result["strategy"]].compactMap { $0?.text }
        return (result["expectations"]?.elements ?? []).map {
          (names.joined(separator: ", "), $0)
        }
      }
    }
  }

  /// The expectations with an interval, with what was found; nil if there are none.
  private static func rates(_ results: [(path: String, value: JSONValue)]) -> String? {
    let rows = results.flatMap { path, value in
      entries(value).compactMap { place, entry -> [String]? in
        guard let text = entry["expects"]?.text, let expectation = try? Expectation(text),
          expectation.measure == .prediction || Quantity(expectation).isRate
        else { return nil }
        return [
          link(path), place, Quantity(expectation).name, entry["found"]?.text ?? "–",
        ]
      }
    }.unique
    return rows.isEmpty
      ? nil
      : ReportTable(header: ["result", "client", "rate", "found"], rows: rows).markdown.trimmedAtEnd
  }
}

extension Array where Element: Equatable {
  /// The elements, each once, in the order of their first places.
  fileprivate var unique: [Element] {
    reduce(into: []) { list, element in
      if !list.contains(element) { list.append(element) }
    }
  }
}

extension String {
  /// The text without the end of its last line.
  fileprivate var trimmedAtEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
