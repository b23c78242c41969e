import SimCore

// What happens to processes, devices, and stores.

extension Dice {
  mutating func processes() -> [ProcessPlan] {
    guard happens(0.5) else { return [ProcessPlan()] }
    let others = list(3) { dice in
      ProcessPlan(
        device: dice.roll(1...2), session: dice.pick(), store: dice.pick(), start: dice.pick())
    }
    return [ProcessPlan(start: happens(0.9) ? .running : .launchedLater)] + others
  }

  /// What happens in a timeline to a process or its device.
  mutating func lifeKind(processes: Int) -> Usage.Moment.Kind {
    switch roll(0...9) {
    case 0, 1: .kill
    case 2: .forceQuit
    case 3, 4: .wake(milliseconds(0...10_000))
    case 5: .lock
    case 6: .unlock
    case 7: .reboot
    case 8: .copyPair(to: roll(1...processes))
    default: .restoreStore
    }
  }

  mutating func writePin(_ number: Int) -> Usage.Pin {
    var pin = Usage.Pin(.write(number))
    pin.fails = maybe { $0.happens() }
    pin.duration = maybe { $0.milliseconds(0...3000) }
    return pin
  }

  mutating func store() -> StorePolicy {
    StorePolicy(
      write: happens() ? .constant(.zero) : delay(0...3000),
      read: happens() ? .constant(.zero) : delay(0...1000), failures: pick([0, 0, 0.2]),
      clearingSeen: pick())
  }

  mutating func live(_ policy: inout LifecyclePolicy) {
    policy.socketSurvives = pick([.zero, .zero, .seconds(3)])
    policy.killedAfter = maybe(0.4) { $0.delay(0...20_000) }
    policy.locks = pick([0, 0.6])
    policy.lockedAfter = delay(0...5000)
    policy.wakes = maybe(0.3) { .sum([.constant(.milliseconds(100)), $0.delay(500...20_000)]) }
    policy.wakeLength = milliseconds(0...10_000)
    policy.wakeCalls = roll(0...3)
  }

  /// A person's days, or a fleet, in which a day lasts no longer than the horizon.
  mutating func visit(_ scenario: inout Scenario) {
    scenario.usage.callers = roll(1...5)
    scenario.usage.spread = milliseconds(0...500)
    scenario.usage.visit = delay(100...20_000)
    scenario.usage.gap = .sum([.constant(.milliseconds(1)), delay(100...30_000)])
    scenario.usage.night = pick([.zero, .seconds(86_400 - 20)])
    scenario.usage.whileOpen = maybe {
      .sum([.constant(.milliseconds(10)), $0.delay(500...10_000)])
    }
    scenario.usage.clients = roll(1...12)
    scenario.usage.provisionedOver = milliseconds(0...10_000)
    scenario.usage.callsFrom = milliseconds(0...10_000)
  }
}
