/// The folds over the facts of one run.
struct Observation: ~Copyable {
  private(set) var fingerprint = Fingerprint()
  private(set) var tallier: Tallier
  private(set) var invariants: Invariants
  /// The facts themselves, where someone wants to read them.
  private(set) var trace: Trace?

  /// The folds for a server, and for processes on devices with stores as ``Tallier/init(devices:stores:)``
  /// takes them.
  init(_ policy: ServerPolicy, devices: [Int32] = [0], stores: [Int32]? = nil) {
    tallier = Tallier(devices: devices, stores: stores)
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
    trace?.signOuts = tallier.signOuts.elements
    invariants.finish(wasCutShort: wasCutShort)
  }
}
