/// An access token (RFC 6749, 1.4), known by the order in which the server minted it.
public struct AccessToken: Hashable, Sendable, BitwiseCopyable {
  package let id: Int32

  /// Its number, from 1 in the order of minting.
  public var number: Int { Int(id) + 1 }

  package init(id: Int32) {
    self.id = id
  }
}

/// A refresh token (RFC 6749, 1.5), known by the order in which the server minted it.
public struct RefreshToken: Hashable, Sendable, BitwiseCopyable {
  package let id: Int32

  /// Its number, from 1 in the order of minting.
  public var number: Int { Int(id) + 1 }

  package init(id: Int32) {
    self.id = id
  }
}

/// The chain of refresh tokens that one login began.
public struct TokenFamily: Hashable, Sendable, BitwiseCopyable {
  package let id: Int32

  package init(id: Int32) {
    self.id = id
  }
}
