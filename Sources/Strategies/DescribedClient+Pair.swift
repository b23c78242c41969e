import SimCore

/// The pair in memory: where it comes from, and how long it is good for.
extension DescribedClient {
  struct HeldPair {
    /// Nil if it is not kept in the store that the pair was read from, or not to be used before it is there.
    let access: AccessToken?
    let refresh: RefreshToken
    /// The believed end of the access token by the chosen clock.
    let end: Int64
    /// When it is too old to be used without a refresh; never without a check.
    let tooOldAt: Int64
    /// The server's own end of it.
    let expiry: WallTime
    /// The number of the flight that brought it; 0 for a sign-in or the store.
    var flight: Int32 = 0
    /// Whether it is in the store, for all that the client knows or cares.
    var isStored = true

    /// The same pair with an access token that is not used.
    var withoutAccess: Self {
      Self(
        access: nil, refresh: refresh, end: end, tooOldAt: .min, expiry: expiry, flight: flight,
        isStored: false)
    }
  }

  mutating func signedIn(
    _ response: TokenResponse, requestedAt: Int64, _ now: ClockReading,
    _ effects: inout ClientEffects
  ) {
    session += 1
    hasToldSignOut = false
    let pair = pair(from: response, requestedAt: requestedAt, now: now)
    held = pair
    if decisions.persist == .never {
      held?.isStored = false
    } else {
      effects.append(.storeLogin(persisted(pair.access), pair.refresh, believedEnd: pair.end))
    }
    armSchedule(isStart: true, now, &effects)
    if knowledge != .read { forgetPostponed(now, &effects) }
  }

  mutating func signOut(_ now: ClockReading, _ effects: inout ClientEffects) {
    let token = held?.refresh
    session += 1
    held = nil
    effects.append(.clearStore)
    if decisions.revokesOnSignOut, let token { effects.append(.revoke(token)) }
    if decisions.onSignOut == .cancelRefresh { abandonAll(now, &effects) }
    if knowledge != .read { forgetPostponed(now, &effects) }
  }

  /// What was to happen once the store is read was meant for the session before.
  private mutating func forgetPostponed(
    _ now: ClockReading, _ effects: inout ClientEffects
  ) {
    postponed = Postponed()
    know(now, &effects)
  }

  /// What the chosen clock shows.
  func time(_ now: ClockReading) -> Int64 {
    switch decisions.clock {
    case .wall: now.wall.nanoseconds
    case .continuous: now.continuous.nanoseconds
    case .suspending: now.suspending.nanoseconds
    }
  }

  /// The access token, unless it is too old to be used without a refresh.
  func usable(_ pair: HeldPair, _ now: ClockReading) -> AccessToken? {
    time(now) < pair.tooOldAt ? pair.access : nil
  }

  /// The access token, unless it has ended in the eyes of the client.
  func trusted(_ pair: HeldPair, _ now: ClockReading) -> AccessToken? {
    margin == nil || time(now) < pair.end ? pair.access : nil
  }

  /// How much longer the access token is trusted.
  func timeLeft(_ pair: HeldPair, _ now: ClockReading) -> Int64 {
    pair.access == nil ? 0 : pair.end - time(now)
  }

  mutating func pair(
    from response: TokenResponse, requestedAt: Int64, now: ClockReading
  ) -> HeldPair {
    let seconds = Int64(response.expiresIn) &* 1_000_000_000
    let end =
      switch decisions.expiryBasis {
      case .absolute: response.expiry.nanoseconds
      case .receivedAt: time(now) &+ seconds
      case .sentAt: requestedAt &+ seconds
      case .absoluteCorrected:
        response.expiry.nanoseconds &+ time(now) &- response.date.nanoseconds
      }
    return HeldPair(
      access: response.accessToken, refresh: response.refreshToken, end: end,
      tooOldAt: tooOldAt(end: end, expiresIn: response.expiresIn, response.accessToken),
      expiry: response.expiry)
  }

  /// A pair as it was found in the store.
  private mutating func pair(from found: StoredPair) -> HeldPair {
    var dueAt = Int64.min
    if let access = found.access {
      dueAt = tooOldAt(end: found.believedEnd, expiresIn: found.expiresIn, access)
    }
    return HeldPair(
      access: found.access, refresh: found.refresh, end: found.believedEnd, tooOldAt: dueAt,
      expiry: found.expiry)
  }

  /// Takes a pair from the store into memory, if it is another.
  ///
  /// A pair that is not in the store yet does not give way to the one that it replaces there.
  ///
  /// - Parameter found: the pair in the store.
  /// - Returns: whether it is another.
  mutating func adopt(_ found: StoredPair) -> Bool {
    if let held {
      let isSame =
        found.refresh == held.refresh && (found.access == nil || found.access == held.access)
      if isSame || (!held.isStored && found.expiry <= held.expiry) { return false }
    } else {
      session += 1
      hasToldSignOut = false
    }
    held = pair(from: found)
    withheld = nil
    return true
  }

  /// The access token as it goes to the store.
  func persisted(_ access: AccessToken?) -> AccessToken? {
    decisions.persistedParts == .pair ? access : nil
  }

  /// When a token is too old: a margin before its end, with the cap and the jitter of the margin.
  private mutating func tooOldAt(
    end: Int64, expiresIn: Int32, _ token: AccessToken
  ) -> Int64 {
    guard var margin else { return .max }
    if let cap = decisions.marginCap {
      margin = min(margin, Int64(cap * Double(expiresIn) * 1e9))
    }
    if decisions.marginJitter > .zero {
      margin += jitter(upTo: decisions.marginJitter.nanoseconds, token.number, for: 1)
    }
    return end &- margin
  }

  /// A random length of time up to a limit.
  mutating func jitter(upTo limit: Int64, _ number: Int, for purpose: Int) -> Int64 {
    guard limit > 0, let chance else { return 0 }
    return Int64(Double(limit) * chance.unit(number, for: purpose))
  }
}
