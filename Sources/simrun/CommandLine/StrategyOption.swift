import SimCore
import Strategies

/// The strategies that the options ask for.
enum StrategyOption {
  /// A strategy in a world.
  struct Cell {
    let strategy: Strategy
    /// How the strategy was typed; nil if the file of the world names it.
    let typed: String?
    let world: ScenarioRequest.World
  }

  /// The strategies of the option, or else of each world's file; a margin must mean something to one of them.
  ///
  /// - Throws: a ``Problem`` if there is none, or the margin is no one's.
  static func cells(
    _ arguments: CommandLineArguments, _ worlds: [ScenarioRequest.World]
  ) throws -> [Cell] {
    let asked = try arguments[.strategy].map { list in
      zip(try StrategyName.strategies(list), list.split(separator: ",").map { String($0).trimmed })
    }
    let cells = worlds.flatMap { world in
      asked?.map { Cell(strategy: $0, typed: $1, world: world) }
        ?? world.strategies.map { Cell(strategy: $0, typed: nil, world: world) }
    }
    if cells.isEmpty, asked == nil, !worlds.isEmpty { throw missing }
    for cell in cells { try StrategyCheck(cell.strategy, in: cell.world.scenario).check() }
    if arguments.contains(.margin), !cells.isEmpty,
      !cells.contains(where: { $0.strategy.takesMargin })
    {
      throw Problem(
        "--margin: none of the strategies leaves its margin open; "
          + "single-flight+margin does, and so does background-task")
    }
    return cells
  }

  /// The strategies of the option alone, so that its mistakes are told beside those of the world.
  static func check(_ arguments: CommandLineArguments) throws {
    if let list = arguments[.strategy] { _ = try StrategyName.strategies(list) }
    if arguments[.strategy] == nil, arguments[.scenario] == nil { throw missing }
  }

  private static var missing: Problem {
    Problem("--strategy is missing; use \(StrategyCatalog.all.map(\.name).alternatives)")
  }
}

/// Options that are whole numbers.
enum NumberOption {
  /// The most runs, so that sums of squares stay within 64 bits.
  static let mostRuns = 1_000_000_000

  /// The runs of the option, else of the file, else as many as the longest of the worlds' kinds takes.
  static func runs(
    _ arguments: CommandLineArguments, _ worlds: [ScenarioRequest.World]
  ) throws -> Int {
    try integer(.runs, 1...mostRuns, arguments) ?? worlds.compactMap(\.file.runs).max()
      ?? worlds.map(\.scenario.usage.kind.usualRuns).max() ?? 10_000
  }

  /// The precision that is asked for, with the most runs that it may take; nil if none is.
  ///
  /// - Throws: a ``Problem`` if it contradicts another option.
  static func precision(
    _ arguments: CommandLineArguments, _ worlds: [ScenarioRequest.World],
    _ rates: @escaping @Sendable (Totals) -> [RateEstimate]
  ) throws -> (precision: Precision, mostRuns: Int)? {
    guard let text = arguments[.precision] else {
      if arguments.contains(.maxRuns) {
        throw Problem(
          "--max-runs is given, but --precision is not; --runs says how many runs to do")
      }
      return nil
    }
    for option in [Option.runs, .shard, .rare] where arguments.contains(option) {
      throw Problem(
        "--precision decides how many runs there are, so \(option.flag) cannot be given too"
          + (option == .runs ? "; --max-runs is the most" : ""))
    }
    guard let share = JSONValue.string(text).asShare, share >= 0.001, share < 1 else {
      throw Problem("--precision: \"\(text)\" is not a share from 0.1% to below 100%, as 5%")
    }
    let usual = worlds.map(\.scenario.usage.kind.usualRuns).min() ?? 10_000
    let most =
      try integer(.maxRuns, 1...mostRuns, arguments) ?? (usual < 10_000 ? 100_000 : 10_000_000)
    return (Precision(share: share, rates: rates), most)
  }

  static func threads(_ arguments: CommandLineArguments) throws -> Int {
    try integer(.threads, 1...256, arguments) ?? ProcessorCount.active
  }

  static func run(_ arguments: CommandLineArguments) throws -> UInt64 {
    guard let run = try integer(.run, 0...mostRuns - 1, arguments) else {
      throw Problem("--run is missing: which run? A report names one under \"See one\"")
    }
    return UInt64(run)
  }

  /// The seed of the option, else of the file, else 1.
  static func seed(
    _ arguments: CommandLineArguments, _ worlds: [ScenarioRequest.World]
  ) throws -> UInt64 {
    guard let text = arguments[.seed] else { return worlds.first?.file.seed ?? 1 }
    let isHexadecimal = text.hasPrefix("0x")
    guard let seed = UInt64(text.dropFirst(isHexadecimal ? 2 : 0), radix: isHexadecimal ? 16 : 10)
    else {
      throw Problem(
        "--seed: \"\(text)\" is not a whole number from 0 to 2^64 - 1, or 0x and up to 16 hexadecimal digits"
      )
    }
    return seed
  }

  private static func integer(
    _ option: Option, _ range: ClosedRange<Int>, _ arguments: CommandLineArguments
  ) throws -> Int? {
    guard let text = arguments[option] else { return nil }
    do {
      return try FieldCodec.integer(range).decode(.string(text))
    } catch let problem as FieldProblem {
      throw Problem("\(option.flag): \"\(text)\" \(problem.clause)")
    }
  }
}

extension Usage.Kind {
  /// The runs where nobody says how many: a run of sessions is a person's month, one of a fleet an hour of many.
  var usualRuns: Int {
    switch self {
    case .sessions: 1000
    case .fleet: 20
    case .opening, .timeline, .steady: 10_000
    }
  }
}

extension CommandLineArguments {
  /// The options that make the world, to repeat.
  var worldOptions: [(option: Option, value: String)] {
    values.filter { option, value in
      option.field != nil
        || [.scenario, .set, .network, .clock, .usage, .lifecycle, .seed].contains(option)
        || (option == .server && !value.contains(","))
    }
  }
}
