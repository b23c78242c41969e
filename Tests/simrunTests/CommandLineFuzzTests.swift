import SimCore
import Testing

@testable import simrun

/// Random command lines: whatever is typed gives an answer or a message, never a crash.
struct CommandLineFuzzTests {
  private static let words: [String] =
    Option.allCases.map(\.flag) + CommandName.allCases.map(\.rawValue)
    + ScenarioField.all.map { "\($0.path)=" } + ScenarioField.all.map(\.path)
    + Preset.all.map(\.name)
    + [
      "naive", "single-flight+margin", "single-flight+margin:5s", "naive,actor-only", "", "-", "--",
      "=", ",", "+", "(", ")", "1e308s", "-1s", "0s", "50y", "18446744073709551616", "nan", "inf",
      "logNormal(mean=2s, sigma=0.5)", "logNormal(p50=1s,p50=1s)", "uniform(from=1s,to=2s)+1s",
      "empirical(file=/dev/null,column=a_ms)", "sum()", "constant()", "exponential(mean=)",
      "mixture(1: 2s, 2: cap(3s, at=1s))", "mixture(", "1:", ":", "cap(", "cap(cap(", "cap(=,:)",
      "))",
      "weibull(p50=1s,p50.1=1s)", "normal(mean=0s, sd=0s)", "logUniform(from=1ns,to=50y)",
      "call@0s,leave@1s", "call@", "@", "never", "at 5s", "unlimited", "usedFraction(0.5)",
      "usedFraction(", "remainingBelow(1h)", "\u{0}", "\u{1F600}", "--set=", "--strategy=naive",
    ]

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `No command line crashes the parser`(seed: UInt64) throws {
    let stream = RandomStream(RandomRun(seed: seed, run: 0), cause: .userActivity)
    for number in 0..<600 {
      var draws = stream.draws(at: DrawAddress(.call, number: number))
      let count = Int(draws.next() % 9)
      let line = (0..<count).map { _ -> String in
        let word = Self.words[Int(draws.next() % UInt64(Self.words.count))]
        let glued = Self.words[Int(draws.next() % UInt64(Self.words.count))]
        return draws.next() % 4 == 0 ? word + glued : word
      }
      let arguments = CommandLineArguments(line)
      var problems = arguments.problems
      _ = try problems.collect { try RunCommand(arguments) }
      _ = try problems.collect { try TraceCommand(arguments) }
      _ = try problems.collect { try ShowCommand(arguments).text() }
      for problem in problems.list { #expect(!problem.message.isEmpty) }
    }
  }
}
