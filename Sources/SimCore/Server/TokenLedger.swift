/// Everything that the servers have stored about tokens and families.
struct TokenLedger: ~Copyable {
  struct RefreshRecord {
    let family: TokenFamily
    let parent: RefreshToken?
    /// The newest access token minted with it.
    var access: AccessToken
    var firstChild: RefreshToken?
    /// Children that can still be exchanged.
    var unspentChildren: Int32 = 0
    var gracedUses: Int32 = 0
    var spentAt: Instant?
    /// The true instant of the commit that spent it, where ``spentAt`` is what the store has of it.
    var spendingCommit = Instant.zero
    /// Whether it was a revocation that ended it, before any exchange did.
    var wasKilled = false
    var lastUsedAt: Instant
    /// When an access token of a child was first accepted.
    var childAcceptedAt: Instant?
    /// When a child was first presented.
    var childPresentedAt: Instant?
    /// When the last of its children was spent.
    var childrenSpentAt: Instant?

    mutating func markSpent(_ write: Write) {
      spentAt = write.stored
      spendingCommit = write.now
    }

    mutating func addChild(_ child: RefreshToken) {
      if firstChild == nil { firstChild = child }
      unspentChildren += 1
      childrenSpentAt = nil
    }

    mutating func loseChild(at now: Instant) {
      unspentChildren -= 1
      if unspentChildren == 0 { childrenSpentAt = now }
    }
  }

  struct AccessRecord {
    let family: TokenFamily
    let mintedWith: RefreshToken
    let lifetime: Int64
    let expiry: Instant
    /// The instant from which it is ended before its expiry.
    var endedAt: Instant?
    /// The older one of its chain, where that works only until something new is used.
    var replaces: AccessToken?
  }

  struct FamilyRecord {
    let startedAt: Instant
    var revokedAt: Instant?
    /// The instant from which its access tokens are ended.
    var accessEndedAt: Instant?
    var lastRefreshAt: Instant
    /// The newest refresh token.
    var head: RefreshToken
    /// The family with which it ends.
    var parent: TokenFamily?
    /// The person whose it is.
    var user: Int32 = 1
  }

  /// A moment of writing, and what is written of it.
  struct Write {
    /// The true instant.
    let now: Instant
    /// The instant as the store has it.
    let stored: Instant
    /// The lifetime of an access token minted now, in nanoseconds.
    let lifetime: Int64
    /// The end of such a token as the store has it.
    let expiry: Instant
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
  mutating func begin(_ write: Write) -> (RefreshToken, AccessToken) {
    let family = TokenFamily(id: Int32(families.count))
    let refresh = RefreshToken(id: Int32(refreshTokens.count))
    families.append(
      FamilyRecord(startedAt: write.stored, lastRefreshAt: write.stored, head: refresh))
    let access = mintAccess(of: family, with: refresh, write)
    refreshTokens.append(
      RefreshRecord(family: family, parent: nil, access: access, lastUsedAt: write.stored))
    return (refresh, access)
  }

  /// Mints a refresh token with an access token as a child of `parent`.
  mutating func mintChild(
    of parent: RefreshToken, _ write: Write
  ) -> (RefreshToken, AccessToken) {
    let family = self[parent].family
    let child = RefreshToken(id: Int32(refreshTokens.count))
    let access = mintAccess(of: family, with: child, write)
    refreshTokens.append(
      RefreshRecord(family: family, parent: parent, access: access, lastUsedAt: write.stored))
    self[parent].addChild(child)
    self[family].head = child
    return (child, access)
  }

  /// Mints an access token beside a refresh token that stays.
  mutating func mintAccess(beside refresh: RefreshToken, _ write: Write) -> AccessToken {
    let access = mintAccess(of: self[refresh].family, with: refresh, write)
    self[refresh].access = access
    return access
  }

  private mutating func mintAccess(
    of family: TokenFamily, with refresh: RefreshToken, _ write: Write
  ) -> AccessToken {
    accessTokens.append(
      AccessRecord(
        family: family, mintedWith: refresh, lifetime: write.lifetime, expiry: write.expiry))
    return AccessToken(id: Int32(accessTokens.count - 1))
  }

  /// Marks a token as exchanged or superseded.
  mutating func spend(_ token: RefreshToken, _ write: Write) {
    guard self[token].spentAt == nil else { return }
    self[token].markSpent(write)
    guard let parent = self[token].parent else { return }
    self[parent].loseChild(at: write.now)
  }

  /// The newest token of a family that is unspent.
  func newestUnspent(of family: TokenFamily) -> RefreshToken? {
    let head = self[family].head
    if self[head].spentAt == nil { return head }
    return (0..<head.id).last {
      let record = refreshTokens[Int($0)]
      return record.family == family && record.spentAt == nil
    }.map(RefreshToken.init(id:))
  }
}

// MARK: Ends before the time

extension TokenLedger {
  /// Spends every child of `parent` that is still unspent.
  ///
  /// - Returns: the access token of the newest, which follows the others' in one chain; nil if there is none.
  mutating func supersedeChildren(of parent: RefreshToken, _ write: Write) -> AccessToken? {
    var newest: AccessToken?
    for id in Int(parent.id) + 1..<refreshTokens.count
    where refreshTokens[id].parent == parent && refreshTokens[id].spentAt == nil {
      spend(RefreshToken(id: Int32(id)), write)
      let access = refreshTokens[id].access
      if let newest { self[oldest(before: access)].replaces = newest }
      newest = access
    }
    return newest
  }

  /// The oldest access token that was minted with the same refresh token and led to this one.
  private func oldest(before access: AccessToken) -> AccessToken {
    var oldest = access
    while let older = self[oldest].replaces, self[older].mintedWith == self[access].mintedWith {
      oldest = older
    }
    return oldest
  }

  /// Ends an access token at an instant, unless it ends earlier.
  mutating func end(_ access: AccessToken, at instant: Instant) {
    let known = self[access].endedAt
    self[access].endedAt = known.map { min($0, instant) } ?? instant
  }

  /// Ends what an access token replaces, and what that replaced.
  mutating func endReplaced(by access: AccessToken, at now: Instant) {
    var older = self[access].replaces
    while let token = older, self[token].endedAt == nil {
      self[token].endedAt = now
      older = self[token].replaces
    }
  }

  /// Ends the oldest access tokens of a family until no more than this many live.
  mutating func dropOldestAccess(of family: TokenFamily, beyond most: Int, at now: Instant) {
    func isLive(_ record: AccessRecord) -> Bool {
      record.family == family && now < record.expiry && (record.endedAt.map { now < $0 } ?? true)
    }
    var live = (0..<accessTokens.count).count { isLive(accessTokens[$0]) }
    for id in 0..<accessTokens.count where live > most && isLive(accessTokens[id]) {
      accessTokens[id].endedAt = now
      live -= 1
    }
  }

  /// Ends every refresh token of a family one by one, so that a grace may still cover them.
  mutating func killRefreshTokens(of family: TokenFamily, _ write: Write) {
    for id in 0..<refreshTokens.count where refreshTokens[id].family == family {
      if refreshTokens[id].spentAt == nil {
        refreshTokens[id].markSpent(write)
        refreshTokens[id].wasKilled = true
      }
      if refreshTokens[id].unspentChildren > 0 {
        refreshTokens[id].unspentChildren = 0
        refreshTokens[id].childrenSpentAt = write.now
      }
    }
  }

  /// Ends every access token of a family one by one, so that later ones are not affected.
  mutating func endAccessTokens(of family: TokenFamily, at now: Instant) {
    for id in 0..<accessTokens.count where accessTokens[id].family == family {
      end(AccessToken(id: Int32(id)), at: now)
    }
  }
}
