/// How long messages are on their way, and what becomes of them.
public struct NetworkPolicy: Equatable, Sendable {
  /// From the device to a server.
  public var uplink: Distribution
  /// From a server to the device.
  public var downlink: Distribution
  /// The share of requests that never reach the server.
  public var lostRequests: Double
  /// The share of answers that never reach the device, though the server did its work.
  public var lostAnswers: Double
  /// The share of messages that lose a packet, on each leg and again at each retransmission.
  public var packetLoss: Double
  /// How long a lost packet is waited for before it is sent again; each further loss doubles it.
  public var retransmission: Duration
  /// Round trips that open a connection.
  public var handshakes: Int
  /// How long the radio takes to wake before a connection is opened.
  public var wake: Distribution
  /// The silence after which a new connection is opened; so is one after each resume.
  public var idleAfter: Duration
  /// When there is no network.
  public var offline: Offline
  /// What becomes of a message without a network.
  public var offlineFailure: OfflineFailure
  /// The share of the variance of a delay that messages sent close to each other have in common.
  public var correlation: Double
  /// The time over which that common part changes.
  public var correlationTime: Duration

  /// When a device has no network.
  public enum Offline: Equatable, Sendable {
    /// Never.
    case never
    /// During these periods, in order.
    case periods([Period])
    /// Again and again, beginning with a network.
    case alternating(up: Distribution, down: Distribution)
  }

  /// What becomes of a message while there is no network.
  public enum OfflineFailure: Equatable, Sendable, CaseIterable {
    /// It fails at once; the system knows that there is none.
    case atOnce
    /// It is lost, and the client waits until its timeout.
    case afterTimeout
  }

  /// The network of the published worked example, unless told otherwise.
  public init(
    uplink: Distribution = .logNormal(.mean(.seconds(2), sigma: 0.5)),
    downlink: Distribution = .logNormal(.mean(.milliseconds(200), sigma: 0.5)),
    lostRequests: Double = 0, lostAnswers: Double = 0, packetLoss: Double = 0,
    retransmission: Duration = .seconds(1), handshakes: Int = 0,
    wake: Distribution = .constant(.zero), idleAfter: Duration = .seconds(10),
    offline: Offline = .never, offlineFailure: OfflineFailure = .atOnce, correlation: Double = 0,
    correlationTime: Duration = .milliseconds(400)
  ) {
    self.uplink = uplink
    self.downlink = downlink
    self.lostRequests = lostRequests
    self.lostAnswers = lostAnswers
    self.packetLoss = packetLoss
    self.retransmission = retransmission
    self.handshakes = handshakes
    self.wake = wake
    self.idleAfter = idleAfter
    self.offline = offline
    self.offlineFailure = offlineFailure
    self.correlation = correlation
    self.correlationTime = correlationTime
  }

  /// Whether messages do nothing but take their time.
  var isPlain: Bool {
    lostRequests == 0 && lostAnswers == 0 && packetLoss == 0 && handshakes == 0
      && wake == .constant(.zero) && offline == .never && correlation == 0
      && !uplink.hasSequence && !downlink.hasSequence
  }
}
