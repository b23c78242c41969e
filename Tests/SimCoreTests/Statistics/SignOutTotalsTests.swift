import SimCore
import Testing

struct SignOutTotalsTests {
  /// Four runs, of which the second ends by a mistake and the fourth by age.
  @Test func `Sign-outs are added up by cause, with intervals like any metric`() throws {
    var totals = Totals()
    var tallier = Tallier()
    for run in 0..<4 as Range<UInt64> {
      tallier.reset()
      if run == 1 { tallier.tell([(1, 0, .signedOut(.failed, needlessly: false))]) }
      if run == 3 {
        tallier.tell(
          Hand.login(0)
            + Hand.rejection(0, 1, Hand.r1, sent: 1, judged: 2, read: 3, reuse: false))
      }
      tallier.finish()
      totals.add(tallier.tally, Fingerprint(), run: run, events: 0, violation: nil)
    }
    var whole = Totals()
    whole.merge(totals)
    for cause in SignOutCause.allCases {
      let count = cause == .mistakenError || cause == .endOfLife ? 1 : 0
      #expect(whole.signOuts(by: cause) == count)
      #expect(whole.rate(signOutsBy: cause, per: .run)?.estimate == Double(count) / 4)
    }
    // One of four, as for a metric that was counted in one run of four: Wilson's interval.
    let rate = try #require(whole.rate(signOutsBy: .endOfLife, per: .run))
    #expect(rate == RateEstimate.proportion(1, of: 4))
    #expect(whole[.signOuts] == 2)
  }
}
