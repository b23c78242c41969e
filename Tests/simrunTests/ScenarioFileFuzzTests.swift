import Foundation
import SimCore
import Testing

@testable import simrun

/// Files of the repository with bytes changed at random: they are read, or a problem with a place is told.
struct ScenarioFileFuzzTests {
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `No file crashes the decoder`(seed: UInt64) throws {
    let stream = RandomStream(RandomRun(seed: seed, run: 0), cause: .userActivity)
    let files = ExperimentTests.files("cases")
    let words =
      ScenarioField.all.map(\.path) + DecisionField.all.map(\.path) + [
        "variants", "expect", "preset", "{", "}", "[", "]", "null", "-1", "1e999", "\"\"", "'x'",
        "call@0s x99999999",
        "logNormal(mean=2s, sigma=0.5)", "mixture(0.5: 1s, 0.5: 2s)", "cap(1s, at=2s)", "unlimited",
        "none",
        "refresh 1: lost=answer", "tick(every=1s, threshold=1s)", "5 in 30s",
        "uniform(from=2s,to=1s)",
      ]
    for number in 0..<150 {
      var draws = stream.draws(at: DrawAddress(.call, number: number))
      let file = files[Int(draws.next() % UInt64(files.count))]
      var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
      for _ in 0...draws.next() % 4 {
        let place = Int(draws.next() % UInt64(bytes.count))
        switch draws.next() % 4 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: draws.next())
        case 1: bytes.remove(at: place)
        case 2:
          bytes.insert(contentsOf: words[Int(draws.next() % UInt64(words.count))].utf8, at: place)
        default:
          bytes.replaceSubrange(
            place..<min(bytes.count, place + 12),
            with: words[Int(draws.next() % UInt64(words.count))].utf8)
        }
      }
      do {
        var reader = try JSON5Reader(bytes)
        _ = try Experiment(reader.read(), file: "f.json5")
      } catch let problems as Problems {
        #expect(
          problems.list.allSatisfy { $0.message.hasPrefix("f.json5:") },
          "seed \(seed), number \(number)")
      } catch is JSON5Problem {
      }
    }
  }
}
