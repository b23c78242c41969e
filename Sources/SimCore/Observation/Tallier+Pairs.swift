/// Where pairs are: in the memory of processes and in stores.
extension Tallier {
  mutating func signIn(_ token: RefreshToken, by process: Int32) {
    grow(for: token)
    let index = Int(process)
    if processes[index].held != token.id { drop(by: process) }
    processes[index].hasSession = true
    processes[index].signOut = -1
    read(token.id, by: process)
    stores[Int(processes[index].store)].clearedBy = -1
    put(token, into: Int(processes[index].store))
  }

  /// The process drops what it holds for a newer pair; an older one it may read and not want.
  @inline(__always)
  mutating func read(_ token: Int32, by process: Int32) {
    guard token >= 0 else { return }
    let index = Int(process)
    processes[index].lastRead = token
    processes[index].newestRead = max(processes[index].newestRead, token)
    guard token > processes[index].held else { return }
    drop(by: process)
    processes[index].held = token
    refreshTokens[Int(token)].holders += 1
  }

  /// A pair that was removed from a store on purpose, or replaced there by a newer one, counts as saved.
  @inline(__always)
  private mutating func drop(by process: Int32) {
    let token = Int(processes[Int(process)].held)
    guard token >= 0 else { return }
    processes[Int(process)].held = -1
    refreshTokens[token].holders -= 1
    if refreshTokens[token].holders == 0, refreshTokens[token].stores == 0,
      !refreshTokens[token].wasCleared
    {
      count(.unsaved)
    }
  }

  /// The process has no session any more.
  mutating func endSession(of process: Int32) {
    drop(by: process)
    processes[Int(process)].hasSession = false
  }

  /// The process loses its memory, and with it the answers that it waits for.
  ///
  /// An app that the system removes long after it stopped its code has missed them by the suspension.
  mutating func kill(_ process: Int32, byPerson: Bool, at now: Instant) {
    drop(by: process)
    let wasSuspended = processes[Int(process)].isSuspended && !byPerson
    processes[Int(process)].isSuspended = false
    endAwaited(by: process, wasSuspended ? .suspended : .killed, at: now)
    processes[Int(process)].life += 1
    processes[Int(process)].lastRead = -1
    processes[Int(process)].newestRead = -1
    processes[Int(process)].rejection = -1
  }

  // MARK: Stores

  @inline(__always)
  private mutating func put(_ token: RefreshToken, into store: Int) {
    let old = stores[store].token
    refreshTokens[Int(token.id)].wasStored = true
    guard old != token.id else { return }
    if old >= 0 {
      refreshTokens[Int(old)].stores -= 1
      // What a newer pair replaces is over, not lost.
      if old < token.id { refreshTokens[Int(old)].wasCleared = true }
    }
    refreshTokens[Int(token.id)].stores += 1
    stores[store].token = token.id
  }

  mutating func notePair(_ token: RefreshToken, isStale: Bool, by process: Int32) {
    grow(for: token)
    let store = Int(processes[Int(process)].store)
    if isStale {
      count(.staleStores)
      refreshTokens[Int(token.id)].overwroteNewer = true
    }
    let clearer = stores[store].clearedBy
    if !processes[Int(process)].hasSession || (clearer >= 0 && !processes[Int(clearer)].hasSession)
    {
      count(.resurrections)
    }
    put(token, into: store)
  }

  mutating func overwriteStore(_ token: RefreshToken, by process: Int32) {
    grow(for: token)
    let store = Int(processes[Int(process)].store)
    if stores[store].token > token.id { refreshTokens[Int(token.id)].overwroteNewer = true }
    put(token, into: store)
  }

  mutating func clearStore(at now: Instant, by process: Int32) {
    let store = Int(processes[Int(process)].store)
    let token = Int(stores[store].token)
    if token >= 0 {
      refreshTokens[token].stores -= 1
      refreshTokens[token].wasCleared = true
    }
    stores[store] = StoreTrack(token: -1, clearedBy: process, clearedAt: now.nanoseconds)
  }

  mutating func noteReading(of token: RefreshToken?, at now: Instant, by process: Int32) {
    processes[Int(process)].storeWasUnreadable = false
    guard let token else {
      processes[Int(process)].storeTroubleAt = now.nanoseconds
      return
    }
    grow(for: token)
    processes[Int(process)].hasSession = true
    read(token.id, by: process)
  }

  mutating func noteUnreadableStore(at now: Instant, by process: Int32) {
    processes[Int(process)].storeWasUnreadable = true
    processes[Int(process)].storeTroubleAt = now.nanoseconds
  }

  mutating func noteFailedWrite(of token: RefreshToken) {
    grow(for: token)
    refreshTokens[Int(token.id)].writeFailed = true
  }

  mutating func noteLostWrite(of token: RefreshToken) {
    grow(for: token)
    refreshTokens[Int(token.id)].writeWasLost = true
  }
}
