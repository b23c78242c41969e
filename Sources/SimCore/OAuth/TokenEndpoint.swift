/// A successful answer of the token endpoint (RFC 6749, 5.1).
public struct TokenResponse: Sendable, BitwiseCopyable {
  /// The end of the access token by the server's clock, as its `exp` claim says (RFC 7519).
  public let expiry: WallTime
  /// The new access token.
  public let accessToken: AccessToken
  /// The refresh token to use from now on; the presented one where the server does not rotate.
  public let refreshToken: RefreshToken
  /// The lifetime of the access token in whole seconds, rounded down.
  public let expiresIn: Int32

  /// The `Date` of the answer: the server's clock at the commit, in whole seconds.
  public package(set) var date: WallTime

  package init(
    accessToken: AccessToken, refreshToken: RefreshToken, expiresIn: Int32, expiry: WallTime,
    date: WallTime = WallTime(nanoseconds: 0)
  ) {
    self.date = date
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expiresIn = expiresIn
    self.expiry = expiry
  }
}

/// How the token endpoint refuses or fails, as far as a client can tell (RFC 6749, 5.2).
public enum TokenError: Sendable, BitwiseCopyable, CaseIterable {
  /// `invalid_grant`: the refresh token is invalid, expired, revoked, or used up.
  case invalidGrant
  /// 403, as a firewall in front of the server answers.
  case forbidden
  /// 429: too many requests (RFC 6585).
  case tooManyRequests
  /// Any other 4xx.
  case clientError
  /// A 5xx.
  case serverError
  /// A 200 whose body cannot be read.
  case malformed
}

/// What the token endpoint answers.
public enum TokenReply: Sendable, BitwiseCopyable {
  /// New tokens.
  case granted(TokenResponse)
  /// An error; `retryAfter` is the number of seconds of a `Retry-After` header, 0 without one.
  case failed(TokenError, retryAfter: Int32)
}
