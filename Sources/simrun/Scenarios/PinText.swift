import SimCore

/// Pinned requests in options and files: `refresh 1: downlink=2s, lost=answer` or `call 3 attempt 2: answer=serverError`.
enum PinText {
  /// Every part of a pin, for the documentation.
  static let accepted =
    "refresh 1: …, call 3: …, call 3 attempt 2: …, or write 1: …, with one or more of these after the colon, separated by commas; "
    + "process 2 refresh 1: …: one of process 2, whose requests and writes count from 1; "
    + "connecting=100ms: how long the connection takes to open before it leaves the device; "
    + "uplink=50ms: how long the request is on its way; processing=5ms: how long the token endpoint works on it; "
    + "downlink=2s: how long the answer is on its way; "
    + "lost=\(Usage.Pin.Loss.allCases.map { "\($0)" }.alternatives): the message that is lost; "
    + "answer=\(Usage.Pin.Answer.allCases.map { "\($0)" }.alternatives): what the server answers; "
    + "retryAfter=5s: the Retry-After of that answer; "
    + "fails=true: a write of a pair to the store fails; duration=200ms: how long a write takes"

  static let codec = FieldCodec<[Usage.Pin]>(
    accepted:
      "a list such as refresh 1: lost=answer; call 3: answer=serverError; write 1: fails=true; "
      + "see simrun show pins",
    encode: { .array($0.map { .string(text($0)) }) },
    decode: { value in
      let pins = try value.items(separatedBy: ";", pin)
      for (index, pin) in pins.enumerated()
      where pins[..<index].contains(where: {
        $0.subject == pin.subject && $0.process == pin.process
      }) {
        throw FieldProblem("pins \(name(pin)) twice", at: index)
      }
      return pins
    })

  /// What is pinned, with its process unless that is the first.
  static func name(_ pin: Usage.Pin) -> String {
    (pin.process == 1 ? "" : "process \(pin.process) ") + text(pin.subject)
  }

  private static func text(_ subject: Usage.Pin.Subject) -> String {
    switch subject {
    case .call(let call, attempt: 1): "call \(call)"
    case .call(let call, let attempt): "call \(call) attempt \(attempt)"
    case .refresh(let refresh): "refresh \(refresh)"
    case .write(let write): "write \(write)"
    }
  }

  private static func text(_ pin: Usage.Pin) -> String {
    let settings = [
      pin.connecting.map { "connecting=\($0.text)" }, pin.uplink.map { "uplink=\($0.text)" },
      pin.processing.map { "processing=\($0.text)" }, pin.downlink.map { "downlink=\($0.text)" },
      pin.lost.map { "lost=\($0)" }, pin.answer.map { "answer=\($0)" },
      pin.retryAfter.map { "retryAfter=\($0.text)" }, pin.fails.map { "fails=\($0)" },
      pin.duration.map { "duration=\($0.text)" },
    ].compactMap(\.self)
    return "\(name(pin)): \(settings.joined(separator: ", "))"
  }

  private static func pin(_ text: String) throws -> Usage.Pin {
    guard let colon = text.firstIndex(of: ":") else {
      throw FieldProblem("is not like refresh 1: lost=answer")
    }
    var words = text[..<colon].split(separator: " ").map(String.init)[...]
    var process = 1
    if words.first == "process", words.count > 1 {
      process = try numbers.decode(words[1], as: "process")
      words = words.dropFirst(2)
    }
    var pin = Usage.Pin(try subject(Array(words)), process: process)
    let settings = try String(text[text.index(after: colon)...]).pieces(at: ",")
    for setting in settings where !setting.isEmpty {
      let parts = setting.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
      guard parts.count == 2 else {
        throw FieldProblem("has \"\(setting)\", which is not like uplink=50ms")
      }
      try set(parts[0], to: .string(parts[1]), in: &pin)
    }
    return pin
  }

  private static let numbers = FieldCodec.integer(1...1_000_000)

  private static func subject(_ words: [String]) throws -> Usage.Pin.Subject {
    switch (words.first, words.count) {
    case ("refresh", 2): return .refresh(try numbers.decode(.string(words[1])))
    case ("call", 2): return .call(try numbers.decode(.string(words[1])), attempt: 1)
    case ("call", 4) where words[2] == "attempt":
      return .call(
        try numbers.decode(.string(words[1])), attempt: try numbers.decode(.string(words[3])))
    case ("write", 2): return .write(try numbers.decode(.string(words[1])))
    default:
      throw FieldProblem(
        "does not begin with refresh 1, call 1, call 1 attempt 2, or write 1, which process 2 may "
          + "stand before")
    }
  }

  private static func set(_ name: String, to value: JSONValue, in pin: inout Usage.Pin) throws {
    switch name {
    case "connecting": pin.connecting = try FieldCodec.duration.decode(value)
    case "uplink": pin.uplink = try FieldCodec.duration.decode(value)
    case "processing": pin.processing = try FieldCodec.duration.decode(value)
    case "downlink": pin.downlink = try FieldCodec.duration.decode(value)
    case "retryAfter": pin.retryAfter = try FieldCodec.duration.decode(value)
    case "duration": pin.duration = try FieldCodec.duration.decode(value)
    case "fails": pin.fails = try FieldCodec.boolean.decode(value)
    case "lost": pin.lost = try FieldCodec<Usage.Pin.Loss>.choice().decode(value)
    case "answer": pin.answer = try FieldCodec<Usage.Pin.Answer>.choice().decode(value)
    default:
      let names = [
        "connecting", "uplink", "processing", "downlink", "lost", "answer", "retryAfter", "fails",
        "duration",
      ]
      throw FieldProblem(
        "sets the unknown \"\(name)\"; use \(names.alternatives).\(name.suggestion(from: names))")
    }
  }
}
