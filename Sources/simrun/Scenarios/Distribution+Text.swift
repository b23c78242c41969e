import SimCore

/// Distributions in options and files: a duration alone, an object with a kind, or its short form.
///
/// A distribution reads back as it was written.
enum DistributionText {
  static let accepted =
    "a duration, or constant(…), uniform(from=…, to=…), logUniform(from=…, to=…), "
    + "exponential(mean=…), normal(mean=…, sd=…), logNormal(mean=…, sigma=…), "
    + "logNormal(median=…, sigma=…), logNormal(p50=…, p99=…), weibull(shape=…, scale=…), "
    + "weibull(p50=…, p99=…), empirical(file=…, column=…, scale=…, every=…), "
    + "mixture(0.9: …, 0.1: …), cap(…, at=…), or several joined by +"

  private static let kinds = [
    "constant", "uniform", "logUniform", "exponential", "normal", "logNormal", "weibull",
    "empirical", "sum", "mixture", "cap",
  ]

  /// How many distributions may lie within one another.
  private static let mostLevels = 16

  static let codec = FieldCodec<Distribution>(
    accepted: "a duration or a distribution, see simrun show distributions", encode: encode,
    decode: { try decode($0) })

  // MARK: Writing

  static func encode(_ distribution: Distribution) -> JSONValue {
    switch distribution {
    case .constant(let value): return .string(value.text)
    case .uniform(let from, let to):
      return .object(["kind": "uniform", "from": .string(from.text), "to": .string(to.text)])
    case .logUniform(let from, let to):
      return .object(["kind": "logUniform", "from": .string(from.text), "to": .string(to.text)])
    case .exponential(let mean):
      return .object(["kind": "exponential", "mean": .string(mean.text)])
    case .normal(let mean, let deviation):
      return .object([
        "kind": "normal", "mean": .string(mean.text), "sd": .string(deviation.text),
      ])
    case .logNormal(let logNormal): return encode(logNormal)
    case .weibull(.shape(let shape, let scale)):
      return .object([
        "kind": "weibull", "shape": .number(shape), "scale": .string(scale.text),
      ])
    case .weibull(.quantiles(let first, let second)): return encode("weibull", first, second)
    case .empirical(let empirical): return encode(empirical)
    case .sum(let parts):
      return .object(["kind": "sum", "parts": .array(parts.map(encode))])
    case .mixture(let parts):
      let objects = parts.map {
        JSONValue.object(["weight": .number($0.weight), "of": encode($0.distribution)])
      }
      return .object(["kind": "mixture", "parts": .array(objects)])
    case .cap(let part, let greatest):
      return .object(["kind": "cap", "at": .string(greatest.text), "of": encode(part)])
    }
  }

  private static func encode(_ logNormal: LogNormal) -> JSONValue {
    switch logNormal {
    case .mean(let mean, let sigma):
      .object(["kind": "logNormal", "mean": .string(mean.text), "sigma": .number(sigma)])
    case .median(let median, let sigma):
      .object(["kind": "logNormal", "median": .string(median.text), "sigma": .number(sigma)])
    case .quantiles(let first, let second): encode("logNormal", first, second)
    }
  }

  private static func encode(
    _ kind: String, _ first: Distribution.Quantile, _ second: Distribution.Quantile
  ) -> JSONValue {
    .object(
      [JSONValue.Member("kind", .string(kind))]
        + [first, second].map {
          JSONValue.Member(quantileKey($0.probability), .string($0.value.text))
        })
  }

  private static func encode(_ empirical: Empirical) -> JSONValue {
    let members = [
      JSONValue.Member("kind", "empirical"), .init("file", .string(empirical.source.file)),
      .init("column", .string(empirical.source.column)),
      .init("scale", .number(empirical.source.scale)),
    ]
    return .object(members + (empirical.every.map { [.init("every", .string($0.text))] } ?? []))
  }

  /// The key of a quantile, in the fewest decimals that read back as the same probability.
  private static func quantileKey(_ probability: Double) -> String {
    let percents = [1, 1e2, 1e4, 1e6, 1e8, 1e10].map { (probability * 100 * $0).rounded() / $0 }
    let percent = percents.first { $0 / 100 == probability } ?? probability * 100
    return "p" + (percent == percent.rounded() ? String(Int(percent)) : String(percent))
  }

  // MARK: Reading

  /// Reads a distribution that lies `depth` levels deep within another.
  static func decode(_ value: JSONValue, depth: Int = 0) throws -> Distribution {
    guard depth < mostLevels else {
      throw FieldProblem("lies more than \(mostLevels) levels deep within others")
    }
    let distribution =
      switch value {
      case .string(let text): try parse(text, depth)
      case .object(let members): try decode(members, depth)
      case .integer, .number: Distribution.constant(try FieldCodec.duration.decode(value))
      default:
        throw FieldProblem(
          "is not a duration or a distribution; simrun show distributions lists the forms")
      }
    if let problem = distribution.problem { throw FieldProblem(problem) }
    return distribution
  }

  private static func parse(_ text: String, _ depth: Int) throws -> Distribution {
    let terms = try DistributionShortForm(text).terms
    guard terms.count == 1 else {
      return .sum(try terms.map { try decode(.string($0), depth: depth + 1) })
    }
    guard let members = try DistributionShortForm.members(of: terms[0]) else {
      return .constant(try FieldCodec.duration.decode(.string(terms[0])))
    }
    return try decode(members, depth)
  }

  /// An object with some members replaced; what contradicts a new member goes.
  static func merging(_ changes: [JSONValue.Member], into current: JSONValue) throws -> JSONValue {
    if current == .null {
      throw FieldProblem("sets a part, but there is no distribution yet; give the whole one")
    }
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
    let isWeibull = members.contains(.init("kind", "weibull"))
    if changes.filter({ isQuantile($0.key) }).count == 2 {
      members.removeAll {
        $0.key == "sigma" || isWeibull && ($0.key == "shape" || $0.key == "scale")
      }
    }
    if isWeibull, changes.contains(where: { $0.key == "shape" || $0.key == "scale" }) {
      members.removeAll { isQuantile($0.key) }
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

  private static func decode(_ members: [JSONValue.Member], _ depth: Int) throws -> Distribution {
    var reader = MemberReader(members)
    let kind = try reader.text("kind", or: "a kind: \(kinds.alternatives)")
    let distribution: Distribution
    switch kind {
    case "constant": distribution = .constant(try reader.duration("value"))
    case "uniform":
      distribution = .uniform(from: try reader.duration("from"), to: try reader.duration("to"))
    case "logUniform":
      distribution = .logUniform(from: try reader.duration("from"), to: try reader.duration("to"))
    case "exponential": distribution = .exponential(mean: try reader.duration("mean"))
    case "normal":
      distribution = .normal(
        mean: try reader.duration("mean"), deviation: try reader.duration("sd"))
    case "logNormal": distribution = .logNormal(try logNormal(&reader))
    case "weibull": distribution = .weibull(try weibull(&reader))
    case "empirical": distribution = .empirical(try empirical(&reader))
    case "sum":
      distribution = .sum(
        try reader.array("parts").map { try decode($0, depth: depth + 1) })
    case "mixture":
      distribution = .mixture(try reader.array("parts").map { try part($0, depth + 1) })
    case "cap":
      let part = try reader.distribution("of", depth: depth + 1)
      distribution = .cap(part, at: try reader.duration("at"))
    default:
      throw FieldProblem(
        "has the unknown kind \"\(kind)\"; use \(kinds.alternatives)."
          + kind.suggestion(from: kinds))
    }
    try reader.finish()
    return distribution
  }

  private static func part(_ value: JSONValue, _ depth: Int) throws -> Distribution.Part {
    guard case .object(let members) = value else {
      throw FieldProblem("has the part \"\(value.typed)\", which is not a weight and an of")
    }
    var reader = MemberReader(members)
    let weight = try reader.share("weight")
    let part = Distribution.Part(weight: weight, try reader.distribution("of", depth: depth))
    try reader.finish()
    return part
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
    let (first, second) = try pair(&reader, quantiles)
    return .quantiles(first, second)
  }

  private static func weibull(_ reader: inout MemberReader) throws -> Weibull {
    let quantiles = reader.keys.filter(isQuantile)
    if reader.keys.contains("shape") {
      return .shape(try reader.number("shape"), scale: try reader.duration("scale"))
    }
    guard quantiles.count == 2 else {
      throw FieldProblem("needs shape and scale, or two quantiles like p50 and p99")
    }
    let (first, second) = try pair(&reader, quantiles)
    return .quantiles(first, second)
  }

  private static func pair(
    _ reader: inout MemberReader, _ keys: [String]
  ) throws -> (Distribution.Quantile, Distribution.Quantile) {
    let pair = try keys.map { key in
      Distribution.Quantile(
        probability: (Double(key.dropFirst()) ?? 0) / 100, value: try reader.duration(key))
    }.sorted { $0.probability < $1.probability }
    return (pair[0], pair[1])
  }

  private static func empirical(_ reader: inout MemberReader) throws -> Empirical {
    let file = try reader.text("file", or: "a file")
    let column = try reader.text("column", or: "the column of the file")
    let scale = try reader.numberIfThere("scale") ?? 1
    guard scale > 0, scale <= 1e6 else {
      throw FieldProblem("needs a scale above 0 and up to 1,000,000")
    }
    let every = try reader.durationIfThere("every")
    return try EmpiricalFile(Empirical.Source(file: file, column: column, scale: scale))
      .read(every: every)
  }
}
