import Foundation
import SimCore

/// A run told step by step, one line per fact.
enum TraceText {
  /// The lines; times in seconds since the first pair was minted, and behind them the numbers of the processes
  /// if there are several.
  ///
  /// - Parameters:
  ///   - trace: the run.
  ///   - window: the part of it that is told; nil for all.
  /// - Returns: a line per fact, and below each sign-out its cause.
  static func lines(_ trace: Trace, _ window: TraceWindow? = nil) -> String {
    let window = window ?? .between(nil, nil, in: trace)
    let entries = trace.entries[window.range].filter(window.contains)
    let width = (entries.last?.instant.text.count ?? 0) + 2
    let last = trace.entries.map(\.process).max() ?? 1
    let column = String(last).count
    let causes = SignOutText(trace, hasSeveralProcesses: last > 1)
    let blank = String(repeating: " ", count: width + (last > 1 ? column + 2 : 0))
    var previous = ""
    let lines = entries.flatMap { entry in
      let time = entry.instant.text.leftPadded(to: width)
      let shown = time == previous ? String(repeating: " ", count: time.count) : time
      previous = time
      let (actor, words) = words(entry.fact)
      let process = last > 1 ? "  \(String(entry.process).leftPadded(to: column))" : ""
      let why = causes.lines(entry).enumerated().map { index, line in
        "\(blank)  \((index == 0 ? "why" : "").padded(to: 7)) \(line)"
      }
      return ["\(shown)\(process)  \(actor.padded(to: 7)) \(words)"] + why
    }
    let all =
      [window.before(trace).map { "  " + $0 }] + lines + [window.after(trace).map { "  " + $0 }]
    return all.compactMap(\.self).joined(separator: "\n") + "\n"
  }

  /// Who does what, in a fact.
  static func words(_ fact: Fact) -> (actor: String, words: String) {
    switch fact {
    case .familyBegan(_, let refresh, let access, let user):
      (
        "server",
        "mints the first pair\(user > 1 ? " of user \(user)" : ""): \(access.name) and \(refresh.name)"
      )
    case .signedIn(let refresh, let access): ("client", "holds \(access.name) and \(refresh.name)")
    case .screenOpened: ("person", "opens the screen")
    case .appLeft: ("person", "leaves the app")
    case .appSuspended: ("system", "suspends the app: its code stops")
    case .appReturned(let afterSuspension):
      ("person", afterSuspension ? "returns; the app's code runs again" : "returns")
    case .suspensionHeldOff: ("system", "would suspend the app, but it holds a background task")
    case .backgroundTaskExpired: ("system", "ends the background task: its budget is used up")
    case .callStarted(let call): ("app", "starts call \(call)")
    case .networkChanged(let isOnline):
      ("device", isOnline ? "has a network again" : "loses its network")
    case .networkMissing: ("device", "has no network")
    case .clockStepped(let nanoseconds):
      (
        "device",
        "sets its clock \(nanoseconds < 0 ? "back" : "forward") by "
          + Duration.nanoseconds(Int64(nanoseconds.magnitude)).text
      )
    case .callWaits(let call): ("client", "lets call \(call) wait for the refresh")
    case .callPaused(let call, let nanoseconds):
      ("client", "tries call \(call) again in \(Duration.nanoseconds(nanoseconds).text)")
    case .callCancelled(let call): ("app", "cancels call \(call)")
    case .connectionOpens: ("device", "opens a connection")
    case .attemptSent(let call, let attempt, let token):
      (
        "client",
        "sends call \(call)\(attempt > 1 ? " again" : "") \(token.map { "with \($0.name)" } ?? "without a token")"
      )
    case .attemptJudged(let call, _, let token, .ok):
      ("api", "call \(call): accepts \(token?.name ?? "it")")
    case .attemptJudged(let call, _, let token, .unauthorized):
      ("api", "call \(call): 401\(token.map { ", \($0.name) is not accepted" } ?? "")")
    case .attemptJudged(let call, _, _, let status): ("api", "call \(call): \(status.words)")
    case .attemptLost(let call, _, let leg):
      ("network", "loses \(leg == .request ? "call \(call)" : "the answer to call \(call)")")
    case .attemptAnswered(let call, _, let status):
      ("client", "reads \(status.words) for call \(call)")
    case .attemptFailed(let call, _, let failure):
      ("client", "call \(call): \(failure.words)")
    case .callEnded(let call, let outcome): ("app", "call \(call) \(outcome.words)")
    case .callStuck(let call): ("app", "call \(call) is still open: nothing is left to happen")
    case .refreshSent(let refresh, let token):
      ("client", "sends refresh \(refresh) with \(token.name)")
    case .refreshArrived(let refresh, let token):
      ("server", "receives refresh \(refresh) with \(token.name)")
    case .refreshJudged(let refresh, let token, let judgement):
      ("server", "refresh \(refresh): \(words(judgement, token))")
    case .refreshLost(let refresh, let leg):
      (
        "network",
        "loses \(leg == .request ? "refresh \(refresh)" : "the answer to refresh \(refresh)")"
      )
    case .refreshAnswered(let refresh, let error):
      ("client", "reads \(error?.words ?? "the new tokens") of refresh \(refresh)")
    case .refreshAbandoned(let refresh): ("client", "gives refresh \(refresh) up")
    case .refreshChainCut:
      ("client", "cuts the chain: its refresh request asked for a refresh again and again")
    case .signedOutByPerson: ("person", "signs out")
    case .refreshFailed(let refresh, let failure):
      ("client", "refresh \(refresh): \(failure.words)")
    case .familyRevoked(_, .reuse): ("server", "takes the reuse for theft: REVOKES THE SESSION")
    case .familyRevoked(_, .request): ("server", "revokes the session, as an administrator asked")
    case .accessTokenEnded(let token): ("server", "ends \(token.name) before its time")
    case .pairStored(let token, let stale):
      ("client", "stores \(token.name)\(stale ? " over a newer pair" : "")")
    case .signedOut(let reason, let needlessly):
      (
        "client",
        "SIGNS THE USER OUT" + (reason == .storeWithoutPair ? ", for want of a stored pair" : "")
          + (needlessly ? ", although the server would have gone on" : "")
      )
    case .processLaunched: ("system", "launches the app, with nothing in its memory")
    case .processKilled(let byPerson):
      byPerson
        ? ("person", "ends the app for good: its memory is gone")
        : ("system", "kills the app: its memory is gone")
    case .wokenInBackground: ("system", "runs the app in the background")
    case .deviceLocked: ("person", "locks the device")
    case .deviceUnlocked: ("person", "unlocks the device")
    case .deviceRebooted: ("device", "starts anew, and has not been unlocked yet")
    case .storeRead(let token?): ("client", "reads \(token.name) in its store")
    case .storeRead(nil): ("client", "reads its store, which is empty")
    case .storeUnreadable: ("client", "cannot read its store")
    case .storeCleared: ("client", "clears its store")
    case .storeOverwritten(let token):
      ("device", "puts \(token.name) into the store, from elsewhere")
    case .refreshRecorded(let token):
      ("client", "notes in its store that a refresh with \(token.name) begins")
    case .lockTaken: ("client", "holds the lock")
    case .lockAwaited: ("client", "waits for the lock, which another process holds")
    case .lockReleased: ("client", "gives the lock up")
    case .transferDelivered(let refresh):
      ("system", "has the answer to refresh \(refresh), for when the app runs again")
    case .pairNotStored(let token): ("client", "cannot store \(token.name)")
    case .writeLost(let token): ("system", "loses the write of \(token.name), killed midway")
    case .pairCrossed(let token):
      ("client", "stores \(token.name) INTO THE SESSION OF ANOTHER PERSON")
    case .signOutNotified: ("app", "is told that the session is gone")
    case .exposureKnown(let token, let nanoseconds):
      (
        "server",
        nanoseconds.map { "would have answered \(token.name) for \(Duration.nanoseconds($0).text)" }
          ?? "would answer \(token.name) for ever"
      )
    }
  }

  private static func words(_ judgement: Fact.Judgement, _ token: RefreshToken) -> String {
    switch judgement {
    case .rotated(let refresh, let access, _):
      "spends \(token.name), mints \(access.name) and \(refresh.name)"
    case .reissued(let access): "keeps \(token.name), mints \(access.name)"
    case .graced(let refresh, let access, let forked):
      "\(token.name) was spent, but its grace holds: answers \(access.name) and "
        + "\(refresh.name)\(forked ? ", a further child" : "")"
    case .rejected(let reuse):
      reuse
        ? "\(token.name) was spent before: invalid_grant" : "\(token.name) is dead: invalid_grant"
    case .refused(let error?): "\(error.words), and does nothing"
    case .refused(nil): "does nothing and never answers"
    }
  }
}

extension Instant {
  /// Seconds with six decimals, and commas between thousands.
  var text: String {
    let microseconds = nanoseconds / 1000
    let fraction = String(format: "%06d", Int(microseconds % 1_000_000).magnitude)
    return "\(Int(microseconds / 1_000_000).grouped).\(fraction) s"
  }
}

extension AccessToken {
  /// A short name for reports.
  var name: String { "A\(number)" }
}

extension RefreshToken {
  /// A short name for reports.
  var name: String { "R\(number)" }
}

extension RequestFailure {
  fileprivate var words: String {
    switch self {
    case .transport: "the connection is lost"
    case .timeout: "no answer came in time"
    }
  }
}

extension APIStatus {
  fileprivate var words: String {
    switch self {
    case .ok: "200"
    case .unauthorized: "401"
    case .forbidden: "403"
    case .tooManyRequests: "429"
    case .clientError: "another 4xx"
    case .serverError: "a 5xx"
    case .malformed: "an answer that makes no sense"
    }
  }
}

extension TokenError {
  fileprivate var words: String {
    switch self {
    case .invalidGrant: "invalid_grant"
    case .forbidden: "403"
    case .tooManyRequests: "429"
    case .clientError: "another 4xx"
    case .serverError: "a 5xx"
    case .malformed: "an answer that makes no sense"
    }
  }
}

extension CallOutcome {
  fileprivate var words: String {
    switch self {
    case .succeeded: "succeeds"
    case .unauthorized: "fails with a 401"
    case .signedOut: "fails: signed out"
    case .transport: "fails: the connection was lost"
    case .timeout: "fails: no answer came in time"
    case .cancelled: "ends cancelled"
    case .forbidden: "fails with a 403"
    case .tooManyRequests: "fails with a 429"
    case .clientError: "fails with another 4xx"
    case .serverError: "fails with a 5xx"
    case .malformed: "fails: the answer makes no sense"
    case .noUsableToken: "fails: there is no token that the client would use"
    }
  }
}
