/// An option of the command line.
///
/// Parser, help, and completions all derive from this table.
enum Option: String, CaseIterable {
  case strategy
  case scenario
  case variant
  case server
  case network
  case clock
  case usage
  case lifecycle
  case callers
  case spread
  case opens
  case leaves
  case lifetime
  case margin
  case set
  case over
  case target
  case runs
  case precision
  case maxRuns = "max-runs"
  case rare
  case run
  case from
  case until
  case seed
  case threads
  case shard
  case results
  case update
  case format
  case output
  case svg
  case junit
  case color
  case help
  case version

  /// The name with its dashes.
  var flag: String { "--\(rawValue)" }

  /// What stands for its value in the help; nil if it takes none.
  var placeholder: String? {
    switch self {
    case .help, .version, .rare, .update: nil
    case .strategy: "NAME[,NAME…]"
    case .server: "NAME[,NAME…]"
    case .network, .clock, .usage, .lifecycle, .variant: "NAME"
    case .scenario: "FILE"
    case .callers, .runs, .maxRuns, .run, .seed, .threads: "N"
    case .over: "PATH=VALUES"
    case .target: "EXPECTATION"
    case .precision: "SHARE"
    case .shard: "K/N"
    case .results: "FOLDER"
    case .spread, .lifetime, .margin, .from, .until: "DURATION"
    case .opens: "MOMENT"
    case .leaves: "TIME"
    case .set: "PATH=VALUE"
    case .format: "text|json|csv|markdown"
    case .output, .svg, .junit: "FILE"
    case .color: "auto|always|never"
    }
  }

  /// What it does, in a line.
  var help: String {
    switch self {
    case .strategy: "the client strategies, by name or as a file; see simrun show strategies"
    case .scenario: "a scenario file; options stand above it"
    case .variant: "the only variant of the file to run"
    case .server: "the authorization servers (strict)"
    case .network: "the network (worked-example)"
    case .clock: "the clock of the device (late-1s)"
    case .usage: "the shape of a run (opening)"
    case .lifecycle: "what the system does with an app that is left (stays)"
    case .callers: "calls of an opening (5)"
    case .spread: "time in which they start (50ms)"
    case .opens: "duringLifetime, expired, expiredAtServer, or a duration (duringLifetime)"
    case .leaves:
      "when the person leaves: a time after the opening, as 3s or exponential(mean=3s) (never)"
    case .lifetime: "lifetime of an access token (5min)"
    case .margin: "expiry margin of single-flight+margin and background-task (30s)"
    case .set: "any field of the scenario; see simrun show fields; may be repeated"
    case .over:
      "what to go through: margin=0s...60s:2s, network=lte,3g, or any field; twice for a grid"
    case .target:
      "what the cheapest value has to meet, as \"firstUnauthorized per call < 0.01%\"; cheap ones come first"
    case .runs:
      "how many runs (10000; 1000 of sessions, 20 of a fleet; 100000 for a --target)"
    case .precision: "run until rates are known to within this share of themselves, as 5%"
    case .maxRuns: "the most runs that --precision may take (10000000; 100000 of sessions)"
    case .rare: "weigh the moment of leaving, to measure sign-outs that are too rare to count"
    case .run: "which run"
    case .from:
      "when the trace begins (0s; for sessions and fleets, what led to the first sign-out)"
    case .until: "when it ends (the end; for sessions and fleets, the first sign-out)"
    case .seed: "the seed of the random numbers (1)"
    case .threads: "threads to use (all cores); never changes a result"
    case .shard: "do only this part of the runs, as 3/16, and write what simrun merge needs"
    case .results: "the folder of committed results to hold the experiments against"
    case .update: "write the committed results anew, in the folder of --results (results)"
    case .format: "how the result is written (text)"
    case .output: "a file for the result; written whole or not at all"
    case .svg: "a file for the figure"
    case .junit: "a file for the verdicts, as JUnit has them"
    case .color: "whether the text has colour (auto)"
    case .help: "this text"
    case .version: "the version of simrun"
    }
  }

  /// The field of the scenario that it sets.
  var field: String? {
    switch self {
    case .callers: "usage.callers"
    case .spread: "usage.spread"
    case .opens: "usage.opens"
    case .leaves: "lifecycle.leaves"
    case .lifetime: "server.lifetime"
    case .margin: "client.margin"
    default: nil
    }
  }

  /// Whether it may be given more than once.
  var repeats: Bool { self == .set || self == .over }

  /// The commands that take it.
  func belongs(to command: CommandName) -> Bool {
    switch self {
    case .help, .version: true
    case .threads: command.carriesOutRuns || command == .check
    case .runs, .precision, .maxRuns, .shard: command.carriesOutRuns
    case .rare: command == .run
    case .over, .target: command == .sweep
    case .results, .update, .junit: command == .check
    case .svg: command == .sweep || command == .merge
    case .variant: ![.bench, .completions, .merge].contains(command)
    case .format: command.carriesOutRuns || command == .trace || command == .merge
    case .run, .from, .until: command == .trace
    case .strategy, .seed: command.carriesOutRuns || command == .trace
    case .output, .color: command != .completions
    default: command.carriesOutRuns || command == .trace || command == .show
    }
  }

  /// The values that it accepts, where they are few.
  var choices: [String] {
    switch self {
    case .format: OutputFormat.allCases.map(\.rawValue)
    case .color: ColorMode.allCases.map(\.rawValue)
    default: []
    }
  }
}

/// How a result is written.
enum OutputFormat: String, CaseIterable {
  case text
  case json
  case csv
  case markdown
}

/// Whether the text has colour.
enum ColorMode: String, CaseIterable {
  case auto
  case always
  case never
}
