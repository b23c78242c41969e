/// What is remembered of processes, stores, refreshes, and tokens, to tell the cause of a sign-out from.
///
/// Refreshes and tokens go by their positions in the tallier's lists, with -1 for none.
extension Tallier {
  struct ProcessTrack {
    let device: Int32
    let store: Int32
    /// The slot of its last opening.
    var opening: Int32 = -1
    /// Its last refresh.
    var refresh: Int32 = -1
    /// How many refreshes of it are in the list, all that its numbers have reached.
    var refreshes: Int32 = 0
    /// How many refreshes it waits for.
    var awaited: Int32 = 0
    /// How often it was killed.
    var life: Int32 = 0
    /// The newest refresh token in its memory, as long as it has a session.
    var held: Int32 = -1
    /// The refresh token that it read last.
    var lastRead: Int32 = -1
    /// The newest refresh token that it read since it was launched.
    var newestRead: Int32 = -1
    /// The refresh whose `invalid_grant` it read last.
    var rejection: Int32 = -1
    /// Its sign-out since its last login.
    var signOut: Int32 = -1
    var hasSession = true
    var storeWasUnreadable = false
    var suspendedAt = Int64.min
    var isSuspended = false
    /// When it read another error of a refresh, or a refresh failed.
    var failedAt: Int64 = -1
    /// When it found its store empty or could not read it.
    var storeTroubleAt: Int64 = -1

    init(device: Int32, store: Int32) {
      self.device = device
      self.store = store
    }

    mutating func reset() {
      self = Self(device: device, store: store)
    }
  }

  struct StoreTrack {
    /// The refresh token in it.
    var token: Int32 = -1
    /// The process that cleared it last since the last login.
    var clearedBy: Int32 = -1
    var clearedAt: Int64 = 0
  }

  struct RefreshTrack {
    var sentAt = Int64.max
    /// When its sender read the answer, or gave up.
    var endedAt = Int64.max
    var judgedAt = Int64.max
    let process: Int32
    /// Its number in the process.
    let number: Int32
    /// The refresh of the process before it.
    let previous: Int32
    /// How often its process had been killed when it was sent.
    var life: Int32 = 0
    var token: Int32 = -1
    /// The refresh token of the answer.
    var answer: Int32 = -1
    /// The refresh that presented the same token before.
    var predecessor: Int32 = -1
    /// The newest refresh token that its process had read when it was sent.
    var newestRead: Int32 = -1
    var end = End.none
    /// Whether it presents the token that its process had read last.
    var presentsLastRead = false
    var minted = false
    var isReuse = false
    /// Whether it was answered as a first use though another had spent the token.
    var isSecondFirstUse = false
    /// Whether its answer was lost while its sender waited for it.
    var lostAnswer = false

    /// How it ended for its sender.
    enum End: UInt8 {
      case none, answered, refused, failed, timedOut, suspended, abandoned, killed
    }

    /// An answer that holds no tokens leaves those that were minted unread.
    var isAnswered: Bool { end == .answered || end == .refused && !minted }
  }

  struct TokenTrack {
    var family: Int32 = -1
    /// The refresh with it that was judged last.
    var presentedBy: Int32 = -1
    /// The refresh that spent it.
    var spentBy: Int32 = -1
    /// The refresh that minted it.
    var mintedBy: Int32 = -1
    /// The last refresh token that it was exchanged for.
    var newestChild: Int32 = -1
    /// The next refresh token that its parent was exchanged for.
    var youngerSibling: Int32 = -1
    /// The processes that have it in memory.
    var holders: Int32 = 0
    /// The stores that it lies in.
    var stores: Int32 = 0
    var wasStored = false
    /// Whether it was removed from a store on purpose.
    var wasCleared = false
    var writeFailed = false
    var writeWasLost = false
    /// Whether it was written over a newer one.
    var overwroteNewer = false
  }

  struct RevocationTrack {
    let at: Int64
    /// The reuse that led to it; -1 if it was asked for.
    let reuse: Int32
    /// How many refresh tokens there were.
    let tokens: Int32
    /// The process that it is told of.
    let process: Int32
    /// The revocation of the same family before it.
    let previous: Int32
  }
}
