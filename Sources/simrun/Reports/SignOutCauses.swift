import SimCore

/// Why sessions ended, largest cause first.
struct SignOutCauses {
  /// The causes that occurred, with how many sign-outs each had.
  let counts: [(cause: SignOutCause, count: Int)]

  /// The causes in totals.
  init(_ totals: Totals) {
    self.init { totals.signOuts(by: $0) }
  }

  /// The causes by how many sign-outs each had.
  init(_ count: (SignOutCause) -> Int) {
    // Equal counts stay in the order of the causes.
    counts = SignOutCause.allCases.map { ($0, count($0)) }.filter { $0.1 > 0 }
      .sorted { $0.1 > $1.1 }
  }

  /// The sign-outs of all causes.
  var total: Int { counts.reduce(0) { $0 + $1.count } }

  /// The causes with their shares.
  var shares: [(cause: SignOutCause, count: Int, share: Double)] {
    counts.map { ($0.cause, $0.count, Double($0.count) / Double(total)) }
  }
}
