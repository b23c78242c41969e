import SimCore
import SimTestSupport
import Testing

/// The smallest margins by an independent quadrature, for one call of the default scenario, of which THEORY gives
/// four digits.
struct SafeMarginTests {
  private static var oneCall: Scenario {
    .with {
      $0.usage.callers = 1
      $0.usage.spread = .zero
    }
  }

  @Test(arguments: [(1e-3, 3.266), (1e-4, 5.577), (1e-5, 8.219)])
  func `The smallest margin is that of an independent quadrature`(limit: Double, margin: Double)
    throws
  {
    let smallest = try #require(
      SafeMargin.smallest(for: limit, Self.oneCall, RacePredictionTests.profile()))
    #expect((smallest / .seconds(1) - margin).magnitude <= 0.001_5)
  }

  @Test func `No margin is needed for what a client without one gives`() {
    let profile = RacePredictionTests.profile()
    #expect(SafeMargin.smallest(for: 0.01, Self.oneCall, profile) == .zero)
  }

  @Test func `There is none where the formula does not apply`() {
    var steady = Self.oneCall
    steady.usage.kind = .steady
    steady.usage.horizon = .seconds(3600)
    #expect(SafeMargin.smallest(for: 0.001, steady, RacePredictionTests.profile()) == nil)
  }

  /// Each call takes 2 s and a token lives 2 s but is trusted for 3 s, so all calls that are sent are late: the share
  /// of openings that send them is (3 s - m)/3 s.
  @Test
  func `A margin that leaves next to nothing of the token is the smallest where none else helps`() {
    var short = Self.oneCall
    short.network.uplink = .constant(.seconds(2))
    short.network.downlink = .constant(.zero)
    short.server.lifetime = .fixed(.seconds(2))
    let smallest = SafeMargin.smallest(for: 0.0015, short, RacePredictionTests.profile())
    #expect(smallest == .milliseconds(2996))
  }

  /// The 99th percentile of a log-normal with mean 2 s and σ 0.5 is 2 exp(-σ²/2 + 2.326348σ) = 5.6481 s.
  @Test func `The published margin is the 99th percentile of the way up and the lateness`() {
    let published = SafeMargin.published(Scenario())
    #expect((published.delay / .seconds(1) - 5.6481).magnitude < 1e-4)
    #expect(published.lateness == .seconds(1))
    #expect(published.margin == published.delay + .seconds(1))
  }

  @Test func `A clock that is ahead needs nothing for its lateness`() {
    let ahead = Scenario.with { $0.clock.offset = .seconds(3) }
    #expect(SafeMargin.published(ahead).lateness == .zero)
  }

  @Test func `A new connection counts with its wake and its round trips`() {
    let cold = Scenario.with {
      $0.network.uplink = .constant(.milliseconds(30))
      $0.network.downlink = .constant(.milliseconds(20))
      $0.network.handshakes = 2
      $0.network.wake = .uniform(from: .zero, to: .seconds(1))
    }
    // 0.99 s of the wake, 0.1 s of two round trips, and 0.03 s up.
    let delay = SafeMargin.published(cold).delay / .seconds(1)
    #expect((delay - 1.12).magnitude < 0.001)
  }
}
