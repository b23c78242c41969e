import SimCore

/// Whether rates of two results differ by more than chance would let them.
///
/// Each pair of rates is a two-sample z-test. All of them together raise a false alarm in one check of a hundred
/// (Bonferroni), so that a check that fails means something.
struct RateRegression {
  /// A rate with its 95 % interval.
  struct Rate: Equatable {
    let estimate: Double
    let low: Double
    let high: Double

    /// The standard error that the interval stands for.
    var standardError: Double { (high - low) / (2 * Confidence.usual.z) }

    var text: String { "\(estimate.short) (\(low.short) to \(high.short))" }
  }

  /// A rate before and now.
  struct Pair {
    let file: String
    let name: String
    let old: Rate
    let new: Rate

    /// The difference in standard errors.
    var statistic: Double {
      let error =
        (old.standardError * old.standardError + new.standardError * new.standardError).squareRoot()
      let difference = (new.estimate - old.estimate).magnitude
      return difference == 0 ? 0 : difference / error
    }
  }

  /// The probability that any test of a check raises a false alarm.
  static let falseAlarms = 0.01

  private(set) var pairs: [Pair] = []
  /// What was not there before, with its file, so that there is nothing to compare it with.
  private(set) var unpaired: [(file: String, place: String)] = []

  private static func place(_ world: JSONValue, _ result: JSONValue = .null) -> String {
    [world["variant"], world["at"], result["strategy"]].compactMap { $0?.text }
      .joined(separator: " · ")
  }

  /// Pairs the rates of two results, by variant, point, strategy, and metric.
  mutating func add(_ file: String, _ old: JSONValue, _ new: JSONValue) {
    for world in new["worlds"]?.elements ?? [] {
      guard
        let other = old["worlds"]?.elements?.first(where: {
          $0["variant"] == world["variant"] && $0["at"] == world["at"]
        })
      else {
        unpaired.append((file, Self.place(world)))
        continue
      }
      for result in world["results"]?.elements ?? [] {
        guard
          let earlier = other["results"]?.elements?.first(where: {
            $0["strategy"] == result["strategy"]
          })
        else {
          unpaired.append((file, Self.place(world, result)))
          continue
        }
        let place = Self.place(world, result)
        let cells = (Cell(earlier, in: other), Cell(result, in: world))
        for metric in Metric.allCases {
          guard let (unit, before, now) = Self.rates(metric.name, cells.0, cells.1) else {
            continue
          }
          pairs.append(
            Pair(file: file, name: "\(place): \(metric.name) \(unit)", old: before, new: now))
        }
      }
    }
  }

  /// The difference in standard errors from which on a rate is taken to have changed.
  var threshold: Double {
    -ElementaryFunctions.normalQuantile(Self.falseAlarms / Double(max(1, pairs.count)) / 2)
  }

  /// The rates that changed, with what to say of them.
  var differences: [(file: String, message: String)] {
    let threshold = threshold
    return pairs.filter { $0.statistic > threshold }.map { pair in
      (
        pair.file,
        "\(pair.name) was \(pair.old.text) and is \(pair.new.text), \(pair.statistic.short) standard errors "
          + "apart; if that is meant, simrun check --update writes it anew"
      )
    }
  }

  /// What was tested, and how surely.
  var words: String {
    guard !pairs.isEmpty else {
      return "no rate is there to compare; single runs have none"
    }
    let found = differences.count
    return
      "\(pairs.count.grouped) rate\(pairs.count == 1 ? "" : "s") compared, with one false alarm in a hundred such "
      + "checks (each more than \(threshold.short) standard errors apart): "
      + (found == 0 ? "none differs" : "\(found.grouped) differ\(found == 1 ? "s" : "")")
  }
}

extension RateRegression {
  /// The metrics of a strategy in a world of a result.
  fileprivate struct Cell {
    let runs: Double
    let metrics: JSONValue

    init(_ result: JSONValue, in world: JSONValue) {
      runs = world["runs"]?.double ?? 0
      metrics = result["metrics"] ?? .null
    }

    /// How many openings, calls, or refreshes there were.
    func count(_ metric: String) -> Double? { metrics[metric]?["count"]?.double }
  }

  /// A metric's rates in two results, of which one may have none; nil if neither or both cannot be compared.
  private static func rates(
    _ metric: String, _ old: Cell, _ new: Cell
  ) -> (unit: String, old: Rate, new: Rate)? {
    let known = [old, new].map { rate(metric, $0) }
    switch (known[0], known[1]) {
    case (let before?, let now?): return before.unit == now.unit ? (now.unit, before.1, now.1) : nil
    case (let before?, nil):
      guard new.count(metric) == nil, let none = none(like: before, of: metric, old, new) else {
        return nil
      }
      return (before.unit, before.1, none)
    case (nil, let now?):
      guard old.count(metric) == nil, let none = none(like: now, of: metric, new, old) else {
        return nil
      }
      return (now.unit, none, now.1)
    case (nil, nil): return nil
    }
  }

  private static func rate(_ metric: String, _ cell: Cell) -> (unit: String, Rate)? {
    guard let member = cell.metrics[metric]?.members.first(where: { $0.key.hasPrefix("per") }),
      let estimate = member.value["estimate"]?.double, let low = member.value["low"]?.double,
      let high = member.value["high"]?.double
    else { return nil }
    return (
      "per \(member.key.dropFirst(3).lowercased())", Rate(estimate: estimate, low: low, high: high)
    )
  }

  /// The rate of what did not happen, with Wilson's limit for the runs, in units like those of a rate that did.
  private static func none(
    like other: (unit: String, rate: Rate), of metric: String, _ theirs: Cell, _ own: Cell
  ) -> Rate? {
    let counted = ["per call": "calls", "per opening": "openings", "per refresh": "refreshes"]
    let units: Double
    if let name = counted[other.unit] {
      guard let count = own.count(name), count > 0 else { return nil }
      units = count
    } else {
      // As many units to a run as there are on the other side.
      guard let count = theirs.count(metric), theirs.runs > 0 else { return nil }
      units = count / other.rate.estimate * own.runs / theirs.runs
    }
    guard own.runs > 1, units > 0 else { return nil }
    let square = Confidence.usual.z * Confidence.usual.z
    return Rate(estimate: 0, low: 0, high: square / (own.runs + square) * own.runs / units)
  }
}
