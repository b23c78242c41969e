import SimCore

extension ScenarioField {
  /// The most clients of a fleet.
  static let mostClients = 100_000

  /// Use over days, and by many.
  static var longUsage: [ScenarioField] {
    [
      .init(
        "usage.visit", \.usage.visit, DistributionText.codec, hasMembers: true,
        "how long the person stays in the app, in sessions"),
      .init(
        "usage.gap", \.usage.gap, DistributionText.codec, hasMembers: true,
        "how long the person stays away between two visits, not counting the night"),
      .init(
        "usage.night", \.usage.night, .partOfDay,
        "the hours of each day in which nobody opens the app; the run begins in the morning"),
      .init(
        "usage.whileOpen", \.usage.whileOpen, DistributionText.codec.optional(none: "none"),
        hasMembers: true,
        "time between two calls after those of the opening, while the app is open"),
      .init(
        "usage.clients", \.usage.clients, .integer(1...mostClients),
        "clients of a fleet, each a process of its own device"),
      .init(
        "usage.provisionedOver", \.usage.provisionedOver, .duration,
        "time in which the clients of a fleet sign in, each at a random moment"),
      .init(
        "usage.callsFrom", \.usage.callsFrom, .duration,
        "moment from which on a fleet sends calls, counted from the minting of the first pair"),
    ]
  }
}
