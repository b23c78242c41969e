/// An event and the process that it happens to, by its position.
struct ScheduledEvent: BitwiseCopyable {
  let event: SimulationEvent
  let process: UInt16
}

/// What can be waiting in the queue.
///
/// Numbers are slots of the table that the name suggests. No payload is wider than 32 bits, which keeps the
/// entries of the queue small.
enum SimulationEvent: BitwiseCopyable {
  case firstPairRead
  case screenOpens
  case callStarts
  /// The number of the call, from 1.
  case nextSteadyCall(Int32)
  /// The number of the visit that it belongs to; 0 in a fleet.
  case nextCallWhileOpen(Int32)
  /// A client of a fleet signs in.
  case clientSignsIn
  /// The position of a moment of the timeline.
  case moment(Int32)
  /// The position of a step of the clock.
  case clockSteps(Int32)
  case messageLeaves(Int32)
  case messageArrives(Int32)
  case exchangeCommits(Int32)
  case answerArrives(Int32)
  /// The system tells the client that there is no connection.
  case connectionFails(Int32)
  case deadlinePasses(Int32)
  case storeWritten(Int32)
  case storeRead(Int32)
  /// Another process has cleared the store.
  case storeClearedByOther
  case lockGranted
  case deviceUnlocked
  case timerFires(Int32)
  case scheduleFires(Int32)
  /// The number of the call.
  case pauseEnds(Int32)
  case personLeaves
  case personReturns
  /// The number is that of the visit that ended, here and below.
  case suspensionDue(Int32)
  case taskBudgetEnds(Int32)
  case killDue(Int32)
  /// The number is that of the departure.
  case deviceLocks(Int32)
  /// The number of the wake in the background.
  case wakeDue(Int32)
}

extension SimulationEvent {
  /// Whether it is something that the app's code does, and so waits while that is stopped.
  func needsCode(_ world: World) -> Bool {
    switch self {
    case .callStarts, .nextSteadyCall, .timerFires, .scheduleFires, .pauseEnds, .storeWritten,
      .storeRead, .storeClearedByOther, .lockGranted, .deviceUnlocked:
      true
    case .moment(let index): world.scenario.usage.timeline[Int(index)].kind.needsCode
    default: false
    }
  }

  /// Whether a process that is gone is started for it.
  func launches(_ world: World) -> Bool {
    switch self {
    case .nextSteadyCall: return true
    case .moment(let index):
      switch world.scenario.usage.timeline[Int(index)].kind {
      case .call, .refresh, .signIn, .signOut: return true
      default: return false
      }
    default: return false
    }
  }

  /// Whether it is for the code that runs now, and nothing to one that is gone.
  var isForClient: Bool {
    switch self {
    case .callStarts, .storeClearedByOther, .lockGranted, .deviceUnlocked: true
    default: false
    }
  }

  /// Whether a call of the app begins with it.
  func startsCall(_ world: World) -> Bool {
    switch self {
    case .callStarts, .nextSteadyCall: true
    case .moment(let index):
      if case .call = world.scenario.usage.timeline[Int(index)].kind { true } else { false }
    default: false
    }
  }
}

extension Usage.Moment.Kind {
  fileprivate var needsCode: Bool {
    switch self {
    case .call, .cancel, .refresh, .signOut, .signIn: true
    case .leave, .return, .suspend, .offline, .online, .clock, .endAccess, .revoke, .kill,
      .forceQuit,
      .wake, .lock, .unlock, .reboot, .copyPair, .restoreStore:
      false
    }
  }
}
