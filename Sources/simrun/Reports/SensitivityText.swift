import SimCore

/// Which operations may be repeated and reordered at which server, and why not.
enum SensitivityText {
  /// One row of the table: an operation of a client, each time after the same pause.
  private struct Row {
    let name: String
    let operation: Sensitivity.Operation
    let accepting: Sensitivity.Accepting
    let pause: Duration

    func sensitivity(at policy: ServerPolicy) -> Sensitivity {
      Sensitivity(of: operation, accepting: accepting, at: policy, pause: pause)
    }
  }

  /// Within the window of a minute's grace, and after it.
  private static let pauses: [Duration] = [.seconds(1), .seconds(120)]

  private static let rows: [Row] =
    [
      Row(name: "store any answer", operation: .store, accepting: .always, pause: pauses[0]),
      Row(name: "sign out beside that", operation: .signOut, accepting: .always, pause: pauses[0]),
      Row(
        name: "store only a newer answer", operation: .store, accepting: .ifNewer, pause: pauses[0]),
      Row(name: "sign out beside that", operation: .signOut, accepting: .ifNewer, pause: pauses[0]),
    ]
    + pauses.map {
      Row(
        name: "redeem, again after \($0.text)", operation: .redeem, accepting: .ifNewer, pause: $0)
    } + [
      Row(name: "revoke the session", operation: .revoke, accepting: .ifNewer, pause: pauses[0])
    ]

  private static let terms = """
      robust    twice leaves the state of once, though the second may be refused, and no order matters
      repeat    repeat-sensitive: twice leaves another state than once
      order     order-sensitive: it and another operation leave another state in the other order
      doubly    doubly sensitive: both
      state     which refresh tokens would be answered, whether the session is revoked, which pair is stored
      on, off   whether the stored refresh token would be answered

    """

  private static let graceMeaning = """
      Within its window, a grace that answers with the same successor makes it harmless to repeat a redemption. A grace
      for parents ends when the successor is redeemed, and a retry that comes after that is theft: now the order
      matters. If it covers any ancestor, redeeming is robust. A grace that mints a sibling leaves other tokens with
      each repetition. After the window all is as without a grace. Revoking commutes with redeeming in all of these.

    """

  /// The classification of each operation at each server, what differed, and what a grace changes.
  static func table(of servers: [Preset]) -> String {
    let policies = servers.map { ($0.name, policy(of: $0)) }
    let results = rows.map { row in policies.map { ($0.0, row.sensitivity(at: $0.1)) } }
    let table = columns(
      [["operation"] + servers.map(\.name)]
        + zip(rows, results).map { row, results in [row.name] + results.map(\.1.kind.word) })
    let reasons = zip(rows, results).map { row, results in
      whatDiffers(row.name, results)
    }.joined()
    return "\(table)\n\(terms)\nWhat differs\n\(reasons)\nWhat a grace of a minute changes\n"
      + "\(graces)\n\(graceMeaning)"
  }

  private static func policy(of preset: Preset) -> ServerPolicy {
    var scenario = Scenario()
    preset.apply(&scenario)
    return scenario.server
  }

  /// Redeeming at a server that answers spent tokens for a minute, for each thing that it can answer with.
  private static var graces: String {
    columns(
      [
        ["answer to a spent token"]
          + pauses.flatMap { ["parent, \($0.text)", "any ancestor, \($0.text)"] }
      ]
        + ServerPolicy.Grace.Reply.allCases.map { reply in
          ["\(reply)"]
            + pauses.flatMap { pause in
              [false, true].map { word(reply, coversAncestors: $0, pause) }
            }
        })
  }

  private static func word(
    _ reply: ServerPolicy.Grace.Reply, coversAncestors: Bool, _ pause: Duration
  ) -> String {
    let grace = ServerPolicy.Grace(window: .lasting(.seconds(60)), reply: reply)
    var policy = ServerPolicy(parentGrace: grace)
    if coversAncestors { policy.ancestorGrace = grace }
    return Sensitivity(of: .redeem, accepting: .ifNewer, at: policy, pause: pause).kind.word
  }

  /// What differed for an operation, servers with the same difference in one line.
  private static func whatDiffers(_ name: String, _ results: [(server: String, Sensitivity)])
    -> String
  {
    var groups: [(reasons: [String], servers: [String])] = []
    for (server, result) in results where !result.reasons.isEmpty {
      if let index = groups.firstIndex(where: { $0.reasons == result.reasons }) {
        groups[index].servers.append(server)
      } else {
        groups.append((result.reasons, [server]))
      }
    }
    guard !groups.isEmpty else { return "" }
    return "  \(name)\n"
      + groups.map { group in
        "    \(group.servers.joined(separator: ", "))\n"
          + group.reasons.map { "      \($0)\n" }.joined()
      }.joined()
  }

  private static func columns(_ lines: [[String]]) -> String {
    let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      "  " + zip(line, widths).map { $0.padded(to: $1) }.joined(separator: "  ").trimmed + "\n"
    }.joined()
  }
}

extension Sensitivity {
  /// What differed, in a line each.
  fileprivate var reasons: [String] {
    let refusal =
      isRepetitionRefused && repetition == nil
      ? ["twice: the second is refused, and the state stays"] : []
    return refusal + [repetition, order].compactMap { $0?.text }
  }
}

extension Sensitivity.Kind {
  /// A short name.
  fileprivate var word: String {
    switch self {
    case .robust: "robust"
    case .repeatSensitive: "repeat"
    case .orderSensitive: "order"
    case .doublySensitive: "doubly"
    }
  }
}

extension Sensitivity.Difference {
  /// Both sequences with what they leave, of which only that is told which differs.
  fileprivate var text: String {
    "\(words(first)): \(afterFirst.text(unlike: afterSecond)); "
      + "\(words(second)): \(afterSecond.text(unlike: afterFirst))"
  }

  private func words(_ steps: [Sensitivity.Step]) -> String {
    steps.map(\.text).joined(separator: ", ")
  }
}

extension Sensitivity.Step {
  fileprivate var text: String {
    switch self {
    case .store(let pair): "store pair \(pair)"
    case .redeem(let pair): "redeem R\(pair)"
    case .signOut: "sign out"
    case .revoke: "revoke"
    }
  }
}

extension Sensitivity.State {
  fileprivate func text(unlike other: Self) -> String {
    var words: [String] = []
    if answered != other.answered {
      let names = answered.map(\.name).joined(separator: " ")
      words.append(answered.isEmpty ? "none answered" : "\(names) answered")
    }
    if isRevoked != other.isRevoked { words.append(isRevoked ? "revoked" : "not revoked") }
    if storedAccess != other.storedAccess {
      words.append(storedAccess.map { "\($0.name) stored" } ?? "nothing stored")
      words.append(isSessionOn ? "on" : "off")
    }
    return words.joined(separator: ", ")
  }
}
