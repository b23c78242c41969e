import SimCore

extension ScenarioField {
  /// Lifetimes, rotation, and what a reuse leads to.
  static var server: [ScenarioField] { accessTokens + refreshTokens + tokenEndpoint }

  private static var accessTokens: [ScenarioField] {
    [
      .init(
        "server.lifetime", \.server.lifetime, ServerText.lifetime,
        "lifetime T of an access token; clients are told whole seconds, rounded down"),
      .init(
        "server.leeway", \.server.leeway, .duration,
        "how much longer the resource server accepts an access token"),
      .init(
        "server.propagation", \.server.propagation, .duration,
        "how long after a rotation or a revocation the resource server learns which tokens it ended"
      ),
      .init(
        "server.oldAccessOverlap", \.server.oldAccessOverlap, ServerText.overlap,
        "how long after a refresh the older access tokens of its chain work, at most to their own end"
      ),
      .init(
        "server.maxLiveAccess", \.server.maxLiveAccess,
        FieldCodec.integer(1...1_000_000).optional(none: "none"),
        "most live access tokens of a session; minting one more ends the oldest"),
    ]
  }

  private static var refreshTokens: [ScenarioField] {
    [
      .init(
        "server.rotation", \.server.rotation, ServerText.rotation,
        "when a refresh returns a new refresh token"),
      .init(
        "server.refreshIdle", \.server.refreshIdle,
        FieldCodec.positiveDuration.optional(none: "none"),
        "how long a refresh token lives, from its last accepted use or else its minting"),
      .init(
        "server.refreshAbsolute", \.server.refreshAbsolute,
        FieldCodec.positiveDuration.optional(none: "none"),
        "how long refresh tokens live, from the beginning of the session"),
      .init(
        "server.reuse", \.server.reuse, .choice(),
        "what a reuse of a spent refresh token outside the grace leads to"),
      .init(
        "server.reuseKillsAccess", \.server.reuseKillsAccess, .boolean,
        "whether a revocation of the session also ends its access tokens"),
      .init(
        "server.reuseMemory", \.server.reuseMemory, ServerText.window,
        "how long after its exchange a spent refresh token is known; from then on it is no reuse"),
      .init(
        "server.graceCoversRevoked", \.server.graceCoversRevoked, .boolean,
        "whether grace also revives refresh tokens that a revocation killed, as if spent then"),
      .init(
        "server.rejectedAs", \.server.rejectedAs, .choice(),
        "the error that a rejected refresh token is answered with"),
    ]
  }

  private static var tokenEndpoint: [ScenarioField] {
    [
      .init(
        "server.processing", \.server.processing, DistributionText.codec, hasMembers: true,
        "how long the token endpoint works on a refresh before it commits and answers"),
      .init(
        "server.race", \.server.race, ServerText.race,
        "what becomes of a refresh that read its token before the commit that spent it"),
      .init(
        "server.lookup", \.server.lookup, .duration,
        "how long after its arrival a refresh reads its token"),
      .init(
        "server.commit", \.server.commit, .choice(),
        "the order of the writes that spend a refresh token and store the new pair"),
      .init(
        "server.crash", \.server.crash, .share,
        "probability per rotation that the server dies between those writes, unless they are atomic"
      ),
      .init(
        "server.tick", \.server.tick, FieldCodec.positiveDuration.optional(none: "none"),
        "granularity of stored times, from the beginning of the run; they are rounded down"),
      .init(
        "server.errors.before", \.server.errors.before, .share,
        "share of refreshes answered with a 5xx before the commit, so that nothing happened"),
      .init(
        "server.errors.after", \.server.errors.after, .share,
        "share of refreshes answered with a 5xx after the commit, so that the new pair is lost"),
      .init(
        "server.errors.hanging", \.server.errors.hanging, .share,
        "share of refreshes that are never answered, and nothing happens"),
      .init(
        "server.outages", \.server.outages, PeriodText.list,
        "periods from the beginning of the run in which every refresh that arrives gets a 5xx"),
      .init(
        "server.rateLimit", \.server.rateLimit, RateLimitText.rateLimit,
        "how many refreshes are taken as they arrive; the rest get a 429 with Retry-After"),
    ]
  }

  /// How spent refresh tokens are still answered.
  static var grace: [ScenarioField] {
    grace(
      "server.grace.parent", \.server.parentGrace,
      "how long a spent refresh token is still answered while a child of it is unspent")
      + grace(
        "server.grace.ancestor", \.server.ancestorGrace,
        "how long a spent refresh token is still answered while no child of it is unspent")
  }

  private static func grace(
    _ path: String, _ grace: WritableKeyPath<Scenario, ServerPolicy.Grace>, _ meaning: String
  ) -> [ScenarioField] {
    [
      .init("\(path).window", grace.appending(path: \.window), ServerText.window, meaning),
      .init(
        "\(path).from", grace.appending(path: \.start), .choice(), "what that window counts from"),
      .init(
        "\(path).uses", grace.appending(path: \.uses), ServerText.uses,
        "how often one spent token is answered"),
      .init(
        "\(path).untilUse", grace.appending(path: \.untilUse), .choice(),
        "the use of a successor that ends the grace"),
      .init(
        "\(path).reply", grace.appending(path: \.reply), .choice(),
        "what a spent token is answered with"),
    ]
  }
}
