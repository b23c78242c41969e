import SimCore

/// A client without a mind of its own: it notes what it is told and answers by a script.
struct ScriptedClient: Client, ~Copyable {
  /// What clients were told, as "second event" with the number of the process before it where there are several.
  final class Log {
    fileprivate(set) var lines: [String] = []
  }

  let profile: ClientProfile
  private let log: Log
  private let name: String
  private let script: (ClientEvent) -> [ClientEffect]

  init(
    _ log: Log, process: Int? = nil, _ change: (inout ClientProfile) -> Void = { _ in },
    script: @escaping (ClientEvent) -> [ClientEffect]
  ) {
    var profile = ClientProfile(
      check: .none, expiryBasis: .absolute, timeout: .seconds(60), concurrency: .merged)
    change(&profile)
    self.profile = profile
    self.log = log
    self.script = script
    name = process.map { "\($0): " } ?? ""
  }

  mutating func reset(_ chance: ClientChance) {}

  mutating func handle(_ event: ClientEvent, now: ClockReading, effects: inout ClientEffects) {
    let seconds = Double(now.wall.nanoseconds) / 1e9
    log.lines.append("\(seconds) \(name)\(Self.words(event))")
    for effect in script(event) { effects.append(effect) }
  }

  private static func words(_ event: ClientEvent) -> String {
    switch event {
    case .signedIn(let response, _): "signed in with R\(response.refreshToken.number)"
    case .callStarted(let call, _): "call \(call.number)"
    case .refreshAnswered(_, .granted(let response)): "answered R\(response.refreshToken.number)"
    case .refreshAnswered(_, .failed(let error, _)): "answered \(error)"
    case .refreshFailed(_, let failure): "refresh failed: \(failure)"
    case .storeRead(_, .pair(let pair)):
      "read R\(pair.refresh.number)\(pair.hasUnfinishedRefresh ? ", unfinished" : "")"
    case .storeRead(_, .empty): "read nothing"
    case .storeRead(_, .unreadable): "could not read"
    case .transferDelivered(.granted(let response)): "delivered R\(response.refreshToken.number)"
    case .transferDelivered(.failed(let error, _)): "delivered \(error)"
    case .stored: "stored"
    case .storeFailed: "not stored"
    case .refreshOrdered: "refresh ordered"
    default: "\(event)".split(separator: "(")[0].description
    }
  }
}
