import SimCore

/// What an experiment expects, such as `refreshes = 5` or `revocations per opening < 0.1%`.
struct Expectation: Equatable {
  /// What is looked at.
  enum Measure: Equatable {
    case metric(Metric)
    /// The sign-outs by one cause.
    case signOuts(by: SignOutCause)
    case waitAdded(Statistic)
    case lifeUnused
    case exposure
    case prediction
  }

  /// Something about the times that calls waited.
  enum Statistic: String, CaseIterable {
    case mean
    case p50
    case p95
    case p99
    case max
  }

  /// What a metric is counted per.
  enum Unit: Equatable {
    /// In all runs together.
    case total
    case metric(MetricUnit)
    /// Per person, where a run is a person's life.
    case user
    /// Per stretch of the horizon.
    case stretch(Stretch)
  }

  /// A stretch of time that a metric is counted per.
  enum Stretch: String, CaseIterable {
    case hour
    case day
    /// Thirty days.
    case month

    var length: Duration {
      switch self {
      case .hour: .seconds(3600)
      case .day: .seconds(86_400)
      case .month: .seconds(30 * 86_400)
      }
    }
  }

  /// What must hold.
  enum Condition: Equatable {
    case equals(Double)
    case below(Double, orEqual: Bool)
    case above(Double, orEqual: Bool)
    /// Within a share of a value, either way.
    case near(Double, share: Double)
    case agrees
    /// Set against what another strategy gives on the same worlds.
    case compares(Comparison)
  }

  /// The other side of a comparison: a multiple of what another strategy gives.
  struct Comparison: Equatable {
    /// How what is measured is to lie to it.
    enum Relation: String, CaseIterable {
      case less = "<"
      case atMost = "<="
      case more = ">"
      case atLeast = ">="
    }

    let relation: Relation
    let factor: Double
    /// The name of the other strategy.
    let strategy: String
  }

  /// A value of an axis that an expectation is about alone.
  struct Place: Equatable {
    let axis: String
    let value: String
  }

  /// Every form, for the documentation.
  static let forms: [(name: String, meaning: String)] = [
    ("refreshes = 5", "a count in all runs together; also < 5, <= 5, > 5, >= 5"),
    (
      "revocations per opening < 0.1%",
      "a rate per run, opening, call, refresh, user, hour, day, or month; its whole 95 % interval must lie below"
    ),
    (
      "firstUnauthorized per call = 1% ± 5%",
      "a rate whose whole 95 % interval must lie within 5 % of the value"
    ),
    (
      "signOuts by suspension = 1",
      "the sign-outs by one cause, as a count or a rate; simrun show causes lists the names"
    ),
    (
      "signOuts < naive",
      "another strategy of the file or the catalog, on the same worlds; the whole 95 % interval of the paired "
        + "difference must lie below 0; also <=, >, >=, and per something"
    ),
    (
      "signOuts <= 50% of naive",
      "a multiple of what the other gives; <= and >= hold too where no run differs"
    ),
    ("waitAdded max = 35.1s", "how long calls waited: mean, p50, p95, p99, or max"),
    ("lifeUnused < 10%", "share of an access token's lifetime left at its rotation, on average"),
    (
      "exposure <= 1min",
      "how long a spent refresh token would still have been answered, on average"
    ),
    ("prediction agrees", "the measured 401s agree with the prediction, as a report says"),
    ("at margin=5s: signOuts = 0", "any of these, at the named values of over alone"),
    ("any metric", "simrun show metrics lists the names"),
  ]

  let text: String
  let measure: Measure
  let unit: Unit
  let condition: Condition
  /// The values of axes that it is about; none for all points.
  let places: [Place]
  /// Where it stands in its file.
  var position = TextPosition.start

  /// Reads an expectation.
  ///
  /// - Throws: a ``FieldProblem`` that says what is accepted.
  init(_ text: String) throws {
    self.text = text
    var reader = ExpectationReader(text)
    places = try reader.places()
    (measure, unit) = try reader.quantity()
    condition = try reader.condition(of: measure)
  }

  /// The name of the strategy that it compares with; nil if it compares with none.
  var reference: String? {
    if case .compares(let comparison) = condition { comparison.strategy } else { nil }
  }

  /// Whether it is about a point of a sweep.
  func applies(to point: SweepPoint, of axes: [Axis]) -> Bool {
    places.allSatisfy { place in
      zip(axes, point.values).contains { $0.name == place.axis && $1 == place.value }
    }
  }
}
