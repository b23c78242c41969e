import Foundation
import SimCore
import Strategies
import Testing

struct DumpTests {
  @Test func dump() throws {
    guard let s = ProcessInfo.processInfo.environment["S"] else { return }
    let e = ProcessInfo.processInfo.environment
    var dice = Dice(seed: UInt64(s)!, number: Int(e["N"]!)!)
    let decisions = dice.decisions()
    let scenario = dice.scenario(hasSchedule: decisions.schedule != .none)
    FileHandle.standardError.write(Data("\(decisions)\n\(scenario)\n".utf8))
    let strategy = Strategy(name: "random", summary: "", takesMargin: true, decisions: decisions)
    var simulation = Simulation(scenario, seed: UInt64(s)!) { strategy.client(in: scenario, process: $0) }
    for entry in try simulation.trace(UInt64(e["R"]!)!).entries {
      FileHandle.standardError.write(Data("\(entry.instant.nanoseconds) \(entry.process) \(entry.fact)\n".utf8))
    }
  }
}
