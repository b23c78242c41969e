import SimCore

extension Scenario {
  /// What one run is, for the words of a report.
  enum Shape {
    case opening
    /// An opening, leaving the app, and another opening after the return.
    case visit
    case timeline
    case steady
    /// A person's days with the app.
    case sessions
    case fleet

    /// What a run is called.
    var noun: String {
      switch self {
      case .opening, .visit, .timeline, .fleet: "\(self)"
      case .steady: "run"
      case .sessions: "user"
      }
    }

    /// What rates of sessions are given per.
    var unit: MetricUnit { self == .opening ? .opening : .run }
  }

  var shape: Shape {
    switch usage.kind {
    case .opening: lifecycle.leaves == .never ? .opening : .visit
    case .timeline: .timeline
    case .steady: .steady
    case .sessions: .sessions
    case .fleet: .fleet
    }
  }
}
