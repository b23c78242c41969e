/// What a check found, as text for people.
struct CheckReport {
  /// One strategy in one variant of an experiment.
  struct Result {
    let file: String
    let variant: String?
    let strategy: String
    let verdicts: [(expectation: Expectation, verdict: ExpectationJudge.Verdict)]

    func count(_ kind: ExpectationJudge.Verdict.Kind) -> Int {
      verdicts.count { $0.verdict.kind == kind }
    }
  }

  let results: [Result]

  /// 1 if an expectation failed, 3 if none did and one is undecided.
  var exitCode: ExitCode {
    if results.contains(where: { $0.count(.fail) > 0 }) { return .expectationFailed }
    return results.contains { $0.count(.inconclusive) > 0 } ? .inconclusive : .success
  }

  /// One line per result, and one more per expectation that does not hold.
  func text(_ palette: Palette) -> String {
    var lines = results.flatMap { self.lines(of: $0, palette) }
    let all = results.reduce(0) { $0 + $1.verdicts.count }
    let failed = results.reduce(0) { $0 + $1.count(.fail) }
    let open = results.reduce(0) { $0 + $1.count(.inconclusive) }
    let files = Set(results.map(\.file)).count
    lines.append(
      "\(all.grouped) expectation\(all == 1 ? "" : "s") in \(files.grouped) file\(files == 1 ? "" : "s"): "
        + "\((all - failed - open).grouped) hold, \(failed.grouped) fail, \(open.grouped) inconclusive"
    )
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(of result: Result, _ palette: Palette) -> [String] {
    let word =
      result.count(.fail) > 0 ? "FAIL" : result.count(.inconclusive) > 0 ? "open" : "ok"
    let name = [result.file, result.variant, result.strategy].compactMap(\.self)
      .joined(separator: " · ")
    let head = "\(word.padded(to: 5))\(name)  \(result.verdicts.count)"
    let rest = result.verdicts.filter { $0.verdict.kind != .pass }.map {
      "       \($0.verdict.kind == .fail ? "fails" : "inconclusive"): \($0.expectation.text); "
        + "found \($0.verdict.found)"
    }
    return [word == "ok" ? head : palette.heading(head)] + rest
  }
}
