import SimCore

extension Metric {
  /// What it counts, as a phrase.
  var meaning: String {
    switch self {
    case .openings: "openings of a screen"
    case .calls: "calls by the app's code"
    case .attempts: "requests sent for calls"
    case .unauthorized: "attempts answered 401"
    case .firstUnauthorized: "calls whose first attempt was answered 401"
    case .openingsUnauthorized: "openings with at least one 401"
    case .failedCalls: "calls that ended without success"
    case .cancelledCalls: "calls that ended by cancellation"
    case .stuckCalls: "calls still open when nothing was left to happen"
    case .waitedCalls: "calls that waited for a refresh, their own or another's"
    case .refreshesSent: "refresh requests sent"
    case .refreshes: "refresh requests that reached the server"
    case .rotations: "new pairs from a live refresh token"
    case .reissues: "new access tokens without rotation"
    case .graced: "spent refresh tokens answered"
    case .rejected: "refreshes answered invalid_grant"
    case .refused: "refreshes with another error, or no answer, and no new pair"
    case .forks: "graced answers that minted a refresh token"
    case .duplicates: "refreshes that present a refresh token which an earlier one presented"
    case .duplicatesConcurrent: "duplicates sent while the earlier refresh was in flight"
    case .duplicatesReplay: "duplicates whose sender never read the answer to its earlier refresh"
    case .duplicatesStale: "all other duplicates"
    case .needless: "rotations with more than half the access token's lifetime left"
    case .reuses: "spent refresh tokens rejected"
    case .revocations: "sessions revoked because of a reuse"
    case .revokedByRequest: "sessions revoked by a sign-out or an administrator"
    case .lostRotations: "pairs minted whose answer no process read"
    case .unsaved: "pairs read that were in no store when they were dropped"
    case .signOuts: "sessions dropped unasked, once per process and session"
    case .signOutNotices: "times the app was told of a sign-out"
    case .falseSignOuts: "sign-outs although the server would have answered a token of the device"
    case .staleStores: "writes of an older pair over a newer one"
    case .resurrections: "tokens written after a sign-out"
    case .crossings: "tokens of one user written into another's session"
    case .refreshPeak: "most refreshes that reached the server in one second"
    }
  }
}
