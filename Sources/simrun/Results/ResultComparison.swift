/// How what experiments gave lies to what was committed of them.
///
/// Where version and inputs are the same, so must be the bytes. Otherwise rates are compared as two samples.
struct ResultComparison {
  /// A committed result that is not what came out.
  struct Failure {
    let file: String
    let message: String
  }

  private(set) var failures: [Failure] = []
  /// The files that are what came out.
  private(set) var equal: [String] = []
  /// The files of another version or of other inputs.
  private(set) var outdated: [String] = []
  private var regression = RateRegression()

  mutating func fail(_ file: String, _ message: String) {
    failures.append(Failure(file: file, message: message))
  }

  /// Compares a committed result with what came out.
  ///
  /// - Parameters:
  ///   - file: the path of the committed result.
  ///   - committed: what it holds.
  ///   - text: its bytes.
  ///   - new: what came out.
  mutating func compare(
    _ file: String, _ committed: JSONValue, _ text: String, with new: ResultFile
  ) {
    if committed["partial"] == true {
      return fail(
        file, "is of a part of the runs, because it was interrupted; simrun check --update does all"
      )
    }
    if text == new.text {
      equal.append(file)
      return
    }
    guard committed["version"] == new.value["version"],
      Self.inputs(of: committed) == Self.inputs(of: new.value)
    else {
      outdated.append(file)
      return regression.add(file, committed, new.value)
    }
    let difference =
      ResultDifference.first(committed, new.value) ?? "it is laid out in another way"
    fail(file, "stale or changed: \(difference); simrun check --update writes it anew")
  }

  /// Judges the rates of all outdated results together, so that the error rate is that of the whole check.
  mutating func testRates() {
    for (file, place) in regression.unpaired {
      fail(file, "has no \(place) to compare with; simrun check --update writes it anew")
    }
    for (file, message) in regression.differences { fail(file, message) }
  }

  /// What the reader has to know beside the failures, in lines.
  var notes: [String] {
    let all = Set(failures.map(\.file)).union(equal).union(outdated).count
    var lines = [
      "\(all.grouped) committed file\(all == 1 ? "" : "s"): \(equal.count.grouped) as they came out, "
        + "\(outdated.count.grouped) of another version or other inputs, "
        + "\(failures.count.grouped) failure\(failures.count == 1 ? "" : "s")"
    ]
    if !outdated.isEmpty {
      lines.append(
        regression.words + "; simrun check --update is due for \(outdated.joined(separator: ", "))")
    }
    return lines
  }

  /// What decides what must come out, world by world.
  private static func inputs(of result: JSONValue) -> [JSONValue] {
    (result["worlds"]?.elements ?? []).map { world in
      let own = world.members.filter { $0.key != "results" }
      let clients = (world["results"]?.elements ?? []).map { result in
        let client = result.members.filter {
          ["strategy", "decisions", "takesMargin", "processes"].contains($0.key)
        }
        let expects = (result["expectations"]?.elements ?? []).map { $0["expects"] ?? .null }
        return JSONValue.object(client + [.init("expects", .array(expects))])
      }
      return JSONValue.object(own + [.init("clients", .array(clients))]).reread
    }
  }
}

extension JSONValue {
  /// The value as it comes back from a file, where a whole number is an integer whatever wrote it.
  var reread: JSONValue {
    switch self {
    case .unsigned(let value) where value <= UInt64(Int.max): return .integer(Int(value))
    case .unsigned(let value): return .number(Double(value))
    case .number(let value) where value == value.rounded() && value.magnitude < 1e15:
      return .integer(Int(value))
    case .array(let elements): return .array(elements.map(\.reread))
    case .object(let members): return .object(members.map { .init($0.key, $0.value.reread) })
    case .null, .bool, .integer, .number, .string: return self
    }
  }
}
