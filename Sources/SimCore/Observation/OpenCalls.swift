/// The calls that facts may still be told of, found by their process and their number in it.
///
/// Open addressing in a table whose size follows the calls that are open at once, not those of a run. A lookup does
/// not end at a free place, so that a call that ends need not be filled up behind; those of one process lie in the
/// order of their numbers and are found at once.
struct OpenCalls: ~Copyable {
  struct Track {
    /// The process and the number of the call; -1 where there is none.
    var key: Int64 = -1
    var startedAt: Int64 = 0
    /// From its start to the sending of its last attempt, less the pauses before; -1 if it was never sent.
    var waited: Int64 = -1
    /// The pauses of a retry layer so far.
    var paused: Int64 = 0
    /// The slot of its opening; -1 for none.
    var opening: Int32 = -1
    /// Attempts that may still reach the server.
    var underWay: Int32 = 0
    var hasWaited = false
    var hasEnded = false
  }

  private var tracks = ReusableArray<Track>()
  /// How many calls there are.
  private(set) var count = 0
  /// How many there may be before the table grows: half its places.
  private var mostCalls = 8
  /// The number of places less one, whose bits are all set.
  private var mask = 15

  init() {
    for _ in 0..<16 { tracks.append(Track()) }
  }

  /// How many there is room for.
  var capacity: Int { tracks.count }

  mutating func removeAll() {
    guard count > 0 else { return }
    for position in 0..<tracks.count { tracks[position].key = -1 }
    count = 0
  }

  @inline(__always)
  static func key(_ number: Int32, _ process: Int32) -> Int64 {
    Int64(process) << 32 | Int64(number)
  }

  subscript(position: Int) -> Track {
    @inline(__always) get { tracks[position] }
    @inline(__always) _modify { yield &tracks[position] }
  }

  /// Where a call stands until another is added or one removed; nil if it has been removed.
  @inline(__always)
  func position(of number: Int32, by process: Int32) -> Int? {
    let key = Self.key(number, process)
    let home = home(of: key)
    return tracks[home].key == key ? home : search(key, from: home)
  }

  @inline(never)
  private func search(_ key: Int64, from home: Int) -> Int? {
    for step in 1..<tracks.count {
      let position = (home + step) & mask
      if tracks[position].key == key { return position }
    }
    return nil
  }

  @inline(__always)
  mutating func insert(_ track: Track) {
    if count >= mostCalls { grow() }
    place(track)
    count += 1
  }

  @inline(__always)
  mutating func remove(at position: Int) {
    tracks[position].key = -1
    count -= 1
  }

  @inline(__always)
  private mutating func place(_ track: Track) {
    var position = home(of: track.key)
    while tracks[position].key >= 0 { position = (position + 1) & mask }
    tracks[position] = track
  }

  @inline(__always)
  private func home(of key: Int64) -> Int {
    let process = UInt32(truncatingIfNeeded: key >> 32)
    let number = UInt32(truncatingIfNeeded: key)
    return Int(number &+ process &* 0x9e37_79b1) & mask
  }

  @inline(never)
  private mutating func grow() {
    let old = tracks.copy()
    tracks.removeAll()
    for _ in 0..<2 * old.count { tracks.append(Track()) }
    mostCalls = old.count
    mask = tracks.count - 1
    for position in 0..<old.count where old[position].key >= 0 { place(old[position]) }
  }
}
