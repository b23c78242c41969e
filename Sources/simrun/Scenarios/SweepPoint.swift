import SimCore

/// A world of a sweep: a scenario with a value of each axis put into it.
struct SweepPoint {
  /// One per axis, as typed.
  let values: [String]
  let scenario: Scenario

  /// All worlds of some axes, those of the last axis next to each other.
  ///
  /// - Parameters:
  ///   - axes: the axes; none give the scenario itself.
  ///   - base: the scenario that they change.
  ///   - given: the paths of the fields that were given beside.
  ///   - code: whose fault a contradiction is.
  /// - Returns: the worlds.
  /// - Throws: a ``Problem`` if there are too many, or one contradicts itself.
  static func points(
    _ axes: [Axis], from base: Scenario, given: [String], code: ExitCode = .usage
  ) throws -> [SweepPoint] {
    let count = axes.reduce(1) { $0 * $1.values.count }
    guard count <= Axis.mostPoints else {
      throw Problem(
        "the axes have \(count.grouped) points together; at most \(Axis.mostPoints.grouped) can be swept",
        code)
    }
    for axis in axes {
      guard case .preset(let kind) = axis.subject,
        let path = given.first(where: { $0.hasPrefix(kind.rawValue + ".") })
      else { continue }
      throw Problem(
        "\(path) is given, but the axis \(axis.name) puts whole presets in its place", code)
    }
    let points = try axes.reduce([SweepPoint(values: [], scenario: base)]) { points, axis in
      try points.flatMap { point in
        try axis.values.map { value in
          var scenario = point.scenario
          try axis.put(value, into: &scenario)
          return SweepPoint(values: point.values + [value], scenario: scenario)
        }
      }
    }
    let paths = Set(given + axes.compactMap(\.path))
    for point in points where !axes.isEmpty {
      do {
        try ScenarioCheck(point.scenario, given: paths, code: code).check()
      } catch let problems as Problems {
        let place = zip(axes, point.values).map { "\($0.name)=\($1)" }.joined(separator: ", ")
        throw Problems(
          list: problems.list.map { Problem("at \(place): \($0.message)", $0.exitCode) })
      }
    }
    return points
  }
}
