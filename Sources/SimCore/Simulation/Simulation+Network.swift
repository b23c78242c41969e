/// Delays, losses, and connections, where messages do more than take their time.
///
/// All are mutating, even where they change nothing: otherwise the optimiser copies the whole simulation for them.
extension Simulation {
  /// How long a message of an exchange is on its way.
  mutating func delay(of exchange: Exchange, _ leg: Fact.Leg) -> Int64 {
    let pin = world.pins.pin(for: exchange)
    if let given = leg == .request ? pin?.uplink : pin?.downlink { return given.nanoseconds }
    let delay = drivenDelay(leg, at: exchange.address)
    let (sum, overflow) = delay.addingReportingOverflow(retransmissions(of: exchange, leg))
    return overflow ? .max : sum
  }

  /// A delay that messages of the same direction and moment partly share.
  private mutating func drivenDelay(_ leg: Fact.Leg, at address: DrawAddress) -> Int64 {
    let (sampler, stream) =
      leg == .request ? (world.uplink, streams.uplink) : (world.downlink, streams.downlink)
    let network = world.scenario.network
    let path = MessagePath(
      SharedPath(stream, spacing: network.correlationTime.nanoseconds),
      share: network.correlation, start: MessagePath.sequenceStart(streams.connectivity))
    return sampler.sample(stream, at: address, moment: now, along: path)
  }

  /// How long lost packets are waited for.
  private mutating func retransmissions(of exchange: Exchange, _ leg: Fact.Leg) -> Int64 {
    let loss = world.scenario.network.packetLoss
    guard loss > 0 else { return 0 }
    var draws = streams.connectivity.draws(at: exchange.address(ofLuckOf: leg))
    _ = draws.next()
    var pause = world.scenario.network.retransmission.nanoseconds
    var total: Int64 = 0
    // Each further loss doubles the wait (RFC 6298, 5.5).
    while draws.unit() < loss {
      let (sum, overflow) = total.addingReportingOverflow(pause)
      guard !overflow, pause < 1 << 61 else { return .max }
      total = sum
      pause *= 2
    }
    return total
  }

  mutating func isLost(_ exchange: Exchange, _ leg: Fact.Leg) -> Bool {
    if let lost = world.pins.pin(for: exchange)?.lost {
      return (lost == .request) == (leg == .request)
    }
    let network = world.scenario.network
    let share = leg == .request ? network.lostRequests : network.lostAnswers
    guard share > 0 else { return false }
    var draws = streams.connectivity.draws(at: exchange.address(ofLuckOf: leg))
    return draws.unit() < share
  }

  mutating func isOnline() -> Bool {
    connectivity.isOnline(at: now, streams.connectivity)
  }

  mutating func networkChanges(isOnline: Bool) {
    connectivity.cutOff(!isOnline)
    tell(.networkChanged(isOnline: isOnline))
  }

  /// How long a message waits for a connection: the first after a silence opens one, the next ones share it.
  mutating func connectionWait(for exchange: Exchange) -> Int64 {
    if let given = world.pins.pin(for: exchange)?.connecting {
      tell(.connectionOpens)
      return given.nanoseconds
    }
    let network = world.scenario.network
    guard network.handshakes > 0 || network.wake != .constant(.zero) else { return 0 }
    if !process.connection.isFresh(at: now, idleAfter: network.idleAfter.nanoseconds) {
      tell(.connectionOpens)
      process.connection.open(readyAt: now.advanced(byNanoseconds: openingTime()))
    }
    process.connection.noteUse(at: now)
    return max(0, process.connection.readyAt - now.nanoseconds)
  }

  private mutating func openingTime() -> Int64 {
    let number = process.connection.opened
    var total = world.wake.sample(
      streams.connectivity, at: DrawAddress(.connection, process: current, number: number))
    for trip in 1...max(1, world.scenario.network.handshakes)
    where world.scenario.network.handshakes > 0 {
      let address = DrawAddress(.connection, process: current, number: number, part: trip)
      for leg in [Fact.Leg.request, .answer] {
        total = total.addingReportingOverflow(drivenDelay(leg, at: address)).partialValue
      }
    }
    return max(0, total)
  }
}

/// The connection to the servers.
struct Connection: BitwiseCopyable {
  private(set) var readyAt: Int64 = 0
  private var lastUsed: Int64 = .min
  /// How many were opened in this run.
  private(set) var opened = 0

  /// Whether it is open, or about to be, and was used lately.
  func isFresh(at now: Instant, idleAfter: Int64) -> Bool {
    opened > 0 && lastUsed != .min
      && (now.nanoseconds < readyAt || now.nanoseconds - lastUsed < idleAfter)
  }

  mutating func open(readyAt: Instant?) {
    self.readyAt = readyAt?.nanoseconds ?? .max
    opened += 1
  }

  mutating func noteUse(at now: Instant) {
    lastUsed = max(lastUsed, now.nanoseconds, readyAt)
  }

  /// A suspension kills it.
  mutating func close() {
    lastUsed = .min
    readyAt = 0
  }
}

extension Exchange {
  /// Where the luck of its message stands in the stream of connectivity.
  func address(ofLuckOf leg: Fact.Leg) -> DrawAddress {
    let offset = leg == .request ? 0x4000 : 0x8000
    switch subject {
    case .attempt(let call):
      return DrawAddress(
        .call, process: Int(process), number: Int(call.number), part: Int(number) + offset)
    case .refresh:
      return DrawAddress(.refresh, process: Int(process), number: Int(number), part: offset)
    case .revocation:
      return DrawAddress(.refresh, process: Int(process), number: Int(number), part: offset + 1)
    }
  }
}
