/// What can be waiting in the queue.
///
/// Numbers are slots of the table that the name suggests.
enum SimulationEvent {
  case firstPairRead
  case screenOpens
  case callStarts
  case attemptArrives(Int32)
  case attemptAnswered(Int32)
  case attemptDeadline(Int32)
  case refreshArrives(Int32)
  case refreshCommits(Int32)
  case refreshAnswered(Int32)
  case refreshDeadline(Int32)
  case timerFires(RefreshID)
  case personLeaves
  case personReturns
  /// The number is that of the visit that ended.
  case suspensionDue(Int32)
  case taskBudgetEnds(Int32)
  case suspensionForced
  case revocationRequested
}
