/// What a check found, as text for people.
struct CheckReport {
  /// One strategy in one world of an experiment.
  struct Result {
    let file: String
    let variant: String?
    /// The point of a sweep; nil without one.
    var place: String?
    let strategy: String
    let verdicts: [(expectation: Expectation, verdict: ExpectationJudge.Verdict)]

    func count(_ kind: ExpectationJudge.Verdict.Kind) -> Int {
      verdicts.count { $0.verdict.kind == kind }
    }

    /// The variant, the point, and the strategy.
    var name: String {
      [variant, place, strategy].compactMap(\.self).joined(separator: " · ")
    }
  }

  /// What became of the committed results.
  enum Committed {
    case written(String)
    case compared(ResultComparison)
  }

  let results: [Result]
  /// Nil if there were none to hold the experiments against.
  var committed: Committed?

  /// The comparison with committed results; nil if there was none.
  var comparison: ResultComparison? {
    if case .compared(let comparison) = committed { comparison } else { nil }
  }

  /// 1 if an expectation failed or a committed result is not what came out, 3 if none did and one is undecided.
  var exitCode: ExitCode {
    if failed > 0 || comparison?.failures.isEmpty == false { return .expectationFailed }
    return undecided > 0 ? .inconclusive : .success
  }

  private var all: Int { results.reduce(0) { $0 + $1.verdicts.count } }
  private var failed: Int { results.reduce(0) { $0 + $1.count(.fail) } }
  private var undecided: Int { results.reduce(0) { $0 + $1.count(.inconclusive) } }

  /// How many expectations hold, in a line.
  var summary: String {
    let files = Set(results.map(\.file)).count
    return
      "\(all.grouped) expectation\(all == 1 ? "" : "s") in \(files.grouped) file\(files == 1 ? "" : "s"): "
      + "\((all - failed - undecided).grouped) hold, \(failed.grouped) fail, "
      + "\(undecided.grouped) inconclusive"
  }

  /// One line per result, and one more per expectation that does not hold.
  func text(_ palette: Palette) -> String {
    var lines = results.flatMap { self.lines(of: $0, palette) }
    lines.append(summary)
    switch committed {
    case .none: break
    case .written(let words): lines.append(words)
    case .compared(let comparison):
      lines += comparison.failures.map {
        palette.heading("FAIL \($0.file)") + "\n       \($0.message)"
      }
      lines += comparison.notes
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(of result: Result, _ palette: Palette) -> [String] {
    let word =
      result.count(.fail) > 0 ? "FAIL" : result.count(.inconclusive) > 0 ? "open" : "ok"
    let head = "\(word.padded(to: 5))\(result.file) · \(result.name)  \(result.verdicts.count)"
    let rest = result.verdicts.filter { $0.verdict.kind != .pass }.map {
      "       \($0.verdict.kind.word): \($0.expectation.text); found \($0.verdict.found)"
    }
    return [word == "ok" ? head : palette.heading(head)] + rest
  }
}

extension ExpectationJudge.Verdict.Kind {
  /// What an expectation does, as a verb.
  var word: String {
    switch self {
    case .pass: "holds"
    case .fail: "fails"
    case .inconclusive: "inconclusive"
    }
  }
}
