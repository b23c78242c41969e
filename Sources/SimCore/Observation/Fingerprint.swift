/// A 64-bit hash over the facts of a run and their instants.
///
/// Two runs with equal facts have equal fingerprints; different facts give different ones but for a chance
/// of 2⁻⁶⁴. Those of several runs are combined by addition, so the order of the runs does not matter.
public struct Fingerprint: Hashable, Sendable {
  /// The hash.
  public private(set) var value: UInt64 = 0x243f_6a88_85a3_08d3

  package init() {}

  package init(value: UInt64) {
    self.value = value
  }

  @inline(__always)
  package mutating func observe(_ fact: Fact, at now: Instant, by process: Int32 = 0) {
    let (code, payload) = Self.words(of: fact)
    let word = payload ^ (code << 56) ^ Self.pack(process) << 40
    // Moved away from zero, by which a multiplication would spread nothing.
    let time = UInt64(bitPattern: now.nanoseconds) ^ 0x4528_21e6_38d0_1377
    // A multiplication to 128 bits, folded, spreads each bit of both factors.
    let (high, low) = (value ^ word ^ 0x9e37_79b9_7f4a_7c15)
      .multipliedFullWidth(by: time &* 0xd1b5_4a32_d192_ed03 | 1)
    value = (high ^ low) &+ word &* 0xbf58_476d_1ce4_e5b9
  }

  @inline(__always)
  private static func words(of fact: Fact) -> (code: UInt64, payload: UInt64) {
    switch fact {
    case .familyBegan(let family, let refresh, let access, let user):
      (1, pack(family.id, refresh.id) ^ RandomStream.mix(pack(access.id, user - 1)) >> 8)
    case .signedIn(let refresh, let access): (2, pack(refresh.id, access.id))
    case .screenOpened: (3, 0)
    case .appLeft: (4, 0)
    case .appSuspended: (5, 0)
    case .appReturned(let afterSuspension): (6, afterSuspension ? 1 : 0)
    case .suspensionHeldOff: (7, 0)
    case .backgroundTaskExpired: (8, 0)
    case .callStarted(let call): (9, pack(call, 0))
    case .callWaits(let call): (10, pack(call, 0))
    case .attemptSent(let call, let attempt, let token):
      (11, pack(call, token?.id ?? -1) ^ pack(attempt) << 48)
    case .attemptJudged(let call, let attempt, let token, let status):
      (code(of: status), pack(call, token?.id ?? -1) ^ pack(attempt) << 48)
    case .attemptAnswered(let call, let attempt, let status):
      (code(of: status) + 2, pack(call, attempt))
    case .attemptFailed(let call, let attempt, let failure):
      (failure == .transport ? 16 : 17, pack(call, attempt))
    case .callEnded(let call, let outcome): (18, pack(call, code(of: outcome)))
    case .callStuck(let call): (19, pack(call, 0))
    case .refreshSent(let refresh, let token): (20, pack(refresh, token.id))
    case .refreshArrived(let refresh, let token): (21, pack(refresh, token.id))
    case .refreshJudged(let refresh, let token, let judgement):
      (22, pack(refresh, token.id) ^ RandomStream.mix(word(of: judgement)) >> 8)
    case .refreshAnswered(let refresh, nil): (23, pack(refresh, 0))
    case .refreshAnswered(let refresh, let error?): (24, pack(refresh, code(of: error)))
    case .refreshFailed(let refresh, let failure):
      (failure == .transport ? 25 : 26, pack(refresh, 0))
    case .familyRevoked(let family, let revocation):
      (revocation == .reuse ? 27 : 28, pack(family.id, 0))
    case .accessTokenEnded(let token): (29, pack(token.id, 0))
    case .pairStored(let token, let stale): (stale ? 30 : 31, pack(token.id, 0))
    case .signedOut(let reason, let needlessly):
      (needlessly ? 32 : 33, pack(code(of: reason)))
    case .signOutNotified: (34, 0)
    case .exposureKnown(let token, let nanoseconds):
      (35, pack(token.id, 0) ^ RandomStream.mix(UInt64(bitPattern: nanoseconds ?? -1)) >> 8)
    case .networkChanged(let isOnline): (36, isOnline ? 1 : 0)
    case .networkMissing: (48, 0)
    case .clockStepped(let nanoseconds):
      (37, RandomStream.mix(UInt64(bitPattern: nanoseconds)) >> 8)
    case .callPaused(let call, let nanoseconds):
      (38, pack(call, 0) ^ RandomStream.mix(UInt64(bitPattern: nanoseconds)) >> 8)
    case .callCancelled(let call): (39, pack(call, 0))
    case .connectionOpens: (40, 0)
    case .attemptLost(let call, let attempt, let leg):
      (leg == .request ? 41 : 42, pack(call, attempt))
    case .refreshLost(let refresh, let leg): (leg == .request ? 43 : 44, pack(refresh, 0))
    case .refreshAbandoned(let refresh): (45, pack(refresh, 0))
    case .refreshChainCut: (46, 0)
    case .signedOutByPerson: (47, 0)
    case .processLaunched: (60, 0)
    case .processKilled(let byPerson): (61, byPerson ? 1 : 0)
    case .wokenInBackground: (62, 0)
    case .deviceLocked: (63, 0)
    case .deviceUnlocked: (64, 0)
    case .deviceRebooted: (65, 0)
    case .storeRead(let token): (66, pack(token?.id ?? -1))
    case .storeUnreadable: (67, 0)
    case .storeCleared: (68, 0)
    case .storeOverwritten(let token): (69, pack(token.id))
    case .refreshRecorded(let token): (70, pack(token.id))
    case .lockTaken: (71, 0)
    case .lockAwaited: (72, 0)
    case .lockReleased: (73, 0)
    case .transferDelivered(let refresh): (74, pack(refresh))
    case .pairNotStored(let token): (75, pack(token.id))
    case .writeLost(let token): (76, pack(token.id))
    case .pairCrossed(let token): (77, pack(token.id))
    }
  }

  private static func word(of judgement: Fact.Judgement) -> UInt64 {
    switch judgement {
    case .rotated(let refresh, let access, let lifeLeft):
      pack(refresh.id, access.id) ^ UInt64(bitPattern: lifeLeft) << 24
    case .reissued(let access): 1 << 60 ^ pack(access.id, 0)
    case .graced(let refresh, let access, let forked):
      (forked ? 2 : 3) << 60 ^ pack(refresh.id, access.id)
    case .rejected(let reuse): (reuse ? 4 : 5) << 60
    case .refused(let error): 6 << 60 ^ pack(error.map(code) ?? -1)
    }
  }

  /// The code of a judgement; that of the answer that was read is two more.
  private static func code(of status: APIStatus) -> UInt64 {
    switch status {
    case .ok: 12
    case .unauthorized: 13
    case .forbidden: 50
    case .tooManyRequests: 51
    case .clientError: 54
    case .serverError: 55
    case .malformed: 58
    }
  }

  private static func code(of reason: ClientEffect.SignOutReason) -> Int32 {
    switch reason {
    case .rejected: 0
    case .failed: 1
    case .storeWithoutPair: 2
    }
  }

  private static func code(of error: TokenError) -> Int32 {
    switch error {
    case .invalidGrant: 0
    case .forbidden: 1
    case .tooManyRequests: 2
    case .clientError: 3
    case .serverError: 4
    case .malformed: 5
    }
  }

  private static func code(of outcome: CallOutcome) -> Int32 {
    switch outcome {
    case .succeeded: 0
    case .unauthorized: 1
    case .signedOut: 2
    case .transport: 3
    case .timeout: 4
    case .cancelled: 5
    case .forbidden: 6
    case .tooManyRequests: 7
    case .clientError: 8
    case .serverError: 9
    case .malformed: 10
    case .noUsableToken: 11
    }
  }

  @inline(__always)
  private static func pack(_ first: Int32, _ second: Int32) -> UInt64 {
    pack(first) ^ pack(second) << 28
  }

  @inline(__always)
  private static func pack(_ value: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: value))
  }

  /// This fingerprint with the number of its run mixed in, for adding to those of other runs.
  package func marked(run: UInt64) -> UInt64 {
    RandomStream.mix(value &+ RandomStream.mix(run &+ 1))
  }
}
