import SimCore
import Strategies

/// `simrun bench`: the speed of the simulator, through the same path as `simrun run`.
struct BenchCommand {
  private static let repetitions = 5
  private static let runs = 200_000

  /// The table; each figure is the best of several repetitions, which take turns.
  ///
  /// - Throws: nothing that a correct program throws.
  func text() async throws -> String {
    var lines = [
      "", "expired burst, one core".padded(to: 34) + "runs/s    events/s  of hand-written",
    ]
    for client in HandWrittenBurst.Client.allCases {
      let strategies = StrategyCatalog.all.filter {
        $0.counterpart == client
      }
      lines += try await compare(strategies, Self.burst, with: client)
    }
    lines += ["", "default scenario, one core"]
    for strategy in StrategyCatalog.all {
      lines.append(line(strategy.name, try await measure(strategy, Scenario()), nil))
    }
    lines += ["", try await scaling()]
    return lines.dropFirst().joined(separator: "\n") + "\n"
  }

  private struct Speed {
    var runs = 0.0
    var events = 0.0

    mutating func improve(_ other: Speed) {
      if other.runs > runs { self = other }
    }
  }

  private static var burst: Scenario {
    var scenario = Scenario()
    scenario.usage.opens = .expired
    scenario.usage.spread = .milliseconds(20)
    scenario.network.uplink = .logNormal(.median(.milliseconds(40), sigma: 0.5))
    scenario.network.downlink = scenario.network.uplink
    return scenario
  }

  private func compare(
    _ strategies: [Strategy], _ scenario: Scenario, with client: HandWrittenBurst.Client
  ) async throws -> [String] {
    var byHand = Speed()
    var speeds = strategies.map { _ in Speed() }
    for _ in 0..<Self.repetitions {
      byHand.improve(handWritten(client))
      for index in strategies.indices {
        speeds[index].improve(try await once(strategies[index], scenario, threads: 1))
      }
    }
    let name = "written by hand, \(client == .naive ? "naive" : "single-flight")"
    return [line(name, byHand, nil)]
      + zip(strategies, speeds).map { line($0.name, $1, $1.runs / byHand.runs) }
  }

  private func handWritten(_ client: HandWrittenBurst.Client) -> Speed {
    var burst = HandWrittenBurst(client, seed: 1)
    let seconds = ContinuousClock().measure {
      for _ in 0..<Self.runs { burst.run() }
    }.inSeconds
    return Speed(runs: Double(Self.runs) / seconds)
  }

  private func measure(_ strategy: Strategy, _ scenario: Scenario) async throws -> Speed {
    var speed = Speed()
    for _ in 0..<Self.repetitions {
      speed.improve(try await once(strategy, scenario, threads: 1))
    }
    return speed
  }

  private func once(
    _ strategy: Strategy, _ scenario: Scenario, threads: Int
  ) async throws -> Speed {
    let replications = Replications(
      cells: [.init(scenario) { strategy.client(in: scenario, process: $0) }], seed: 1,
      runs: Self.runs * threads)
    let start = ContinuousClock.now
    let outcome = try await replications.carryOut(threads: threads)
    let seconds = (ContinuousClock.now - start).inSeconds
    return Speed(
      runs: Double(outcome.runs) / seconds, events: Double(outcome.totals[0].events) / seconds)
  }

  private func scaling() async throws -> String {
    guard let naive = StrategyCatalog.all.first else { return "" }
    var one = Speed()
    var two = Speed()
    for _ in 0..<Self.repetitions {
      one.improve(try await once(naive, Self.burst, threads: 1))
      two.improve(try await once(naive, Self.burst, threads: 2))
    }
    return "two threads do \((two.runs / one.runs).short) times the work of one"
  }

  private func line(_ name: String, _ speed: Speed, _ share: Double?) -> String {
    let events = speed.events > 0 ? Int(speed.events).grouped : ""
    return "  \(name.padded(to: 28))\(Int(speed.runs).grouped.leftPadded(to: 10))"
      + "\(events.leftPadded(to: 12))\((share.map(\.short) ?? "").leftPadded(to: 17))"
  }
}

extension Strategy {
  /// The client written by hand that does as much in the burst; nil if none does.
  fileprivate var counterpart: HandWrittenBurst.Client? {
    switch decisions.merge {
    case .none: .naive
    case .singleFlight: checksBeforeUse ? .singleFlight : nil
    case .queue, .queueRechecking: nil
    }
  }
}
