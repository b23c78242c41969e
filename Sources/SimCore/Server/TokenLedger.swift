/// Everything that the servers have stored about tokens and families.
struct TokenLedger {
  struct RefreshRecord {
    let family: TokenFamily
    let parent: RefreshToken?
    /// The newest access token minted with it.
    var access: AccessToken
    var firstChild: RefreshToken?
    /// Children that can still be exchanged.
    var unspentChildren: Int32 = 0
    var spentAt: Instant?
    var lastUsedAt: Instant
    var gracedUses: Int32 = 0
    /// When a use of a successor ended the grace of this token.
    var graceEndedAt: Instant?
    /// When the last of its children was spent.
    var childrenSpentAt: Instant?
  }

  struct AccessRecord {
    let family: TokenFamily
    let mintedWith: RefreshToken
    let expiry: Instant
    var isEnded = false
  }

  struct FamilyRecord {
    var revokedAt: Instant?
    var accessEnded = false
    var lastRefreshAt: Instant
    /// The newest refresh token.
    var head: RefreshToken
  }

  var refreshTokens = ReusableArray<RefreshRecord>()
  var accessTokens = ReusableArray<AccessRecord>()
  var families = ReusableArray<FamilyRecord>()

  mutating func removeAll() {
    refreshTokens.removeAll()
    accessTokens.removeAll()
    families.removeAll()
  }

  subscript(token: RefreshToken) -> RefreshRecord {
    get { refreshTokens[Int(token.id)] }
    _modify { yield &refreshTokens[Int(token.id)] }
  }

  subscript(token: AccessToken) -> AccessRecord {
    get { accessTokens[Int(token.id)] }
    _modify { yield &accessTokens[Int(token.id)] }
  }

  subscript(family: TokenFamily) -> FamilyRecord {
    get { families[Int(family.id)] }
    _modify { yield &families[Int(family.id)] }
  }

  /// Begins a family with its first pair.
  mutating func begin(at now: Instant, lifetime: Int64) -> (RefreshToken, AccessToken) {
    let family = TokenFamily(id: Int32(families.count))
    let refresh = RefreshToken(id: Int32(refreshTokens.count))
    families.append(FamilyRecord(lastRefreshAt: now, head: refresh))
    let access = mintAccess(of: family, with: refresh, at: now, lifetime: lifetime)
    refreshTokens.append(
      RefreshRecord(family: family, parent: nil, access: access, lastUsedAt: now))
    return (refresh, access)
  }

  /// Mints a refresh token with an access token as a child of `parent`.
  mutating func mintChild(
    of parent: RefreshToken, at now: Instant, lifetime: Int64
  ) -> (RefreshToken, AccessToken) {
    let family = self[parent].family
    let child = RefreshToken(id: Int32(refreshTokens.count))
    let access = mintAccess(of: family, with: child, at: now, lifetime: lifetime)
    refreshTokens.append(
      RefreshRecord(family: family, parent: parent, access: access, lastUsedAt: now))
    if self[parent].firstChild == nil { self[parent].firstChild = child }
    self[parent].unspentChildren += 1
    self[parent].childrenSpentAt = nil
    self[family].head = child
    return (child, access)
  }

  /// Mints an access token beside a refresh token that stays.
  mutating func mintAccess(
    beside refresh: RefreshToken, at now: Instant, lifetime: Int64
  ) -> AccessToken {
    let access = mintAccess(of: self[refresh].family, with: refresh, at: now, lifetime: lifetime)
    self[refresh].access = access
    return access
  }

  private mutating func mintAccess(
    of family: TokenFamily, with refresh: RefreshToken, at now: Instant, lifetime: Int64
  ) -> AccessToken {
    accessTokens.append(
      AccessRecord(
        family: family, mintedWith: refresh,
        expiry: Instant(nanoseconds: now.nanoseconds &+ lifetime)))
    return AccessToken(id: Int32(accessTokens.count - 1))
  }

  /// Marks a token as exchanged or superseded.
  mutating func spend(_ token: RefreshToken, at now: Instant) {
    guard self[token].spentAt == nil else { return }
    self[token].spentAt = now
    guard let parent = self[token].parent else { return }
    self[parent].unspentChildren -= 1
    if self[parent].unspentChildren == 0 { self[parent].childrenSpentAt = now }
  }

  /// Spends every child of `parent` that is still unspent.
  mutating func spendChildren(of parent: RefreshToken, at now: Instant) {
    for id in Int(parent.id) + 1..<refreshTokens.count where refreshTokens[id].parent == parent {
      spend(RefreshToken(id: Int32(id)), at: now)
    }
  }
}
