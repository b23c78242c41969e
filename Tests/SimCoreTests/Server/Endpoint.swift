@testable import SimCore

/// What an exchange gave, in a word; tokens by their numbers, from 1.
enum Answer: Equatable {
  case rotated(Int)
  case reissued(Int)
  case graced(Int, forked: Bool)
  case rejected(reuse: Bool, revoked: Bool)
  case refused(TokenError)

  /// A spent token that ends the session.
  static let theft = rejected(reuse: true, revoked: true)
  /// A spent token that ends nothing.
  static let reuse = rejected(reuse: true, revoked: false)
  /// A token that is not known, or dead without having been spent.
  static let unknown = rejected(reuse: false, revoked: false)
}

/// A token endpoint and a resource server with one family, begun at zero; refresh token 1, access token 1.
final class Endpoint {
  let server: AuthorizationServer
  let resource: ResourceServer
  var ledger = TokenLedger()
  /// How many refresh tokens were minted.
  var refreshTokens: Int { ledger.refreshTokens.count }
  /// How many access tokens were minted.
  var accessTokens: Int { ledger.accessTokens.count }
  /// The last answer with tokens.
  var lastResponse: TokenResponse

  init(_ policy: ServerPolicy, lifetime: Duration = .seconds(300)) {
    server = AuthorizationServer(policy)
    resource = ResourceServer(policy)
    lastResponse = server.login(&ledger, at: .zero, lifetime: lifetime.nanoseconds)
  }

  convenience init(lifetime: Duration = .seconds(300), _ change: (inout ServerPolicy) -> Void) {
    var policy = ServerPolicy()
    change(&policy)
    self.init(policy, lifetime: lifetime)
  }

  /// Presents refresh tokens at these seconds, each read at its commit.
  func present(_ presentations: [(number: Int, second: Double)]) -> [Answer] {
    presentations.map { present($0.number, at: .exactly(seconds: $0.second)) }
  }

  /// Presents a refresh token that is read and judged at these moments.
  func present(
    _ number: Int, at moment: Duration, readAt: Duration? = nil,
    lifetime: Duration = .seconds(300), _ mishap: Mishap = Mishap()
  ) -> Answer {
    let outcome = server.exchange(
      RefreshToken(id: Int32(number - 1)), &ledger,
      at: Instant(nanoseconds: moment.nanoseconds),
      readAt: Instant(nanoseconds: (readAt ?? moment).nanoseconds),
      lifetime: lifetime.nanoseconds, mishap)
    switch outcome {
    case .rotated(let response, _):
      lastResponse = response
      return .rotated(response.refreshToken.number)
    case .reissued(let response):
      lastResponse = response
      return .reissued(response.refreshToken.number)
    case .graced(let response, let forked):
      lastResponse = response
      return .graced(response.refreshToken.number, forked: forked)
    case .rejected(let reuse, let revoked):
      return .rejected(reuse: reuse, revoked: revoked != nil)
    case .refused(let error): return .refused(error)
    }
  }

  /// Whether an access token is accepted at these seconds; that counts as a use.
  func use(_ number: Int, at second: Double) -> Bool {
    let token = AccessToken(id: Int32(number - 1))
    let now = Instant(nanoseconds: Duration.exactly(seconds: second).nanoseconds)
    guard resource.accepts(token, ledger, at: now) else { return false }
    if server.heedsAcceptance { server.noteAcceptance(of: token, &ledger, at: now) }
    return true
  }

  /// Whether an access token would be accepted at these seconds.
  func accepts(_ number: Int, at second: Double) -> Bool {
    resource.accepts(
      AccessToken(id: Int32(number - 1)), ledger,
      at: Instant(nanoseconds: Duration.exactly(seconds: second).nanoseconds))
  }

  /// Whether a refresh token would be answered at these seconds.
  func wouldAnswer(_ number: Int, at second: Double) -> Bool {
    server.wouldAnswer(
      RefreshToken(id: Int32(number - 1)), ledger,
      at: Instant(nanoseconds: Duration.exactly(seconds: second).nanoseconds))
  }

  /// The seconds for which a spent token would have been answered; -1 for ever.
  func exposure(of number: Int) -> Double {
    let record = ledger[RefreshToken(id: Int32(number - 1))]
    return server.exposure(of: record, ledger).map { Double($0) / 1e9 } ?? -1
  }
}

extension Duration {
  /// The nearest nanosecond to a number of seconds, where the number itself may be a little less.
  static func exactly(seconds: Double) -> Duration {
    .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}
