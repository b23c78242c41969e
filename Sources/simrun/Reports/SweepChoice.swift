import SimCore

/// Which value of the first axis is the cheapest that meets the target, for one client and one value of the second.
struct SweepChoice {
  /// A value of the first axis.
  struct Candidate {
    let value: String
    /// Nil where there was nothing to measure.
    let reading: Reading?
    /// As judged at the confidence that all values share; nil where there was nothing to measure.
    let verdict: ExpectationJudge.Verdict.Kind?
    /// How dear it is; equal where only the order tells.
    let cost: Double
  }

  /// What came of it, as positions of candidates.
  enum Outcome: Equatable {
    case chosen(Int)
    /// No value meets the target; the best of them.
    case none(best: Int)
    /// No value meets it surely, but this one may; with how many runs would about tell.
    case undecided(Int, RunsNeeded)
    /// Nothing was measured at any value.
    case unmeasured
  }

  /// The position of the client among the contenders.
  let contender: Int
  /// The value of the second axis; nil without one.
  let second: String?
  /// In the order of the axis.
  let candidates: [Candidate]
  /// The points of the candidates.
  let points: [Int]
  let outcome: Outcome

  /// Decides.
  ///
  /// - Parameters:
  ///   - candidates: the values in the order of the axis, which breaks ties of the costs.
  ///   - condition: what the target asks for.
  ///   - runs: the runs of each point.
  ///   - confidence: that of the candidates' intervals.
  /// - Returns: the cheapest value that surely meets the condition, or what stands in its place.
  static func decide(
    _ candidates: [Candidate], _ condition: Expectation.Condition, runs: [Int],
    _ confidence: Confidence
  ) -> Outcome {
    let order = order(candidates)
    if let cheapest = order.first(where: { candidates[$0].verdict == .pass }) {
      return .chosen(cheapest)
    }
    let measured = order.filter { candidates[$0].reading != nil }
    guard
      let best = measured.min(by: {
        distance(candidates[$0], condition) < distance(candidates[$1], condition)
      })
    else { return .unmeasured }
    let open = measured.filter { candidates[$0].verdict == .inconclusive }
    guard !open.isEmpty else { return .none(best: best) }
    let hopeful = open.filter { distance(candidates[$0], condition) <= 0 }
    let needs = (hopeful.isEmpty ? open : hopeful).compactMap { index in
      runsNeeded(candidates[index], condition, runs: runs[index], confidence).map { (index, $0) }
    }
    let easiest = needs.min { $0.1.count ?? .max < $1.1.count ?? .max }
    return easiest.map { .undecided($0.0, $0.1) } ?? .none(best: best)
  }

  /// The candidates from cheap to dear.
  static func order(_ candidates: [Candidate]) -> [Int] {
    candidates.indices.sorted {
      (candidates[$0].cost, $0) < (candidates[$1].cost, $1)
    }
  }

  /// How far the estimate lies on the wrong side of the limit; negative on the right one.
  private static func distance(
    _ candidate: Candidate, _ condition: Expectation.Condition
  ) -> Double {
    guard let reading = candidate.reading else { return .infinity }
    return switch condition {
    case .below(let limit, _): reading.estimate - limit
    case .above(let limit, _): limit - reading.estimate
    case .equals, .near, .agrees, .compares: .infinity
    }
  }

  /// How many runs would about decide about a candidate; nil where there is nothing to decide.
  static func runsNeeded(
    _ candidate: Candidate, _ condition: Expectation.Condition, runs: Int, _ confidence: Confidence
  ) -> RunsNeeded? {
    guard let reading = candidate.reading, let limit = condition.limit else { return nil }
    return RunsNeeded(runs: runs, reading, limit: limit, confidence)
  }
}

extension Expectation.Condition {
  /// The number that a limit is about; nil for anything else.
  var limit: Double? {
    switch self {
    case .below(let limit, _), .above(let limit, _): limit
    case .equals, .near, .agrees, .compares: nil
    }
  }
}
