import SimCore
import Strategies

/// Decisions in files.
enum DecisionsText {
  static let check = FieldCodec<ClientProfile.Check>(
    accepted: "none, or a duration, which may be negative",
    encode: {
      switch $0 {
      case .none: "none"
      case .margin(let margin): .string(margin.text)
      }
    },
    decode: { $0 == "none" ? .none : .margin(try FieldCodec.signedDuration.decode($0)) })

  /// A list of durations.
  static let pauses = FieldCodec<[Duration]>(
    accepted: "a list of durations, such as 500ms, 1s",
    encode: { .array($0.map { .string($0.text) }) },
    decode: { value in
      let pauses = try value.items(separatedBy: ",") { try FieldCodec.duration.decode(.string($0)) }
      guard pauses.count <= 1000 else { throw FieldProblem("has more than 1,000 pauses") }
      return pauses
    })

  static let quota = FieldCodec<Decisions.Quota?>(
    accepted: "none, or a number of refreshes in a duration, such as 5 in 30s",
    encode: { $0.map { .string("\($0.refreshes) in \($0.window.text)") } ?? "none" },
    decode: { value in
      if value == "none" || value == .null { return nil }
      let words = value.typed.split(separator: " ").map(String.init)
      guard words.count == 3, words[1] == "in" else { throw FieldProblem("is not like 5 in 30s") }
      return Decisions.Quota(
        refreshes: try FieldCodec.integer(0...1_000_000).decode(.string(words[0])),
        window: try FieldCodec.positiveDuration.decode(.string(words[2])))
    })

  private static let acceptedSchedules =
    "none, oneShot(margin=60s, floor=15s, jitter=0s), chain(margin=60s), or "
    + "tick(every=30s, first=30s, threshold=90s)"

  static let schedule = FieldCodec<Decisions.Schedule>(
    accepted: acceptedSchedules, encode: { .string(text($0)) }, decode: decodeSchedule)

  private static func text(_ schedule: Decisions.Schedule) -> String {
    func timer(_ name: String, _ margin: Duration, _ floor: Duration, _ jitter: Duration) -> String
    {
      "\(name)(margin=\(margin.text), floor=\(floor.text), jitter=\(jitter.text))"
    }
    return switch schedule {
    case .none: "none"
    case .oneShot(let margin, let floor, let jitter): timer("oneShot", margin, floor, jitter)
    case .chain(let margin, let floor, let jitter): timer("chain", margin, floor, jitter)
    case .tick(let every, let first, let threshold):
      "tick(every=\(every.text), first=\(first.text), threshold=\(threshold.text))"
    }
  }

  private static func decodeSchedule(_ value: JSONValue) throws -> Decisions.Schedule {
    let (name, argument) = value.typed.nameAndArgument
    if name == "none", argument == nil { return .none }
    let names = ["oneShot", "chain", "tick"]
    guard names.contains(name) else {
      throw FieldProblem("is unknown; use \(acceptedSchedules).\(name.suggestion(from: names))")
    }
    var arguments = try NamedArguments(argument ?? "", like: "margin=60s")
    let schedule: Decisions.Schedule
    if name == "tick" {
      let every = try arguments.duration("every", .positiveDuration)
      schedule = .tick(
        every: every, first: try arguments.valueIfThere("first", .duration) ?? every,
        threshold: try arguments.duration("threshold", .signedDuration))
    } else {
      let margin = try arguments.duration("margin", .signedDuration)
      let floor = try arguments.valueIfThere("floor", .duration) ?? .zero
      let jitter = try arguments.valueIfThere("jitter", .duration) ?? .zero
      schedule =
        name == "chain"
        ? .chain(margin: margin, floor: floor, jitter: jitter)
        : .oneShot(margin: margin, floor: floor, jitter: jitter)
    }
    try arguments.finish()
    return schedule
  }

  private static let acceptedLocks =
    "none, or lock(scope=\(CrossProcessLock.Scope.allCases.map { "\($0)" }.alternatives), "
    + "leak=a share, whileSuspended=\(CrossProcessLock.WhileSuspended.allCases.map { "\($0)" }.alternatives))"

  /// A lock of processes, or none; what is not given has its default.
  static let lock = FieldCodec<CrossProcessLock?>(
    accepted: acceptedLocks,
    encode: { lock in
      lock.map {
        .string(
          "lock(scope=\($0.scope), leak=\($0.leak.exact), whileSuspended=\($0.whileSuspended))")
      } ?? "none"
    },
    decode: { value in
      if value == .null || value == "none" { return nil }
      let (name, argument) = value.typed.nameAndArgument
      guard name == "lock" else {
        throw FieldProblem(
          "is unknown; use \(acceptedLocks).\(name.suggestion(from: ["none", "lock"]))")
      }
      var arguments = try NamedArguments(argument ?? "", like: "scope=store")
      var lock = CrossProcessLock()
      lock.scope = try arguments.valueIfThere("scope", .choice()) ?? lock.scope
      lock.leak = try arguments.valueIfThere("leak", .share) ?? lock.leak
      lock.whileSuspended =
        try arguments.valueIfThere("whileSuspended", .choice()) ?? lock.whileSuspended
      try arguments.finish()
      return lock
    })
}

extension Double {
  /// The shortest decimal that reads back as the same number; whole numbers without a fraction.
  fileprivate var exact: String { JSONValue.number(self).text() }
}
