/// Refreshes, and what the server made of their tokens.
extension Tallier {
  /// The position of a refresh, which is its number less one where there is one process.
  @inline(__always)
  mutating func track(_ refresh: Int32, by process: Int32) -> Int {
    let guess = Int(refresh) - 1
    if guess < refreshes.count, refreshes[guess].number == refresh,
      refreshes[guess].process == process
    {
      return guess
    }
    return search(refresh, by: process)
  }

  /// Refreshes that wait for a connection may leave out of order, or never, so those before it are added too.
  @inline(never)
  private mutating func search(_ refresh: Int32, by process: Int32) -> Int {
    let owner = Int(process)
    while processes[owner].refreshes < refresh {
      add(processes[owner].refreshes + 1, by: process)
    }
    // Those that something is told of are among the last.
    var position = Int(processes[owner].refresh)
    while refreshes[position].number != refresh { position = Int(refreshes[position].previous) }
    return position
  }

  @inline(__always)
  mutating func grow(for token: RefreshToken) {
    while refreshTokens.count <= Int(token.id) { refreshTokens.append(TokenTrack()) }
  }

  @inline(__always)
  mutating func noteSending(
    of refresh: Int32, presenting token: RefreshToken, at now: Instant, by process: Int32
  ) {
    let owner = Int(process)
    if processes[owner].refreshes == refresh - 1 { add(refresh, by: process) }
    let position = track(refresh, by: process)
    refreshes[position].sentAt = now.nanoseconds
    refreshes[position].token = token.id
    refreshes[position].life = processes[owner].life
    refreshes[position].newestRead = processes[owner].newestRead
    refreshes[position].presentsLastRead = processes[owner].lastRead == token.id
    processes[owner].awaited += 1
  }

  @inline(__always)
  private mutating func add(_ refresh: Int32, by process: Int32) {
    let previous = processes[Int(process)].refresh
    processes[Int(process)].refreshes = refresh
    processes[Int(process)].refresh = Int32(refreshes.count)
    refreshes.append(RefreshTrack(process: process, number: refresh, previous: previous))
  }

  mutating func noteLostAnswer(of refresh: Int32, by process: Int32) {
    let position = track(refresh, by: process)
    if refreshes[position].end == .none { refreshes[position].lostAnswer = true }
  }

  mutating func readAnswer(
    of refresh: Int32, _ error: TokenError?, at now: Instant, by process: Int32
  ) {
    let position = track(refresh, by: process)
    endRefresh(position, error == nil ? .answered : .refused, at: now, by: process)
    switch error {
    case nil:
      if refreshes[position].minted { unreadRotations -= 1 }
      read(refreshes[position].answer, by: process)
    case .invalidGrant: processes[Int(process)].rejection = Int32(position)
    case _?: processes[Int(process)].failedAt = now.nanoseconds
    }
  }

  mutating func failRefresh(
    _ refresh: Int32, _ failure: RequestFailure, at now: Instant, by process: Int32
  ) {
    let position = track(refresh, by: process)
    let wasSuspended = processes[Int(process)].suspendedAt >= refreshes[position].sentAt
    let end: RefreshTrack.End =
      switch failure {
      case .timeout: .timedOut
      case .transport: wasSuspended ? .suspended : .failed
      }
    endRefresh(position, end, at: now, by: process)
    processes[Int(process)].failedAt = now.nanoseconds
  }

  /// A refresh may end before it ever left the device, and an answer may reach the next life of its process.
  @inline(__always)
  mutating func endRefresh(
    _ position: Int, _ end: RefreshTrack.End, at now: Instant, by process: Int32
  ) {
    if refreshes[position].end == .none {
      if refreshes[position].sentAt != .max { processes[Int(process)].awaited -= 1 }
    } else if end != .answered && end != .refused {
      return
    }
    refreshes[position].endedAt = now.nanoseconds
    refreshes[position].end = end
  }

  mutating func suspend(_ process: Int32, at now: Instant) {
    processes[Int(process)].suspendedAt = now.nanoseconds
    processes[Int(process)].isSuspended = true
  }

  /// Ends the refreshes that a process waits for, which are among its last.
  mutating func endAwaited(by process: Int32, _ end: RefreshTrack.End, at now: Instant) {
    var position = processes[Int(process)].refresh
    while position >= 0, processes[Int(process)].awaited > 0 {
      if refreshes[Int(position)].end == .none, refreshes[Int(position)].sentAt != .max {
        endRefresh(Int(position), end, at: now, by: process)
      }
      position = refreshes[Int(position)].previous
    }
  }

  // MARK: The server

  mutating func noteFamily(_ family: TokenFamily, _ token: RefreshToken) {
    grow(for: token)
    refreshTokens[Int(token.id)].family = family.id
    while lastRevocation.count <= Int(family.id) { lastRevocation.append(-1) }
  }

  mutating func noteRevocation(
    of family: TokenFamily, _ reason: Fact.Revocation, at now: Instant, by process: Int32
  ) {
    while lastRevocation.count <= Int(family.id) { lastRevocation.append(-1) }
    revocations.append(
      RevocationTrack(
        at: now.nanoseconds, reuse: reason == .reuse ? lastJudged : -1,
        tokens: Int32(refreshTokens.count), process: process,
        previous: lastRevocation[Int(family.id)]))
    lastRevocation[Int(family.id)] = Int32(revocations.count - 1)
  }

  mutating func note(
    _ judgement: Fact.Judgement, of refresh: Int32, presenting token: RefreshToken, at now: Instant,
    by process: Int32
  ) {
    let position = track(refresh, by: process)
    refreshes[position].judgedAt = now.nanoseconds
    refreshes[position].token = token.id
    lastJudged = Int32(position)
    notePresentation(of: token, by: position)
    switch judgement {
    case .rotated(let child, _, let lifeLeft):
      count(.rotations)
      addLifeUnused(lifeLeft)
      if lifeLeft > 500_000_000 { count(.needless) }
      if refreshTokens[Int(token.id)].spentBy < 0 {
        refreshTokens[Int(token.id)].spentBy = Int32(position)
      } else {
        refreshes[position].isSecondFirstUse = true
      }
      mint(child, from: token, by: position)
    case .reissued:
      count(.reissues)
      refreshes[position].answer = token.id
    case .graced(let child, _, let forked):
      count(.graced)
      refreshes[position].answer = child.id
      if forked {
        count(.forks)
        mint(child, from: token, by: position)
      }
    case .rejected(let reuse):
      count(.rejected)
      if reuse { count(.reuses) }
      refreshes[position].isReuse = reuse
    case .refused: count(.refused)
    }
  }

  @inline(__always)
  private mutating func mint(_ child: RefreshToken, from parent: RefreshToken, by position: Int) {
    grow(for: child)
    refreshes[position].minted = true
    unreadRotations += 1
    refreshes[position].answer = child.id
    let older = refreshTokens[Int(parent.id)].newestChild
    if older >= 0 { refreshTokens[Int(older)].youngerSibling = child.id }
    refreshTokens[Int(parent.id)].newestChild = child.id
    refreshTokens[Int(child.id)].mintedBy = Int32(position)
    refreshTokens[Int(child.id)].family = refreshTokens[Int(parent.id)].family
  }

  /// Counts a duplicate, which of a token that is not spent is one only while the earlier is in flight.
  private mutating func notePresentation(of token: RefreshToken, by position: Int) {
    grow(for: token)
    let predecessor = refreshTokens[Int(token.id)].presentedBy
    refreshTokens[Int(token.id)].presentedBy = Int32(position)
    guard predecessor >= 0 else { return }
    refreshes[position].predecessor = predecessor
    let kind = kindOfDuplicate(at: position)
    guard kind == .duplicatesConcurrent || refreshTokens[Int(token.id)].spentBy >= 0 else { return }
    count(.duplicates)
    count(kind)
  }

  /// Mutating, because the compiler copies the whole fold for a method that is not.
  private mutating func kindOfDuplicate(at position: Int) -> Metric {
    var other = Int(refreshes[position].predecessor)
    let sentAt = refreshes[position].sentAt
    var isReplay = false
    while other >= 0 {
      // One that overtook this one on its way was sent later; of the two it is the duplicate.
      let first = sentAt < refreshes[other].sentAt ? position : other
      if max(sentAt, refreshes[other].sentAt) < refreshes[first].endedAt {
        return .duplicatesConcurrent
      }
      if !refreshes[first].isAnswered, refreshes[other].process == refreshes[position].process {
        isReplay = true
      }
      other = Int(refreshes[other].predecessor)
    }
    return isReplay ? .duplicatesReplay : .duplicatesStale
  }
}
