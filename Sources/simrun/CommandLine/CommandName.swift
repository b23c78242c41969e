/// What the program can be asked to do.
enum CommandName: String, CaseIterable {
  case run
  case sweep
  case check
  case trace
  case show
  case merge
  case bench
  case completions

  /// Whether it is a question to many runs, which machines can share.
  var carriesOutRuns: Bool { self == .run || self == .sweep }

  /// Whether words beside the options mean something to it.
  var takesNames: Bool { [.show, .completions, .check, .merge].contains(self) }

  /// The question that the command answers.
  var summary: String {
    switch self {
    case .run: "How often does this client refresh twice, meet a 401, or lose the session?"
    case .sweep: "What does one field change, and which value of it is the cheapest that will do?"
    case .check: "Do experiments give what they expect? For CI: 1 if not, 3 if undecided."
    case .trace: "What happens, step by step, in one run?"
    case .show:
      "What strategies, servers, networks, clocks, usages, lifecycles, metrics, and fields are there?"
    case .merge: "What do the parts that several machines did give together?"
    case .bench: "How fast is the simulator on this machine?"
    case .completions: "How does a shell complete the options?"
    }
  }

  /// How it is called.
  var synopsis: String {
    switch self {
    case .run: "simrun [run] --strategy NAME[,NAME…] [options]"
    case .sweep: "simrun sweep --over PATH=VALUES --strategy NAME[,NAME…] [options]"
    case .check: "simrun check FILE|FOLDER… [options]"
    case .trace: "simrun trace --strategy NAME --run N [options]"
    case .show: "simrun show [NAME] [options]"
    case .merge: "simrun merge FILE… [options]"
    case .bench: "simrun bench"
    case .completions: "simrun completions bash|zsh|fish"
    }
  }

  /// A call that works.
  var example: String {
    switch self {
    case .run: "simrun --strategy naive,single-flight --callers 5 --runs 10000"
    case .sweep: "simrun sweep --over margin=0s...10s:1s --strategy single-flight+margin"
    case .check: "simrun check experiments/cases/B01.json5"
    case .trace: "simrun trace --strategy naive --opens expired --run 0"
    case .show: "simrun show server/strict"
    case .merge: "simrun merge part-1.json part-2.json"
    case .bench: "simrun bench"
    case .completions: "simrun completions bash > simrun.bash"
    }
  }
}
