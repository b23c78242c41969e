import SimCore

/// Moments of a timeline in options and files: `call@250ms`, `cancel(1)@30ms`, `call@0s x60 every 10s in 2`.
enum MomentText {
  private typealias Kind = Usage.Moment.Kind

  /// Every kind of moment, for the documentation.
  static let accepted =
    "call@250ms: the app starts a call; call@0s x60 every 10s: sixty, the first at 0; "
    + "call(alwaysRejected)@0s: one that is answered 401 whatever the token; "
    + "call(anonymous)@0s: one without a token; call(key=1)@0s: one that equals others with this key; "
    + "cancel(1)@30ms: the app cancels call 1; refresh@0s: the app orders a refresh; "
    + "leave@4s: the person leaves the app; return@2h: and comes back; "
    + "suspend@5s: the system suspends the app at once, until return; "
    + "offline@10s: the network is lost; online@20s: and back; clock(-1d)@60s: the clock is set back; "
    + "signOut@1h: the person signs out; signIn@2h: and in again, to a new session; "
    + "signIn(2)@2h: another person, user 2, signs in; "
    + "endAccess@0s: the server ends the access token, unknown to the client; "
    + "revoke@1h: an administrator revokes the session; "
    + "kill@5s: the system kills the process, and return launches it; "
    + "forceQuit@5s: the person ends it, and with it what the system carries on for it; "
    + "wake(30s)@1h: the system runs it in the background for 30 s, launching it if it is gone; "
    + "lock@5s: the device is locked; unlock@1h: and unlocked; "
    + "reboot@1d: the device starts anew, and is locked until unlock; "
    + "copyPair(2)@1h: the pair in its store is copied to that of process 2; "
    + "restoreStore@1d: something writes the first pair of the session into its store; "
    + "call@0s in 2, leave@4s in 2: what happens to process 2, with calls that count from 1 there"

  /// A list of moments, or one text that separates them by commas.
  static func timeline(most: Int) -> FieldCodec<[Usage.Moment]> {
    FieldCodec(
      accepted: "a list such as call@0s, leave@4s, return@2h; see simrun show timeline",
      encode: { .array($0.map { .string(text($0)) }) },
      decode: { value in
        let moments = try value.items(separatedBy: ",", moment)
        guard moments.reduce(0, { $0 + $1.times }) <= most else {
          throw FieldProblem("has more than \(most.grouped) moments")
        }
        for (index, pair) in zip(moments, moments.dropFirst()).enumerated()
        where pair.1.at < pair.0.at {
          throw FieldProblem(
            "goes backwards from \(text(pair.0)) to \(text(pair.1))", at: index + 1)
        }
        return moments
      })
  }

  static func text(_ moment: Usage.Moment) -> String {
    var text = "\(text(moment.kind))@\(moment.at.text)"
    if moment.times > 1 { text += " x\(moment.times)" }
    if moment.every != .zero { text += " every \(moment.every.text)" }
    if moment.process > 1 { text += " in \(moment.process)" }
    return text
  }

  private static func text(_ kind: Usage.Moment.Kind) -> String {
    switch kind {
    case .call(let call):
      let traits = [
        call.isAlwaysRejected ? "alwaysRejected" : nil,
        call.traits.needsToken ? nil : "anonymous",
        call.traits.key == 0 ? nil : "key=\(call.traits.key)",
      ].compactMap(\.self)
      return traits.isEmpty ? "call" : "call(\(traits.joined(separator: ", ")))"
    case .cancel(let number): return "cancel(\(number))"
    case .clock(let step): return "clock(\(step.text))"
    case .wake(let length): return "wake(\(length.text))"
    case .copyPair(let process): return "copyPair(\(process))"
    case .signIn(let user): return user == 1 ? "signIn" : "signIn(\(user))"
    case .refresh: return "refresh"
    case .leave: return "leave"
    case .return: return "return"
    case .suspend: return "suspend"
    case .offline: return "offline"
    case .online: return "online"
    case .signOut: return "signOut"
    case .endAccess: return "endAccess"
    case .revoke: return "revoke"
    case .kill: return "kill"
    case .forceQuit: return "forceQuit"
    case .lock: return "lock"
    case .unlock: return "unlock"
    case .reboot: return "reboot"
    case .restoreStore: return "restoreStore"
    }
  }

  private static let plain: [(name: String, kind: Usage.Moment.Kind)] = [
    ("refresh", .refresh), ("leave", .leave), ("return", .return), ("suspend", .suspend),
    ("offline", .offline), ("online", .online), ("signOut", .signOut), ("signIn", .signIn()),
    ("endAccess", .endAccess), ("revoke", .revoke), ("kill", .kill), ("forceQuit", .forceQuit),
    ("lock", .lock), ("unlock", .unlock), ("reboot", .reboot), ("restoreStore", .restoreStore),
  ]

  /// Numbers of calls, processes, and users.
  private static let number = FieldCodec.integer(1...1_000_000)

  private static func moment(_ text: String) throws -> Usage.Moment {
    guard let at = text.firstIndex(of: "@") else {
      throw FieldProblem("is not like call@250ms")
    }
    let words = text[text.index(after: at)...].split(separator: " ").map(String.init)
    var rest = words[...]
    let time = rest.popFirst() ?? ""
    let kind = try kind(String(text[..<at]).trimmed)
    var times = 1
    var every = Duration.zero
    if let word = rest.first, word.hasPrefix("x") {
      times = try FieldCodec.integer(1...1_000_000).decode(.string(String(word.dropFirst())))
      rest = rest.dropFirst()
    }
    if rest.first == "every", rest.count > 1 {
      every = try FieldCodec.duration.decode(.string(rest[rest.startIndex + 1]))
      rest = rest.dropFirst(2)
    }
    var process = 1
    if rest.first == "in", rest.count > 1 {
      process = try number.decode(rest[rest.startIndex + 1], as: "process")
      rest = rest.dropFirst(2)
    }
    guard rest.isEmpty else {
      throw FieldProblem(
        "has \"\(rest.joined(separator: " "))\" after its time; x60 every 10s in 2 could stand there"
      )
    }
    let moment = Usage.Moment(
      kind, at: try FieldCodec.duration.decode(.string(time)), times: times, every: every,
      process: process)
    guard moment.last <= .seconds(50 * 365 * 86_400) else {
      throw FieldProblem("ends later than after 50 years")
    }
    return moment
  }

  private static func kind(_ text: String) throws -> Usage.Moment.Kind {
    let (name, argument) = text.nameAndArgument
    switch (name, argument) {
    case ("call", let traits): return .call(try call(traits ?? ""))
    case ("cancel", let call?): return .cancel(try number.decode(.string(call)))
    case ("clock", let step?):
      return .clock(try FieldCodec.signedDuration.decode(.string(step)))
    case ("wake", let length?):
      return .wake(try FieldCodec.positiveDuration.decode(.string(length)))
    case ("copyPair", let process?): return .copyPair(to: try number.decode(.string(process)))
    case ("signIn", let user?): return .signIn(user: try number.decode(.string(user)))
    case ("cancel", nil): throw FieldProblem("needs the number of a call, as in cancel(1)")
    case ("clock", nil): throw FieldProblem("needs how far the clock is set, as in clock(-1d)")
    case ("wake", nil): throw FieldProblem("needs how long the code runs, as in wake(30s)")
    case ("copyPair", nil):
      throw FieldProblem("needs the number of a process, as in copyPair(2)")
    case (_, nil):
      if let kind = plain.first(where: { $0.name == name })?.kind { return kind }
      let names = ["call", "cancel", "clock", "wake", "copyPair"] + plain.map(\.name)
      throw FieldProblem(
        "is unknown; use \(names.alternatives).\(name.suggestion(from: names))")
    default: throw FieldProblem("takes nothing in brackets")
    }
  }

  private static func call(_ traits: String) throws -> Usage.Moment.Call {
    var call = Usage.Moment.Call()
    for trait in try traits.pieces(at: ",") where !trait.isEmpty {
      switch trait {
      case "alwaysRejected": call.isAlwaysRejected = true
      case "anonymous": call.traits.needsToken = false
      case _ where trait.hasPrefix("key="):
        call.traits.key = Int32(try number.decode(.string(String(trait.dropFirst(4)))))
      default:
        throw FieldProblem(
          "has the unknown trait \"\(trait)\"; use alwaysRejected, anonymous, or key=1")
      }
    }
    return call
  }
}
