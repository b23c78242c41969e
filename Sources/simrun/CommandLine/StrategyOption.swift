import SimCore
import Strategies

/// The strategies that the options ask for.
enum StrategyOption {
  /// At least one; a margin must mean something to one of them.
  static func strategies(_ arguments: CommandLineArguments) throws -> [Strategy] {
    guard let list = arguments[.strategy] else {
      throw Problem(
        "--strategy is missing; use \(StrategyCatalog.all.map(\.name).alternatives)")
    }
    let strategies = try StrategyName.strategies(list)
    if arguments.contains(.margin), !strategies.contains(where: \.takesMargin) {
      throw Problem(
        "--margin: none of the strategies leaves its margin open; "
          + "single-flight+margin does, and so does background-task")
    }
    return strategies
  }
}

/// Options that are whole numbers.
enum NumberOption {
  /// The most runs, so that sums of squares stay within 64 bits.
  static let mostRuns = 1_000_000_000

  static func runs(_ arguments: CommandLineArguments) throws -> Int {
    try integer(.runs, 1...mostRuns, arguments) ?? 10_000
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

  static func seed(_ arguments: CommandLineArguments) throws -> UInt64 {
    guard let text = arguments[.seed] else { return 1 }
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

extension CommandLineArguments {
  /// The options that make the world, to repeat.
  var worldOptions: [(option: Option, value: String)] {
    values.filter { option, value in
      option.field != nil || [.set, .network, .clock, .usage, .seed].contains(option)
        || (option == .server && !value.contains(","))
    }
  }
}
