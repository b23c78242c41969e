import SimCore
import SimTestSupport
import Strategies
import Testing

/// Sessions and processes that end more than once.
struct ProcessEndsTests {
  /// The session is revoked at 1 s; the client learns that at the first call, and again after its next start.
  @Test func `A pair that stays after the sign-out is not lost a second time`() throws {
    let scenario = Scenario.timeline([
      .init(.revoke, at: .seconds(1)), .init(.call(), at: .seconds(400)),
      .init(.kill, at: .seconds(500)), .init(.return, at: .seconds(600)),
      .init(.call(), at: .seconds(700)), .init(.signIn(), at: .seconds(800)),
      .init(.revoke, at: .seconds(801)), .init(.call(), at: .seconds(1200)),
    ])
    let tally = try tally(try strategy("naive"), scenario)
    #expect(tally[.rejected] == 3)
    #expect(tally[.signOuts] == 2)
  }

  /// Runs with two and with six sign-outs in turn: 4 a run, with a standard deviation of 2, so 4 ± 1.96 · 2 / √(n - 1).
  @Test func `Lives that end several times have an interval around their mean`() throws {
    var totals = Totals()
    for run in 0..<20 as Range<UInt64> {
      var tallier = Tallier()
      for number in 1...(run % 2 == 0 ? 2 : 6) as ClosedRange<Int32> {
        tallier.observe(.refreshSent(number, RefreshToken(id: 0)), at: .zero)
        tallier.observe(.refreshArrived(number, RefreshToken(id: 0)), at: .zero)
        tallier.observe(.signedOut(.failed, needlessly: false), at: .zero)
      }
      totals.add(tallier, Fingerprint(), run: run, events: 0, violation: nil)
    }
    let rate = try #require(totals.rate(.signOuts, per: .run))
    #expect(rate.estimate == 4)
    #expect((rate.high - 4.9).magnitude < 0.15)
    #expect((rate.low - 3.1).magnitude < 0.15)
  }
}
