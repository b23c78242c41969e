import SimCore

/// What a timeline says of processes that are not there and of devices that are locked already.
///
/// Who has left cannot leave, and who has not cannot return; a process that is gone comes back by `return` or
/// by `wake`.
struct PresenceCheck {
  /// What is known of a process.
  private struct Presence {
    var isThere: Bool
    var isAway = false
    var isSuspended = false
  }

  private let plans: [ProcessPlan]
  /// Whether the device also locks by itself, so that nobody knows whether it is.
  private let locksItself: Bool
  private var presence: [Presence]
  private var lockedDevices: Set<Int> = []

  private init(_ scenario: Scenario) {
    plans = scenario.processes
    locksItself = scenario.lifecycle.locks > 0
    presence = plans.map { Presence(isThere: $0.start == .running) }
  }

  /// The first moment of a timeline that cannot happen, as a clause.
  ///
  /// - Parameter scenario: a scenario whose moments name no process that there is not.
  /// - Returns: the moment and why it cannot happen; nil if all can.
  static func problem(of scenario: Scenario) -> String? {
    let moments = scenario.usage.timeline.flatMap { moment in
      (0..<moment.times).map { (at: moment.at + moment.every * $0, moment: moment) }
    }
    var check = PresenceCheck(scenario)
    // What happens at one instant happens in the order of the list, which the sorting keeps.
    for (at, moment) in moments.sorted(by: { $0.at < $1.at }) {
      if let problem = check.problem(moment) {
        let shown = Usage.Moment(moment.kind, at: at, process: moment.process)
        return "\(MomentText.text(shown)), but \(problem)"
      }
    }
    return nil
  }

  /// Lets a moment happen, or says why it cannot.
  private mutating func problem(_ moment: Usage.Moment) -> String? {
    let index = moment.process - 1
    switch moment.kind {
    case .leave, .suspend, .kill, .forceQuit:
      guard presence[index].isThere else {
        return "process \(moment.process) is not there; return or wake launches it"
      }
      return departure(moment.kind, &presence[index])
    case .return:
      let process = presence[index]
      guard !process.isThere || process.isAway || process.isSuspended else {
        return "the person has not left; put leave, suspend, or kill before it"
      }
      presence[index] = Presence(isThere: true)
    case .wake where !presence[index].isThere:
      presence[index] = Presence(isThere: true, isAway: true)
    case .lock, .unlock, .reboot: return locking(moment.kind, plans[index].device)
    default: break
    }
    return nil
  }

  private func departure(_ kind: Usage.Moment.Kind, _ process: inout Presence) -> String? {
    switch kind {
    case .leave:
      if process.isAway { return "the person has left already" }
      process.isAway = true
    case .suspend: process.isSuspended = true
    default: process = Presence(isThere: false)
    }
    return nil
  }

  private mutating func locking(_ kind: Usage.Moment.Kind, _ device: Int) -> String? {
    if kind == .reboot {
      for index in plans.indices where plans[index].device == device {
        presence[index] = Presence(isThere: false)
      }
      lockedDevices.insert(device)
      return nil
    }
    let isLocked = lockedDevices.contains(device)
    guard locksItself || isLocked == (kind == .unlock) else {
      return isLocked
        ? "device \(device) is locked already"
        : "device \(device) is not locked; put lock or reboot before it"
    }
    if kind == .lock { lockedDevices.insert(device) } else { lockedDevices.remove(device) }
    return nil
  }
}
