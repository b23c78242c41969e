import SimCore

extension SignOutCause {
  /// What happened, in a few words for people who do not know OAuth.
  var words: String {
    switch self {
    case .mistakenError: "another failure was taken for the end of the session"
    case .endOfLife: "the session had reached its end"
    case .revokedElsewhere: "the session had been revoked, by a sign-out or an administrator"
    case .concurrentDuplicate: "two refreshes ran at once"
    case .otherProcess: "another process of the device had refreshed"
    case .otherDevice: "another device had refreshed"
    case .serverRace: "the server answered two refreshes and kept one"
    case .lostAnswer: "the answer was lost on its way"
    case .clientTimeout: "the app had given up waiting for the answer"
    case .cancelled: "the refresh had been cancelled"
    case .suspension: "the app was suspended when the answer came"
    case .kill: "the app was killed before the new tokens were stored"
    case .outdatedToken: "the app used a refresh token that it had captured before"
    case .lostWrite: "the new tokens could not be stored"
    case .staleWrite: "older tokens had overwritten the new ones"
    }
  }

  /// What it means, as a phrase for those who know the terms.
  var meaning: String {
    switch self {
    case .mistakenError:
      "another failure than invalid_grant, or a store that could not be read, was taken for the end"
    case .endOfLife: "the refresh token was unspent, but had reached its end"
    case .revokedElsewhere:
      "the refresh token was unspent, but a sign-out or an administrator had revoked the session"
    case .concurrentDuplicate:
      "the process had presented the refresh token in another refresh, still in flight"
    case .otherProcess: "another process of the device had presented the refresh token"
    case .otherDevice: "another device had presented the refresh token"
    case .serverRace:
      "the server answered two overlapping refreshes with one token and kept only one"
    case .lostAnswer: "the answer of the refresh that spent the token was lost on its way"
    case .clientTimeout: "the client had given up waiting for that answer"
    case .cancelled: "the refresh that spent the token had been cancelled"
    case .suspension: "the app was suspended when that answer came, and perhaps killed later"
    case .kill:
      "the process was killed before it read that answer, or before it stored what it read"
    case .outdatedToken: "the process had the successor, and presented a token captured before"
    case .lostWrite: "the process had read the successor, but could not write it to its store"
    case .staleWrite: "the process had stored the successor, and an older pair overwrote it"
    }
  }
}
