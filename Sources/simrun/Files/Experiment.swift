import SimCore
import Strategies

/// A scenario file: a world, and what to run in it and to expect of it.
///
/// Its variants stand for worlds that differ a little, such as a client with a defect and the one that mends it.
struct Experiment {
  /// One world of an experiment.
  struct Variant {
    /// The name; nil if the file has no variants.
    var name: String?
    var scenario = Scenario()
    /// The server's preset, for reports.
    var server = Preset.all(.server)[0].name
    /// The paths of the fields that were given, each with the place of its value.
    var given: [(path: String, position: TextPosition)] = []
    var strategies: [Strategy] = []
    var runs: Int?
    var seed: UInt64 = 1
    var expectations: [Expectation] = []
    /// The rates that answer the question; none for those of the expectations.
    var answer: [Quantity] = []
    /// The strategies that expectations compare with, by the names they use.
    var references: [String: Strategy] = [:]
    /// What a sweep goes through; none for a single world.
    var axes: [Axis] = []
    /// What the cheapest value of the first axis has to meet.
    var target: Expectation?
  }

  let file: String
  /// What it is about, in a line.
  private(set) var title: String?
  /// What it answers, in a line; nil if it only holds what is known.
  private(set) var question: String?
  /// Anything else that helps to read it.
  private(set) var note: String?
  private(set) var variants: [Variant] = []
  private let decoder: FileDecoder

  private static let presetKinds = Preset.Kind.allCases.map(\.rawValue)

  /// Reads an experiment.
  ///
  /// - Throws: all ``Problems`` of the file together, each with its place.
  init(file: String) throws {
    try self.init(JSON5File.read(file), file: file)
  }

  /// Decodes an experiment.
  ///
  /// - Throws: all ``Problems`` of the file together, each with its place.
  init(_ node: JSON5Node, file: String) throws {
    self.file = file
    decoder = FileDecoder(file: file)
    var problems = Problems()
    let base = try problems.collect { try decode(node, into: Variant(), allowing: Self.topKeys) }
    (title, question, note) = (node.text("title"), node.text("question"), node.text("note"))
    // Mistakes of variants are told beside those of the file itself.
    variants = try problems.collect { try self.variants(of: node, base ?? Variant()) } ?? []
    try problems.throwIfAny()
    try resolveReferences()
    try check(at: node.position)
  }

  /// What a file may say beside the fields of its scenario, with what it means.
  static let keys: [(name: String, meaning: String)] = [
    ("title", "what the file is about, in a line"), ("source", "where it comes from"),
    ("question", "what it answers, in a line, as the heading of the index of results"),
    ("note", "anything else that helps to read it"),
    (
      "strategies",
      "whom to run: a name, or { name, base, … } with changed decisions, or a list of these; "
        + "processes: { \"2\": … } in it gives those of another process"
    ),
    (
      "runs",
      "how many runs; without it one of a timeline, 1,000 of sessions, 20 of a fleet, else 10,000"
    ),
    ("seed", "the seed of the random numbers (1)"),
    ("expect", "what must come out, a list; see simrun show expectations"),
    (
      "answer",
      "the rates that answer the question, such as \"signOuts per month\"; without it those of expect"
    ),
    (
      "over",
      "what to go through: \"margin=0s...60s:2s\", \"network=lte,3g\", or a list of two for a grid"
    ),
    (
      "target",
      "what the cheapest value has to meet, such as \"firstUnauthorized per call < 0.01%\""
    ),
    (
      "variants",
      "names with worlds that differ from the file in fields, strategies, runs, seed, or expect"
    ),
  ]

  private static let topKeys = keys.map(\.name)
  private static let variantKeys = topKeys.filter {
    !["title", "source", "question", "variants"].contains($0)
  }

  /// The experiment with one of its variants.
  ///
  /// - Throws: a ``Problem`` that names the variants there are.
  func only(_ name: String) throws -> Experiment {
    var experiment = self
    experiment.variants = variants.filter { $0.name == name }
    if experiment.variants.isEmpty {
      let names = variants.compactMap(\.name)
      throw Problem(
        "--variant: \(file) has no variant \"\(name)\""
          + (names.isEmpty ? "" : "; use \(names.alternatives).\(name.suggestion(from: names))"))
    }
    return experiment
  }

  private func variants(of node: JSON5Node, _ base: Variant) throws -> [Variant] {
    guard let list = node["variants"] else { return [base] }
    var problems = Problems()
    let members = try decoder.members(list, "variants")
    if members.isEmpty {
      throw decoder.problem(
        list.position, "variants is empty; give it names with worlds, or leave it out")
    }
    let variants = try members.compactMap { member in
      try problems.collect {
        var variant = base
        variant.name = member.key
        return try decode(member.node, into: variant, allowing: Self.variantKeys)
      }
    }
    try problems.throwIfAny()
    return variants
  }

  /// Puts what an object says on top of a variant.
  private func decode(
    _ node: JSON5Node, into base: Variant, allowing keys: [String]
  ) throws -> Variant {
    var problems = Problems()
    var variant = base
    let members = try decoder.members(node, "")
    // A preset of the usage may bring a lifecycle of its own, above which the file's stands.
    for member in members.filter({ $0.key == "usage" }) + members.filter({ $0.key != "usage" }) {
      _ = try problems.collect { try decode(member, into: &variant, allowing: keys) }
    }
    try problems.throwIfAny()
    return variant
  }

  private func decode(
    _ member: JSON5Node.Member, into variant: inout Variant, allowing keys: [String]
  ) throws {
    let node = member.node
    switch member.key {
    case "title", "source", "question", "note":
      _ = try decoder.text(node, member.key)
    case "variants" where keys.contains("variants"): break
    case "strategies": variant.strategies = try StrategyFile(decoder).strategies(node)
    case "runs":
      variant.runs = try value(node, "runs", .integer(1...NumberOption.mostRuns))
    case "seed": variant.seed = UInt64(try value(node, "seed", .integer(0...Int.max)))
    case "expect":
      variant.expectations = try decoder.elements(node).map { element in
        var expectation = try read(element, "expect") { try Expectation($0) }
        expectation.position = element.position
        return expectation
      }
    case "answer":
      variant.answer = try decoder.elements(node).map { element in
        try read(element, "answer") { try Quantity(rate: $0) }
      }
    case "over":
      variant.axes = try decoder.elements(node).map { element in
        try read(element, "over") { try Axis($0) }
      }
      if variant.axes.count > 2 {
        throw decoder.problem(node.position, "over: a sweep has one axis or two")
      }
    case "target": variant.target = try read(node, "target") { try Expectation($0) }
    default:
      let groups = Set(
        ScenarioField.all.compactMap { $0.path.split(separator: ".").first.map(String.init) })
      guard groups.contains(member.key) else {
        throw decoder.unknown(member, member.key, keys + groups.sorted())
      }
      try decodeGroup(member, into: &variant)
    }
  }

  /// A group of fields, which may begin with a preset, or be the name of one.
  private func decodeGroup(_ member: JSON5Node.Member, into variant: inout Variant) throws {
    var node = member.node
    if ScenarioField.all.contains(where: { $0.path == member.key }) {
      // The whole group is a single field.
      let group = JSON5Node(position: node.position, content: .object([member]))
      return try decodeFields(of: group, "", into: &variant)
    }
    if let kind = Preset.Kind(rawValue: member.key),
      let name = node["preset"] ?? (node.isText ? node : nil)
    {
      let preset = try preset(kind, name)
      preset.apply(&variant.scenario)
      if kind == .server { variant.server = preset.name }
      if node.isText { return }
      node = node.removing("preset")
    }
    try decodeFields(of: node, member.key, into: &variant)
  }

  private func decodeFields(
    of node: JSON5Node, _ path: String, into variant: inout Variant
  ) throws {
    let given = try decoder.decode(node, path, ScenarioField.all, into: &variant.scenario)
    variant.given.removeAll { old in given.contains { $0.path == old.path } }
    variant.given += given
  }

  private func preset(_ kind: Preset.Kind, _ node: JSON5Node) throws -> Preset {
    let name = try decoder.text(node, "\(kind.rawValue).preset")
    let known = Preset.all(kind)
    guard let preset = known.first(where: { $0.name == name }) else {
      throw decoder.problem(
        node.position,
        "\(kind.rawValue): unknown preset \"\(name)\"; use \(known.map(\.name).alternatives)."
          + name.suggestion(from: known.map(\.name)))
    }
    return preset
  }

  /// What a text stands for; a problem names the key and the text.
  private func read<Value>(
    _ node: JSON5Node, _ key: String, _ make: (String) throws -> Value
  ) throws -> Value {
    let text = try decoder.text(node, key)
    do {
      return try make(text)
    } catch let problem as FieldProblem {
      throw decoder.problem(node.position, "\(key): \"\(text)\" \(problem.clause)")
    }
  }

  private func value<Value>(
    _ node: JSON5Node, _ path: String, _ codec: FieldCodec<Value>
  ) throws -> Value {
    do {
      return try codec.decode(node.value)
    } catch let problem as FieldProblem {
      throw decoder.problem(node.position, "\(path): \(node.value.text()) \(problem.clause)")
    }
  }

  /// Finds the strategies that expectations compare with: those of the file, and then those of the catalog.
  private mutating func resolveReferences() throws {
    var problems = Problems()
    let all = variants.flatMap(\.strategies)
    for index in variants.indices {
      // A variant may call another client by the same name.
      let own = variants[index].strategies + all
      for expectation in variants[index].expectations {
        guard let name = expectation.reference else { continue }
        do {
          variants[index].references[name] =
            try own.first { $0.name == name } ?? StrategyName.strategy(name)
        } catch let problem as Problem {
          problems.add(
            decoder.problem(
              expectation.position, "expect: \"\(expectation.text)\": \(problem.message)"))
        }
        if variants[index].strategies.map(\.name) == [name] {
          problems.add(
            decoder.problem(
              expectation.position,
              "expect: \"\(expectation.text)\" compares \(name) with itself; name another strategy")
          )
        }
      }
    }
    try problems.throwIfAny()
  }

  /// What fields must not say together, at the place of the one that was given last; told once, however many
  /// variants share it.
  private func check(at start: TextPosition) throws {
    var problems = Problems()
    for variant in variants {
      let given = variant.given
      var found = Problems()
      _ = try found.collect {
        try ScenarioCheck(variant.scenario, given: Set(given.map(\.path)), code: .badData).check()
      }
      if !variant.axes.isEmpty {
        _ = try found.collect {
          try SweepPoint.points(
            variant.axes, from: variant.scenario, given: given.map(\.path), code: .badData)
        }
      } else if variant.target != nil {
        found.list.append(Problem("target is given, but over is not; what should meet it?"))
      }
      for strategy in variant.strategies {
        _ = try found.collect {
          try StrategyCheck(strategy, in: variant.scenario, code: .badData).check()
        }
      }
      for problem in found.list {
        let place = given.last { problem.message.contains($0.path) }?.position ?? start
        problems.add(decoder.problem(place, problem.message))
      }
      for problem in misplaced(variant).list { problems.add(problem) }
    }
    try problems.throwIfAny()
  }

  /// What is wrong with the points that expectations name.
  private func misplaced(_ variant: Variant) -> Problems {
    var problems = Problems()
    for expectation in variant.expectations {
      for place in expectation.places {
        guard let clause = Self.clause(place, variant.axes) else { continue }
        problems.add(
          decoder.problem(expectation.position, "expect: \"\(expectation.text)\" \(clause)"))
      }
    }
    return problems
  }

  /// What is wrong with a value of an axis; nil if nothing is.
  private static func clause(_ place: Expectation.Place, _ axes: [Axis]) -> String? {
    guard !axes.isEmpty else { return "names a point, but over is not given" }
    guard let axis = axes.first(where: { $0.name == place.axis }) else {
      return "names \"\(place.axis)\", but over goes through \(axes.map(\.name).alternatives)"
    }
    if axis.values.contains(place.value) { return nil }
    let some =
      axis.values.count > 12
      ? "values from \(axis.values[0]) to \(axis.values[axis.values.count - 1])"
      : axis.values.alternatives
    return "names \(place.axis)=\(place.value), which over does not go through; use \(some)"
  }
}

extension Problems {
  /// Keeps a problem, told once however many variants share it.
  fileprivate mutating func add(_ problem: Problem) {
    if !list.contains(problem) { list.append(problem) }
  }
}

extension JSON5Node {
  /// The text of a key of an object; nil if there is none.
  fileprivate func text(_ key: String) -> String? {
    if case .string(let text) = self[key]?.content { text } else { nil }
  }

  fileprivate var isText: Bool {
    if case .string = content { true } else { false }
  }

  /// The object without a member.
  fileprivate func removing(_ key: String) -> JSON5Node {
    guard case .object(let members) = content else { return self }
    return JSON5Node(position: position, content: .object(members.filter { $0.key != key }))
  }
}
