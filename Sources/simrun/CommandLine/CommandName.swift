/// What the program can be asked to do.
enum CommandName: String, CaseIterable {
  case run
  case check
  case trace
  case show
  case bench
  case completions

  /// The question that the command answers.
  var summary: String {
    switch self {
    case .run: "How often does this client refresh twice, meet a 401, or lose the session?"
    case .check: "Do experiments give what they expect? For CI: 1 if not, 3 if undecided."
    case .trace: "What happens, step by step, in one run?"
    case .show:
      "What strategies, servers, networks, clocks, usages, lifecycles, metrics, and fields are there?"
    case .bench: "How fast is the simulator on this machine?"
    case .completions: "How does a shell complete the options?"
    }
  }

  /// How it is called.
  var synopsis: String {
    switch self {
    case .run: "simrun [run] --strategy NAME[,NAME…] [options]"
    case .check: "simrun check FILE… [options]"
    case .trace: "simrun trace --strategy NAME --run N [options]"
    case .show: "simrun show [NAME] [options]"
    case .bench: "simrun bench"
    case .completions: "simrun completions bash|zsh|fish"
    }
  }

  /// A call that works.
  var example: String {
    switch self {
    case .run: "simrun --strategy naive,single-flight --callers 5 --runs 10000"
    case .check: "simrun check experiments/cases/B01.json5"
    case .trace: "simrun trace --strategy naive --opens expired --run 0"
    case .show: "simrun show server/strict"
    case .bench: "simrun bench"
    case .completions: "simrun completions bash > simrun.bash"
    }
  }
}
