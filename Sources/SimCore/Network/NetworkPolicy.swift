/// How long messages are on their way.
public struct NetworkPolicy: Equatable, Sendable {
  /// From the device to a server.
  public var uplink: Distribution
  /// From a server to the device.
  public var downlink: Distribution

  /// The network of the published worked example, unless told otherwise.
  public init(
    uplink: Distribution = .logNormal(.mean(.seconds(2), sigma: 0.5)),
    downlink: Distribution = .logNormal(.mean(.milliseconds(200), sigma: 0.5))
  ) {
    self.uplink = uplink
    self.downlink = downlink
  }
}
