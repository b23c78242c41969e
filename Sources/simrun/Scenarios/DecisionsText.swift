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
    var arguments = try NamedArguments(argument ?? "")
    let schedule: Decisions.Schedule
    if name == "tick" {
      let every = try arguments.duration("every", .positiveDuration)
      schedule = .tick(
        every: every, first: try arguments.durationIfThere("first") ?? every,
        threshold: try arguments.duration("threshold", .signedDuration))
    } else {
      let margin = try arguments.duration("margin", .signedDuration)
      let floor = try arguments.durationIfThere("floor") ?? .zero
      let jitter = try arguments.durationIfThere("jitter") ?? .zero
      schedule =
        name == "chain"
        ? .chain(margin: margin, floor: floor, jitter: jitter)
        : .oneShot(margin: margin, floor: floor, jitter: jitter)
    }
    try arguments.finish()
    return schedule
  }
}

/// The arguments in the brackets of a short form, such as `margin=60s, floor=15s`.
private struct NamedArguments {
  private var values: [(name: String, value: String)] = []

  init(_ text: String) throws {
    for piece in try text.pieces(at: ",") where !piece.isEmpty {
      let parts = piece.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
      guard parts.count == 2 else {
        throw FieldProblem("has \"\(piece)\", which is not like margin=60s")
      }
      values.append((parts[0], parts[1]))
    }
  }

  mutating func durationIfThere(_ name: String) throws -> Duration? {
    guard values.contains(where: { $0.name == name }) else { return nil }
    return try duration(name, .duration)
  }

  mutating func duration(_ name: String, _ codec: FieldCodec<Duration>) throws -> Duration {
    guard let index = values.firstIndex(where: { $0.name == name }) else {
      throw FieldProblem("needs \(name), a duration")
    }
    let text = values.remove(at: index).value
    do {
      return try codec.decode(.string(text))
    } catch let problem as FieldProblem {
      throw FieldProblem("has the \(name) \"\(text)\", which \(problem.clause)")
    }
  }

  func finish() throws {
    guard let extra = values.first else { return }
    throw FieldProblem("has the unknown parameter \"\(extra.name)\", or has it twice")
  }
}
