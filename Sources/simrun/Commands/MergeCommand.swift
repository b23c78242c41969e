import SimCore

/// `simrun merge`: the parts of one question that several machines did, joined to its answer.
struct MergeCommand {
  private let parts: [(file: String, content: ShardFile)]
  private let plan: any Plan
  private let format: OutputFormat

  /// Reads all parts.
  ///
  /// - Throws: all ``Problems`` together: files that are no parts, or do not belong together, or are not all.
  init(_ arguments: CommandLineArguments) throws {
    if arguments.names.isEmpty {
      throw Problem(
        "merge: name the files that simrun --shard wrote, as in simrun merge part-*.json")
    }
    var problems = Problems()
    let parts = try arguments.names.compactMap { file in
      try problems.collect { (file: file, content: try ShardFile.read(file)) }
    }
    try problems.throwIfAny()
    let first = parts[0]
    for part in parts.dropFirst() { _ = try problems.collect { try Self.check(part, with: first) } }
    try problems.throwIfAny()
    try Self.checkCompleteness(parts)
    // A figure is drawn by whoever has all parts.
    let figure = arguments[.svg].map { ["\(Option.svg.flag)=\($0)"] } ?? []
    let question = CommandLineArguments(first.content.question + figure)
    if let problem = question.problems.list.first { throw problem }
    let plan = try Simrun.plan(question)
    try Self.checkInputs(first, plan)
    for part in parts { _ = try problems.collect { try Self.checkContent(part, plan) } }
    try problems.throwIfAny()
    self.plan = plan
    let format = arguments[.format] ?? question[.format]
    self.format = format.flatMap { OutputFormat(rawValue: $0) } ?? .text
    self.parts = parts.sorted { $0.content.shard.number < $1.content.shard.number }
  }

  private static func check(
    _ part: (file: String, content: ShardFile), with first: (file: String, content: ShardFile)
  ) throws {
    let (one, other) = (first.content, part.content)
    if one.version != other.version {
      throw Problem(
        "\(part.file) was written by version \(other.version) of simrun, "
          + "but \(first.file) by version \(one.version)", .badData)
    }
    if one.question != other.question {
      throw Problem(
        "\(part.file) answers another question, simrun \(other.question.joined(separator: " ")), "
          + "than \(first.file), simrun \(one.question.joined(separator: " "))", .badData)
    }
    if one.digest != other.digest {
      throw Problem(
        "\(part.file) and \(first.file) answer the same question about different files", .badData)
    }
    if one.shard.count != other.shard.count {
      throw Problem(
        "\(part.file) is one of \(other.shard.count.grouped) parts, "
          + "but \(first.file) one of \(one.shard.count.grouped)", .badData)
    }
  }

  private static func checkCompleteness(_ parts: [(file: String, content: ShardFile)]) throws {
    let count = parts[0].content.shard.count
    var files: [Int: String] = [:]
    var problems = Problems()
    for (file, content) in parts {
      if let other = files.updateValue(file, forKey: content.shard.number) {
        problems.list.append(
          Problem("\(file) and \(other) are both part \(content.shard.number)", .badData))
      }
    }
    let missing = (1...count).filter { files[$0] == nil }
    if !missing.isEmpty {
      let names = missing.prefix(8).map(String.init).joined(separator: ", ")
      problems.list.append(
        Problem(
          "part\(missing.count == 1 ? "" : "s") \(names)\(missing.count > 8 ? ", …" : "") of "
            + "\(count.grouped) \(missing.count == 1 ? "is" : "are") missing, so this is not the whole answer",
          .badData))
    }
    try problems.throwIfAny()
  }

  /// The words of the question may name files that have changed.
  private static func checkInputs(
    _ part: (file: String, content: ShardFile), _ plan: any Plan
  ) throws {
    guard part.content.version == Version.number else {
      throw Problem(
        "\(part.file) was written by version \(part.content.version) of simrun, "
          + "but this is version \(Version.number)", .badData)
    }
    guard part.content.digest == plan.digest else {
      throw Problem(
        "the files that the question names have changed since its parts were done", .badData)
    }
  }

  /// A file that was changed by hand may hold too few outcomes, or those of other runs.
  private static func checkContent(
    _ part: (file: String, content: ShardFile), _ plan: any Plan
  ) throws {
    let trials = plan.trials
    let outcomes = part.content.outcomes
    let isWhole =
      outcomes.count == trials.count
      && zip(outcomes, trials).allSatisfy { outcome, trial in
        outcome.totals.count == trial.cells.count && outcome.pairs.count == trial.cells.count - 1
          && outcome.totals.allSatisfy { $0.runs == part.content.shard.slice(of: trial.runs).count }
      }
    if !isWhole {
      throw Problem("\(part.file) does not hold what its question asks for", .badData)
    }
  }

  /// The answer, which is the one that a single machine would give.
  ///
  /// - Throws: a ``Problem`` if there is none.
  func answer(_ palette: Palette) throws -> Simrun.Answer {
    var outcomes = parts[0].content.outcomes
    for part in parts.dropFirst() {
      for index in outcomes.indices { outcomes[index].merge(part.content.outcomes[index]) }
    }
    return try plan.answer(outcomes, format, palette)
  }
}
