/// A quantity that is counted in each run.
public enum Metric: Int, CaseIterable, Sendable {
  /// Openings of a screen.
  case openings
  /// Calls by the app's code.
  case calls
  /// Requests sent for calls.
  case attempts
  /// Attempts answered 401.
  case unauthorized
  /// Calls whose first attempt was answered 401.
  case firstUnauthorized
  /// Openings with at least one 401.
  case openingsUnauthorized
  /// Calls that ended without success.
  case failedCalls
  /// Calls that ended by cancellation.
  case cancelledCalls
  /// Calls still open when nothing was left to happen.
  case stuckCalls
  /// Calls that waited for a refresh, their own or another's.
  case waitedCalls
  /// Refresh requests sent.
  case refreshesSent
  /// Refresh requests that reached the server.
  case refreshes
  /// New pairs from a live refresh token.
  case rotations
  /// New access tokens without rotation.
  case reissues
  /// Spent refresh tokens answered.
  case graced
  /// Refreshes answered `invalid_grant`.
  case rejected
  /// Refreshes answered with any other error, or not at all, without a new pair.
  case refused
  /// Graced answers that minted a refresh token.
  case forks
  /// Refreshes that present a refresh token which an earlier refresh presented.
  case duplicates
  /// Duplicates sent while the earlier refresh was in flight.
  case duplicatesConcurrent
  /// Duplicates whose sender sent the earlier refresh too and never read its answer.
  case duplicatesReplay
  /// All other duplicates: from an older memory or store, or another process or device.
  case duplicatesStale
  /// Rotations of a pair whose access token had more than half its lifetime left.
  case needless
  /// Spent refresh tokens rejected.
  case reuses
  /// Families revoked because of a reuse.
  case revocations
  /// Families revoked by a sign-out or an administrator.
  case revokedByRequest
  /// Pairs minted whose answer no process read.
  case lostRotations
  /// Pairs read that were in no store when the last process holding them dropped them.
  case unsaved
  /// Sessions dropped unasked, once per process and session.
  case signOuts
  /// Times the app was told of a sign-out.
  case signOutNotices
  /// Sign-outs at whose instant the server would still have accepted a refresh token of the device.
  case falseSignOuts
  /// Writes of an older pair over a newer one.
  case staleStores
  /// Tokens written after a sign-out.
  case resurrections
  /// Tokens of one user written into another's session.
  case crossings
  /// Most refreshes that reached the server in one whole second.
  case refreshPeak

  /// What it counts at most one of: an opening loses the session once per run, calls fail once each.
  public var counted: MetricUnit {
    switch self {
    case .signOuts, .falseSignOuts, .revocations, .revokedByRequest: .run
    case .openings, .openingsUnauthorized: .opening
    case .calls, .attempts, .unauthorized, .firstUnauthorized, .failedCalls, .cancelledCalls,
      .stuckCalls, .waitedCalls, .signOutNotices:
      .call
    case .refreshesSent, .refreshes, .rotations, .reissues, .graced, .rejected, .refused, .forks,
      .duplicates, .duplicatesConcurrent, .duplicatesReplay, .duplicatesStale, .needless, .reuses,
      .lostRotations, .unsaved, .staleStores, .resurrections, .crossings, .refreshPeak:
      .refresh
    }
  }

  /// The name in files and reports.
  public var name: String { String(describing: self) }
}

/// Something that a metric can be counted per.
public enum MetricUnit: Int, CaseIterable, Sendable {
  /// One run.
  case run
  /// One opening of a screen.
  case opening
  /// One call by the app's code.
  case call
  /// One refresh that reached the server.
  case refresh

  /// The metric that counts the unit; nil for runs.
  public var metric: Metric? {
    switch self {
    case .run: nil
    case .opening: .openings
    case .call: .calls
    case .refresh: .refreshes
    }
  }
}
