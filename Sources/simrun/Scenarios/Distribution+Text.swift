import SimCore

/// Distributions in options and files: a duration alone, an object with a kind, or its short form.
///
/// The short form is the kind with its parameters in brackets, `logNormal(mean=2s, sigma=0.5)`; a plus
/// between distributions adds independent parts.
enum DistributionText {
  static let accepted =
    "a duration, or constant(…), uniform(from=…, to=…), exponential(mean=…), "
    + "logNormal(mean=…, sigma=…), logNormal(median=…, sigma=…), logNormal(p50=…, p99=…), "
    + "empirical(file=…, column=…, scale=…), or several joined by +"

  private static let kinds = [
    "constant", "uniform", "exponential", "logNormal", "empirical", "sum",
  ]

  static let codec = FieldCodec<Distribution>(accepted: accepted, encode: encode, decode: decode)

  // MARK: Writing

  static func encode(_ distribution: Distribution) -> JSONValue {
    switch distribution {
    case .constant(let value): return .string(value.text)
    case .uniform(let from, let to):
      return .object(["kind": "uniform", "from": .string(from.text), "to": .string(to.text)])
    case .exponential(let mean):
      return .object(["kind": "exponential", "mean": .string(mean.text)])
    case .logNormal(let logNormal): return encode(logNormal)
    case .empirical(let empirical): return encode(empirical)
    case .sum(let parts):
      return .object(["kind": "sum", "parts": .array(parts.map(encode))])
    }
  }

  private static func encode(_ logNormal: LogNormal) -> JSONValue {
    switch logNormal {
    case .mean(let mean, let sigma):
      .object(["kind": "logNormal", "mean": .string(mean.text), "sigma": .number(sigma)])
    case .median(let median, let sigma):
      .object(["kind": "logNormal", "median": .string(median.text), "sigma": .number(sigma)])
    case .quantiles(let first, let second):
      .object(
        [JSONValue.Member("kind", "logNormal")]
          + [first, second].map {
            JSONValue.Member(quantileKey($0.probability), .string($0.value.text))
          })
    }
  }

  private static func encode(_ empirical: Empirical) -> JSONValue {
    .object([
      "kind": "empirical", "file": .string(empirical.source.file),
      "column": .string(empirical.source.column), "scale": .number(empirical.source.scale),
    ])
  }

  private static func quantileKey(_ probability: Double) -> String {
    let percent = (probability * 1e6).rounded() / 1e4
    return "p" + (percent == percent.rounded() ? String(Int(percent)) : String(percent))
  }

  // MARK: Reading

  static func decode(_ value: JSONValue) throws -> Distribution {
    let distribution =
      switch value {
      case .string(let text): try parse(text)
      case .object(let members): try decode(members)
      default: throw FieldProblem("is not a distribution; use \(accepted)")
      }
    if let problem = distribution.problem { throw FieldProblem(problem) }
    return distribution
  }

  /// An object with some members replaced; what contradicts a new member goes.
  static func merging(_ changes: [JSONValue.Member], into current: JSONValue) throws -> JSONValue {
    let base: JSONValue =
      if case .string(let text) = current {
        .object(["kind": "constant", "value": .string(text)])
      } else { current }
    guard case .object(var members) = base else { return current }
    if changes.contains(where: { $0.key == "kind" }) {
      throw FieldProblem("changes the kind alone; give the whole distribution")
    }
    if changes.contains(where: { isLocation($0.key) }) {
      members.removeAll { isLocation($0.key) }
    }
    if changes.filter({ isQuantile($0.key) }).count == 2 {
      members.removeAll { $0.key == "sigma" }
    }
    for change in changes {
      members.removeAll { $0.key == change.key }
      members.append(change)
    }
    return .object(members)
  }

  private static func isLocation(_ key: String) -> Bool {
    key == "mean" || key == "median" || isQuantile(key)
  }

  private static func isQuantile(_ key: String) -> Bool {
    key.hasPrefix("p") && Double(key.dropFirst()) != nil
  }

  private static func decode(_ members: [JSONValue.Member]) throws -> Distribution {
    var reader = MemberReader(members)
    let kind = try reader.text("kind", or: "a kind: \(kinds.alternatives)")
    let distribution: Distribution
    switch kind {
    case "constant": distribution = .constant(try reader.duration("value"))
    case "uniform":
      distribution = .uniform(from: try reader.duration("from"), to: try reader.duration("to"))
    case "exponential": distribution = .exponential(mean: try reader.duration("mean"))
    case "logNormal": distribution = .logNormal(try logNormal(&reader))
    case "empirical": distribution = .empirical(try empirical(&reader))
    case "sum": distribution = .sum(try reader.array("parts").map(decode))
    default:
      throw FieldProblem(
        "has the unknown kind \"\(kind)\"; use \(kinds.alternatives)."
          + kind.suggestion(from: kinds))
    }
    try reader.finish()
    return distribution
  }

  private static func logNormal(_ reader: inout MemberReader) throws -> LogNormal {
    let quantiles = reader.keys.filter(isQuantile)
    if reader.keys.contains("mean") {
      return .mean(try reader.duration("mean"), sigma: try reader.number("sigma"))
    }
    if reader.keys.contains("median") {
      return .median(try reader.duration("median"), sigma: try reader.number("sigma"))
    }
    guard quantiles.count == 2 else {
      throw FieldProblem(
        "needs mean and sigma, median and sigma, or two quantiles like p50 and p99")
    }
    let pair = try quantiles.map { key in
      LogNormal.Quantile(
        probability: (Double(key.dropFirst()) ?? 0) / 100, value: try reader.duration(key))
    }.sorted { $0.probability < $1.probability }
    return .quantiles(pair[0], pair[1])
  }

  private static func empirical(_ reader: inout MemberReader) throws -> Empirical {
    let file = try reader.text("file", or: "a file")
    let column = try reader.text("column", or: "the column of the file")
    let scale = try reader.numberIfThere("scale") ?? 1
    guard scale > 0, scale <= 1e6 else {
      throw FieldProblem("needs a scale above 0 and up to 1,000,000")
    }
    return try EmpiricalFile(Empirical.Source(file: file, column: column, scale: scale)).read()
  }

  // MARK: The short form

  private static func parse(_ text: String) throws -> Distribution {
    let parts = try split(text, at: "+")
    guard parts.count == 1 else { return .sum(try parts.map(parse)) }
    let term = parts[0].trimmed
    guard let open = term.firstIndex(of: "(") else {
      return .constant(try FieldCodec.duration.decode(.string(term)))
    }
    guard term.hasSuffix(")") else { throw FieldProblem("has a bracket that is not closed") }
    let kind = String(term[..<open]).trimmed
    let inside = String(term[term.index(after: open)...].dropLast())
    let arguments = try split(inside, at: ",").map(\.trimmed).filter { !$0.isEmpty }
    var members = [JSONValue.Member("kind", .string(kind))]
    for argument in arguments {
      guard let equals = argument.firstIndex(of: "=") else {
        guard kind == "constant", arguments.count == 1 else {
          throw FieldProblem("has the parameter \"\(argument)\" without a name, such as mean=2s")
        }
        members.append(.init("value", .string(argument)))
        continue
      }
      let value = String(argument[argument.index(after: equals)...]).trimmed
      members.append(.init(String(argument[..<equals]).trimmed, .string(value)))
    }
    return try decode(members)
  }

  /// Splits at a separator that stands outside brackets.
  ///
  /// A plus within a number is no separator.
  private static func split(_ text: String, at separator: Character) throws -> [String] {
    var parts = [""]
    var depth = 0
    for character in text {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth < 0 { throw FieldProblem("has a bracket that was never opened") }
      let endsExponent = parts[parts.count - 1].last?.lowercased() == "e"
      if character == separator, depth == 0, !endsExponent {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    if depth > 0 { throw FieldProblem("has a bracket that is not closed") }
    return parts
  }
}

/// Takes the members of an object one by one, and complains about those that nobody took.
private struct MemberReader {
  private var members: [JSONValue.Member]
  private var taken: [String] = []

  init(_ members: [JSONValue.Member]) {
    self.members = members
  }

  var keys: [String] { members.map(\.key) }

  private mutating func take(_ key: String, or description: String) throws -> JSONValue {
    guard let index = members.firstIndex(where: { $0.key == key }) else {
      throw FieldProblem("needs \(description)")
    }
    taken.append(key)
    return members.remove(at: index).value
  }

  mutating func text(_ key: String, or description: String) throws -> String {
    guard case .string(let text) = try take(key, or: description) else {
      throw FieldProblem("has a \(key) that is not text")
    }
    return text
  }

  mutating func duration(_ key: String) throws -> Duration {
    let value = try take(key, or: "\(key), a duration")
    do {
      return try FieldCodec.duration.decode(value)
    } catch let problem as FieldProblem {
      throw FieldProblem("has the \(key) \"\(value.typed)\", which \(problem.clause)")
    }
  }

  mutating func number(_ key: String) throws -> Double {
    let value = try take(key, or: "\(key), a number")
    guard let number = value.asNumber else {
      throw FieldProblem("has the \(key) \"\(value.typed)\", which is not a number")
    }
    return number
  }

  /// A number that may be left out; the key is known either way.
  mutating func numberIfThere(_ key: String) throws -> Double? {
    guard keys.contains(key) else {
      taken.append(key)
      return nil
    }
    return try number(key)
  }

  mutating func array(_ key: String) throws -> [JSONValue] {
    guard case .array(let values) = try take(key, or: "\(key), a list") else {
      throw FieldProblem("has \(key) that are not a list")
    }
    return values
  }

  func finish() throws {
    guard let extra = members.first else { return }
    let known = taken.filter { $0 != "kind" }
    throw FieldProblem(
      "has the unknown parameter \"\(extra.key)\""
        + (known.isEmpty ? "." : "; beside \(known.joined(separator: " and ")) it takes none.")
        + extra.key.suggestion(from: known))
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension String {
  /// The text without spaces at either end.
  var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
