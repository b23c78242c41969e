import SimCore

extension ScenarioField {
  /// Lifetimes, rotation, and what a reuse leads to.
  static var server: [ScenarioField] {
    [
      .init(
        "server.lifetime", \.server.lifetime, .positiveDuration,
        "lifetime T of an access token; clients are told whole seconds, rounded down"),
      .init(
        "server.leeway", \.server.leeway, .duration,
        "how much longer the resource server accepts an access token"),
      .init(
        "server.processing", \.server.processing, DistributionText.codec, hasMembers: true,
        "how long the token endpoint works on a refresh before it commits and answers"),
      .init(
        "server.rotation", \.server.rotation, ServerText.rotation,
        "when a refresh returns a new refresh token"),
      .init(
        "server.reuse", \.server.reuse, .choice(),
        "what a reuse of a spent refresh token outside the grace leads to"),
      .init(
        "server.reuseKillsAccess", \.server.reuseKillsAccess, .boolean,
        "whether a revocation of the session also ends its access tokens"),
    ]
  }

  /// How spent refresh tokens are still answered.
  static var grace: [ScenarioField] {
    [
      .init(
        "server.grace.parent.window", \.server.parentGrace.window, ServerText.window,
        "how long a spent refresh token is still answered while a child of it is unspent"),
      .init(
        "server.grace.parent.from", \.server.parentGrace.start, .choice(),
        "what that window counts from"),
      .init(
        "server.grace.parent.uses", \.server.parentGrace.uses, ServerText.uses,
        "how often one spent token is answered"),
      .init(
        "server.grace.parent.untilUse", \.server.parentGrace.untilUse, .choice(),
        "the use of a successor that ends the grace"),
      .init(
        "server.grace.parent.reply", \.server.parentGrace.reply, .choice(),
        "what a spent token is answered with"),
    ]
  }
}
