/// The folds over the facts of one run.
struct Observation: ~Copyable {
  private(set) var fingerprint = Fingerprint()
  private(set) var tallier = Tallier()
  private(set) var invariants: Invariants
  /// The facts themselves, where someone wants to read them.
  private(set) var trace: Trace?

  init(_ policy: ServerPolicy) {
    invariants = Invariants(policy)
  }

  mutating func reset(recording: Bool) {
    fingerprint = Fingerprint()
    tallier.reset()
    invariants.reset()
    trace = recording ? Trace() : nil
  }

  @inline(__always)
  mutating func observe(_ fact: Fact, at now: Instant, by process: Int32) {
    fingerprint.observe(fact, at: now, by: process)
    tallier.observe(fact, at: now, by: process)
    invariants.observe(fact, at: now)
    if trace != nil {
      trace?.entries.append(Trace.Entry(instant: now, fact: fact, process: Int(process) + 1))
    }
  }

  /// Folds what only the end of the run decides; a run cut short leaves requests unjudged.
  mutating func finish(wasCutShort: Bool) {
    tallier.finish()
    invariants.finish(wasCutShort: wasCutShort)
  }
}
