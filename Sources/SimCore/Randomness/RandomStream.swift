/// What a random draw is for.
///
/// One stream per cause, so that a draw added for one moves no other.
public enum RandomCause: UInt64, Sendable, CaseIterable {
  /// When the person opens a screen and when its calls start.
  case userActivity = 1
  /// When the person leaves and returns, and when the system suspends the app.
  case lifecycle
  /// When the device has a network.
  case connectivity
  /// Delays of messages to a server.
  case uplink
  /// Delays of messages from a server.
  case downlink
  /// How long a server works on a request.
  case serverTime
  /// How wrong the device's clock is.
  case clocks
  /// Chance that the client itself adds.
  case clientJitter
  /// How long the store takes.
  case store
}

/// A counter-based source of random numbers: each draw is a pure function of seed, run, cause, and address.
///
/// There is no state to advance. The third call of a process therefore meets the same delay whatever
/// happened before, and strategies can be compared on the same worlds (common random numbers).
package struct RandomStream: Sendable {
  private let key: UInt64

  package init(_ run: RandomRun, cause: RandomCause) {
    key = Self.mix(run.key &+ cause.rawValue &* 0xd1b5_4a32_d192_ed03)
  }

  /// The draws that belong to one address.
  @inline(__always)
  package func draws(at address: DrawAddress) -> Draws {
    Draws(state: key &+ address.code &* 0xd130_2d34_2b8c_6f2d)
  }

  /// The finaliser of SplitMix64 (Steele, Lea, Flood 2014), a bijection that spreads each bit over all.
  @inline(__always)
  static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

/// A run of a seed, from which its streams derive.
package struct RandomRun: Sendable {
  fileprivate let key: UInt64

  package init(seed: UInt64, run: UInt64) {
    key = RandomStream.mix(RandomStream.mix(seed &+ 0x9e37_79b9_7f4a_7c15) ^ run)
  }
}

/// Which draw of a stream: the thing it belongs to, by its number within its process.
package struct DrawAddress: Sendable, BitwiseCopyable {
  let code: UInt64

  /// Draws for the `number`-th thing of a `kind` in a process; `part` tells several draws apart.
  @inline(__always)
  package init(_ kind: Kind, process: Int = 0, number: Int, part: Int = 0) {
    code =
      (kind.rawValue << 60) ^ (UInt64(truncatingIfNeeded: process) &* 0xd1b5_4a32_d192_ed03)
      ^ (UInt64(truncatingIfNeeded: number) << 16) ^ UInt64(truncatingIfNeeded: part)
  }

  /// Draws for a point of the grid of a path over time, or, with 0 on `connectivity`, for where sequences start.
  @inline(__always)
  package init(gridPoint: Int64) {
    code = (Kind.path.rawValue << 60) ^ (UInt64(bitPattern: gridPoint) & 0x0fff_ffff_ffff_ffff)
  }

  package enum Kind: UInt64, Sendable {
    /// A call of the app; the part is the attempt.
    case call = 1
    /// A refresh; number 0 is the login that gave the first pair. Part 0 is the time that it takes, 1 the lifetime
    /// of its access token, 2 what goes wrong at the server.
    case refresh
    /// An opening of a screen; part 0 is its moment.
    case opening
    /// A visit, which ends when the person leaves; part 0 its length, 1 the absence, 2 the suspension.
    case visit
    /// The opening of a connection for the n-th message; the part is the message of its handshake, or its wake.
    case connection
    /// A period with or without a network.
    case connectivity
    /// A number that a client asks for; the part is what it is for.
    case chance
    /// A write to the store.
    case write
    /// A login after the first.
    case login
    /// A reading of the store.
    case read
    /// An attempt to take the lock of the processes.
    case lock
    /// A client of a fleet; part 0 is its sign-in, 1 its first call.
    case client
    /// A point of the grid of a path over time.
    case path = 15
  }
}

/// Successive random numbers of one address.
package struct Draws: Sendable {
  private var state: UInt64

  @inline(__always)
  init(state: UInt64) {
    self.state = state
  }

  /// The next 64 random bits.
  @inline(__always)
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return RandomStream.mix(state)
  }

  /// A number strictly between 0 and 1, a multiple of 2⁻⁵³.
  @inline(__always)
  package mutating func unit() -> Double {
    Self.unit(next())
  }

  /// The number strictly between 0 and 1 that 64 random bits stand for.
  @inline(__always)
  static func unit(_ bits: UInt64) -> Double {
    (Double(bits >> 12) + 0.5) * 0x1p-52
  }
}
