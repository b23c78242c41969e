import SimCore

/// Processes in options and files: `main`, or settings such as `device=2, session=child`.
enum ProcessText {
  /// The most processes of a scenario.
  static let most = 32

  /// Every setting of a process, for the documentation.
  static let accepted =
    "main: a process like the first, which shares its device, its pair, and its store; "
    + "device=2: the number of its device, from 1 (1); "
    + "session=first: it begins with a copy of the first pair of process 1, the default; "
    + "session=own: with a login of its own by the same person; "
    + "session=child: with a login of its own that ends with the session of process 1; "
    + "session=none: with no session; "
    + "store=shared: it shares its store with the other processes of its device that do, the default; "
    + "store=own: it has a store of its own; "
    + "start=running: it runs as the run begins, with the pair in its memory, the default; "
    + "start=launchedLater: it is not there until something launches it, with the pair in its store"

  /// The processes, separated by semicolons, or a list of them.
  static let codec = FieldCodec<[ProcessPlan]>(
    accepted:
      "a list such as main; device=2, session=child, store=own, start=launchedLater; "
      + "see simrun show processes",
    encode: { .array($0.map { .string(text($0)) }) },
    decode: { value in
      let plans = try value.items(separatedBy: ";", plan)
      guard !plans.isEmpty else {
        throw FieldProblem("is empty; there is at least one process, such as main")
      }
      guard plans.count <= most else { throw FieldProblem("has more than \(most) processes") }
      return plans
    })

  private static func text(_ plan: ProcessPlan) -> String {
    let usual = ProcessPlan()
    let settings = [
      plan.device == usual.device ? nil : "device=\(plan.device)",
      plan.session == usual.session ? nil : "session=\(plan.session)",
      plan.store == usual.store ? nil : "store=\(plan.store)",
      plan.start == usual.start ? nil : "start=\(plan.start)",
    ].compactMap(\.self)
    return settings.isEmpty ? "main" : settings.joined(separator: ", ")
  }

  private static func plan(_ text: String) throws -> ProcessPlan {
    var plan = ProcessPlan()
    if text == "main" || text.isEmpty { return plan }
    var settings = try NamedArguments(text, like: "device=2, or main alone")
    plan.device = try settings.valueIfThere("device", .integer(1...most)) ?? plan.device
    plan.session = try settings.valueIfThere("session", .choice()) ?? plan.session
    plan.store = try settings.valueIfThere("store", .choice()) ?? plan.store
    plan.start = try settings.valueIfThere("start", .choice()) ?? plan.start
    try settings.finish()
    return plan
  }
}
