import SimCore

/// Timers: retries, deadlines, and refreshes on a schedule.
extension DescribedClient {
  mutating func timerFired(
    _ id: TimerID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    let name = TimerName(id)
    switch name.purpose {
    case .retry:
      // The flight may be over, and its slot free or another's.
      guard flights.slots.contains(name.slot), flights[name.slot].number == name.serial
      else { return }
      tryAgain(RefreshID(slot: name.slot), now, &effects)
    case .waiterDeadline: waitedTooLong(name.slot, deadline: name.serial, &effects)
    case .schedule: if name.serial == armed { refreshOnSchedule(now, &effects) }
    case .tick: if name.serial == armed { tick(now, &effects) }
    }
  }

  /// The pause before a refresh is sent again, or its pair written again, is over.
  private mutating func tryAgain(
    _ id: RefreshID, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    switch flights[id.slot].stage {
    // The pair may have been replaced in the meantime.
    case .sent where decisions.rereads.contains(.beforeSending): readFirst(id, now, &effects)
    case .sent: post(id, now, &effects)
    case .writing, .writingInUse: writeAgain(id, now, &effects)
    case .awaitingLock, .reading, .rejected, .over: break
    }
  }

  private mutating func refreshOnSchedule(
    _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    guard let held else { return }
    if case .margin(let margin) = decisions.scheduleCheck,
      timeLeft(held, now) > margin.nanoseconds
    {
      return
    }
    refreshUnasked(isScheduled: true, now, &effects)
  }

  private mutating func tick(_ now: ClockReading, _ effects: inout ClientEffects) {
    guard case .tick(let every, _, _) = decisions.schedule else { return }
    arm(.tick, after: every.nanoseconds, &effects)
    if decisions.rereads.contains(.tick) {
      read(.tick, &effects)
    } else {
      refreshAtTick(now, &effects)
    }
  }

  /// A tick refreshes if no more than its threshold is left of the pair in memory.
  mutating func refreshAtTick(_ now: ClockReading, _ effects: inout ClientEffects) {
    guard case .tick(_, _, let threshold) = decisions.schedule,
      let held, timeLeft(held, now) <= threshold.nanoseconds
    else { return }
    refreshUnasked(isScheduled: true, now, &effects)
  }

  /// Arms the refresh of a new pair; ticks begin with a sign-in, or as the process starts with a pair.
  mutating func armSchedule(
    isStart: Bool, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    switch decisions.schedule {
    case .none: break
    case .tick(_, let first, _):
      if isStart {
        armed += 1
        arm(.tick, after: first.nanoseconds, &effects)
      }
    case .oneShot(let margin, let floor, let jitter), .chain(let margin, let floor, let jitter):
      guard let held else { return }
      armed += 1
      let early = self.jitter(upTo: jitter.nanoseconds, held.access?.number ?? 0, for: 2)
      let pause = timeLeft(held, now) - margin.nanoseconds - early
      arm(.schedule, after: max(0, floor.nanoseconds, pause), &effects)
    }
  }

  /// Arms the next refresh after one has brought a pair: a chain only after its own.
  mutating func armSchedule(
    after flight: Flight, _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    if case .chain = decisions.schedule, !flight.isScheduled { return }
    armSchedule(isStart: false, now, &effects)
  }

  private func arm(
    _ purpose: TimerName.Purpose, after nanoseconds: Int64, _ effects: inout ClientEffects
  ) {
    effects.append(
      .setTimer(
        TimerName(purpose, serial: armed, slot: 0).id, nanoseconds: nanoseconds, .schedule))
  }
}

/// What the name of a timer says.
struct TimerName {
  enum Purpose: Int64 {
    case retry
    case waiterDeadline
    case schedule
    case tick
  }

  let purpose: Purpose
  /// Tells a timer from an earlier one for the same slot.
  let serial: Int32
  let slot: Int32

  init(_ purpose: Purpose, serial: Int32, slot: Int32) {
    self.purpose = purpose
    self.serial = serial
    self.slot = slot
  }

  /// The parts of a name that ``id`` made.
  init(_ id: TimerID) {
    purpose = Purpose(rawValue: id.name >> 56) ?? .retry
    serial = Int32(truncatingIfNeeded: id.name >> 24)
    slot = Int32(truncatingIfNeeded: id.name & 0xff_ffff)
  }

  var id: TimerID {
    TimerID(name: purpose.rawValue << 56 | Int64(serial) << 24 | Int64(slot))
  }
}
