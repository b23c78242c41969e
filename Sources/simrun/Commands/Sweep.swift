import SimCore
import Strategies

/// Some clients at all values of one field or two, on the same worlds: the runs that it takes, and what they say.
struct Sweep {
  /// A strategy in the worlds of the points.
  struct Contender {
    let strategy: Strategy
    /// How it was typed; nil if a file names it.
    var typed: String?
    /// The variant of the file; nil if there is none.
    var variant: String?
    let server: String
    /// The scenario that the axes change.
    let base: Scenario
    /// One per point, in the order of all contenders.
    let points: [SweepPoint]
  }

  let axes: [Axis]
  let contenders: [Contender]
  let runs: Int
  let seed: UInt64
  let target: Expectation?
  /// What is to be shown first, beside the target.
  let asked: [Quantity]
  let precision: Precision?
  /// One per point, with a cell for each contender; runs of all points are of the same days.
  let trials: [Trial]

  /// What is asked of the runs.
  ///
  /// - Parameters:
  ///   - axes: one or two.
  ///   - contenders: the clients, at least one; each has all points.
  ///   - runs: how many runs each point takes, or the most if a precision is asked for.
  ///   - seed: the seed of the random numbers.
  ///   - target: what the cheapest value of the first axis has to meet.
  ///   - asked: what is to be shown first, beside the target.
  ///   - precision: when to stop earlier.
  ///   - code: whose fault a contradiction is: the command line's or a file's.
  /// - Throws: all ``Problems`` together.
  init(
    axes: [Axis], contenders: [Contender], runs: Int, seed: UInt64, target: Expectation?,
    asked: [Quantity] = [], precision: Precision? = nil, code: ExitCode = .usage
  ) throws {
    self.axes = axes
    self.contenders = contenders
    self.runs = runs
    self.seed = seed
    self.target = target
    self.asked = asked
    self.precision = precision
    trials = (contenders.first?.points.indices ?? 0..<0).map { index in
      var trial = Trial(
        cells: contenders.map { ($0.strategy, $0.points[index].scenario) }, runs: runs, seed: seed)
      trial.precision = precision
      return trial
    }
    try check(code)
  }

  /// What an experiment asks for.
  ///
  /// - Throws: all ``Problems`` together.
  init(_ variant: Experiment.Variant) throws {
    let points = try SweepPoint.points(
      variant.axes, from: variant.scenario, given: variant.given.map(\.path), code: .badData)
    try self.init(
      axes: variant.axes,
      contenders: variant.strategies.map {
        Contender(
          strategy: $0, variant: variant.name, server: variant.server, base: variant.scenario,
          points: points)
      },
      runs: variant.runs ?? Self.usualRuns(points.map(\.scenario), variant.target),
      seed: variant.seed, target: variant.target, asked: variant.answer, code: .badData)
  }

  /// The runs of each point where nobody says how many; a target needs more of openings, which are cheap.
  static func usualRuns(_ scenarios: [Scenario], _ target: Expectation?) -> Int {
    let most = scenarios.map(\.usage.kind.usualRuns).max() ?? 10_000
    let areOpenings = scenarios.allSatisfy { $0.shape == .opening }
    return target != nil && areOpenings ? max(most, 100_000) : most
  }

  /// What it is about first: the target's quantity, else the usual one.
  var subject: Quantity { quantities[0] }

  /// What is shown of each point.
  var quantities: [Quantity] {
    let usual = Quantity.usual(contenders[0].points[0].scenario.shape)
    var all = (target.map { [Quantity($0)] } ?? []) + (asked.isEmpty ? usual : asked)
    if axes[0].cost == .exposure { all.append(Quantity(.exposure)) }
    return all.enumerated().filter { all.firstIndex(of: $1) == $0 }.map(\.element)
  }

  /// Whether the values of the axes change anything for a client.
  func isChanged(_ contender: Contender) -> Bool {
    axes.contains { $0.path != Axis.marginPath } || contender.strategy.takesMargin
  }

  /// What is odd about the question without being wrong.
  var warnings: [String] {
    let fixed = contenders.filter { !isChanged($0) }.map {
      "\($0.strategy.name) has no margin that the axis could set: it is the same at every value"
    }
    var odd: [String] = []
    for (index, trial) in trials.enumerated() {
      for cell in trial.cells {
        let place = places(index)
        odd += ScenarioRequest.warnings(cell.scenario, [cell.strategy]).map { "at \(place): \($0)" }
      }
    }
    let more = odd.count > 1 ? ["\(odd.count - 1) more points have such a warning"] : []
    return fixed + odd.prefix(1) + more
  }

  /// A point by its values, such as `margin=30s`.
  func places(_ index: Int) -> String {
    zip(axes, contenders[0].points[index].values).map { "\($0.name)=\($1)" }
      .joined(separator: ", ")
  }
}

extension Sweep {
  private func check(_ code: ExitCode) throws {
    var problems = Problems()
    if axes.isEmpty || axes.count > 2 {
      throw Problem("a sweep has one axis or two, not \(axes.count)", code)
    }
    if contenders.isEmpty { throw Problem("a sweep needs a strategy", code) }
    _ = try problems.collect { try checkAxes(code) }
    _ = try problems.collect { try checkMargin(code) }
    _ = try problems.collect { try checkTarget(code) }
    // A strategy that contradicts one point likely contradicts all, so the first is enough.
    check: for (index, trial) in trials.enumerated() {
      for cell in trial.cells {
        do {
          try StrategyCheck(cell.strategy, in: cell.scenario, code: code).check()
        } catch let found as Problems {
          problems.list += found.list.map {
            Problem("at \(places(index)): \($0.message)", $0.exitCode)
          }
          break check
        }
      }
    }
    try problems.throwIfAny()
  }

  private func checkAxes(_ code: ExitCode) throws {
    guard axes.count == 2 else { return }
    let (first, second) = (axes[0], axes[1])
    if first.subject == second.subject || first.isPart(of: second) || second.isPart(of: first) {
      throw Problem("both axes go through \(second.name)", code)
    }
    if second.overwrites(first.path) {
      throw Problem(
        "the axis \(second.name) puts whole presets over the values of \(first.name); give it first",
        code)
    }
  }

  private func checkMargin(_ code: ExitCode) throws {
    let margin = axes.first { $0.path == Axis.marginPath }
    guard let margin, !contenders.contains(where: { $0.strategy.takesMargin }) else { return }
    throw Problem(
      "\(margin.name): none of the strategies leaves its margin open; "
        + "single-flight+margin does, and so does background-task", code)
  }

  private func checkTarget(_ code: ExitCode) throws {
    guard let target else { return }
    switch target.condition {
    case .below, .above: break
    case .equals, .near, .agrees, .compares:
      throw Problem(
        "target: \"\(target.text)\" is no limit; a target needs <, <=, >, or >=, "
          + "as firstUnauthorized per call < 0.01%", code)
    }
    if !target.places.isEmpty {
      throw Problem(
        "target: \"\(target.text)\" is about one point; a target is for the values of the axis",
        code)
    }
    if !Quantity(target).isRate {
      throw Problem(
        "target: \"\(target.text)\" comes without an interval, so that nothing tells whether it is met "
          + "by chance; give a rate, as signOuts per opening < 0.1%", code)
    }
    if target.unit == .user,
      trials.contains(where: { $0.cells.contains { $0.scenario.shape != .sessions } })
    {
      throw Problem(
        "target: \"\(target.text)\" cannot be measured: only a run of sessions is the life of a user",
        code)
    }
    guard case .stretch(let stretch) = target.unit else { return }
    if trials.contains(where: { $0.cells.contains { $0.scenario.usage.horizon == nil } }) {
      throw Problem(
        "target: \"\(target.text)\" cannot be measured: it counts per \(stretch.rawValue), but "
          + "usage.horizon is none, so the runs have no length", code)
    }
  }
}

extension Axis {
  /// The field that a strategy's open margin stands for.
  static let marginPath = "client.margin"

  /// What tells how dear a value is; where nothing does, values come from cheap to dear.
  enum Cost {
    case lifeUnused
    case exposure
  }

  var cost: Cost? {
    guard let path else { return nil }
    if path == Self.marginPath { return .lifeUnused }
    return path.hasPrefix("server.grace") ? .exposure : nil
  }

  /// Whether it goes through a member of what another one sets whole.
  func isPart(of other: Axis) -> Bool {
    guard let path, let whole = other.path else { return false }
    return path.hasPrefix(whole + ".")
  }

  /// Whether its values are presets that stand in for a field, too.
  func overwrites(_ path: String?) -> Bool {
    guard case .preset(let kind) = subject, let path else { return false }
    return path.hasPrefix("\(kind.rawValue).") || path == kind.rawValue
  }
}
