import SimCore

/// A named part of a scenario.
struct Preset {
  /// What a preset can be of; also the name of the option that chooses one.
  enum Kind: String, CaseIterable {
    case server
    case network
    case clock
    case usage
    case lifecycle
  }

  let kind: Kind
  let name: String
  let summary: String
  let apply: (inout Scenario) -> Void

  /// All presets; the first of each kind is the default.
  static var all: [Preset] { servers + networks + clocks + usages + lifecycles }

  /// The presets of a kind.
  static func all(_ kind: Kind) -> [Preset] { all.filter { $0.kind == kind } }

  private static var servers: [Preset] {
    [
      server("strict", "rotates always; any reuse revokes the session and its access tokens") {
        _ in
      },
      server("self-contained", "strict, but access tokens outlive a revocation") {
        $0.reuseKillsAccess = false
      },
      server("grace-1min", "strict, but answers a spent token for a minute") {
        $0.parentGrace.window = .lasting(.seconds(60))
      },
      server("parent-rule", "strict, but answers the parent of the current token at any time") {
        $0.parentGrace.window = .unlimited
      },
      server("reject-only", "rotates always; a reuse is rejected and nothing else") {
        $0.reuse = .rejectOnly
        $0.reuseKillsAccess = false
      },
      server("no-rotation", "gives the same refresh token again and again") {
        $0.rotation = .never
      },
    ]
  }

  private static func server(
    _ name: String, _ summary: String, _ change: @escaping (inout ServerPolicy) -> Void
  ) -> Preset {
    Preset(kind: .server, name: name, summary: summary) {
      // Lifetime, leeway, and processing are not the policy's.
      var policy = ServerPolicy(
        lifetime: $0.server.lifetime, leeway: $0.server.leeway, processing: $0.server.processing)
      change(&policy)
      $0.server = policy
    }
  }

  private static var clocks: [Preset] {
    [
      Preset(kind: .clock, name: "late-1s", summary: "one second late, as in the published example")
      {
        $0.clock = ClockError(offset: .seconds(-1))
      },
      Preset(kind: .clock, name: "right", summary: "never off") { $0.clock = ClockError() },
    ]
  }
}
