/// What the system does with an app that the person leaves.
extension Simulation {
  mutating func personLeaves() {
    guard process.lifecycle.isForeground else { return }
    process.visit += 1
    process.lifecycle.leave(at: now)
    tell(.appLeft)
    let visit = DrawAddress(.visit, number: Int(process.visit), part: 2)
    let delay = world.suspendAfter.sample(streams.lifecycle, at: visit)
    _ = schedule(.suspensionDue(process.visit), after: delay, drawnFrom: .suspendAfter)
    guard world.scenario.usage.kind == .opening else { return }
    let absence = DrawAddress(.visit, number: Int(process.visit), part: 1)
    let length = world.returns.sample(streams.lifecycle, at: absence)
    _ = schedule(.personReturns, after: length, drawnFrom: .returns)
  }

  mutating func personReturns() {
    guard !process.lifecycle.isForeground else { return }
    let wasSuspended = process.lifecycle.resume()
    tell(.appReturned(afterSuspension: wasSuspended))
    if wasSuspended { resumeCode() }
    if world.scenario.usage.kind == .opening, now < world.horizon { openScreen() }
  }

  /// A suspension kills connections: pending requests fail first, then what is overdue happens.
  private mutating func resumeCode() {
    if let since = process.asleepSince { process.asleep += now.nanoseconds - since.nanoseconds }
    process.asleepSince = nil
    connection.close()
    failPendingRequests()
    let overdue = process.overdue.elements
    process.overdue.removeAll()
    for event in overdue { dispatch(event) }
  }

  mutating func suspensionFallsDue(_ visit: Int32) {
    guard visit == process.visit else { return }
    follow(process.lifecycle.suspensionFallsDue(at: now))
  }

  mutating func taskBudgetEnds(_ visit: Int32) {
    guard visit == process.visit else { return }
    follow(process.lifecycle.budgetEnds())
  }

  mutating func follow(_ consequence: AppLifecycle.Consequence) {
    switch consequence {
    case .nothing: break
    case .suspend: codeStops()
    case .heldOff(let end):
      tell(.suspensionHeldOff)
      _ = schedule(
        .taskBudgetEnds(process.visit), after: end.nanoseconds - now.nanoseconds,
        drawnFrom: .backgroundBudget)
    case .expireTaskAndSuspend:
      tell(.backgroundTaskExpired)
      deliver(.backgroundTaskExpired)
      codeStops()
    }
  }

  private mutating func codeStops() {
    process.asleepSince = now
    tell(.appSuspended)
  }
}
