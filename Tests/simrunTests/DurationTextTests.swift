import Testing

@testable import simrun

struct DurationTextTests {
  @Test(arguments: [
    ("250ms", Duration.milliseconds(250)), ("5min", .seconds(300)), ("1h", .seconds(3600)),
    ("2d", .seconds(172_800)), ("1.5s", .milliseconds(1500)), ("7 us", .microseconds(7)),
    ("7µs", .microseconds(7)), ("3ns", .nanoseconds(3)), ("-1s", .seconds(-1)),
    ("1e3ms", .seconds(1)), ("0s", .zero),
  ])
  func `A number with a unit is a duration`(text: String, expected: Duration) throws {
    #expect(try Duration(text: text) == expected)
    #expect(try Duration(text: expected.text) == expected)
  }

  @Test(arguments: [
    ("80", "has no unit; add ns, us, ms, s, min, h, or d"),
    ("", "is not a duration such as 250ms, 5min, or 1h"),
    ("s", "is not a duration such as 250ms, 5min, or 1h"),
    ("nan s", "is not a duration such as 250ms, 5min, or 1h"),
    ("inf", "is not a duration such as 250ms, 5min, or 1h"),
    ("1e999s", "is not a duration such as 250ms, 5min, or 1h"),
    ("5 parsecs", "has the unknown unit \"parsecs\"; use ns, us, ms, s, min, h, or d"),
    ("300000d", "is longer than 50 years, the most that a field takes"),
    ("-1e30h", "is longer than 50 years, the most that a field takes"),
  ])
  func `Anything else says what is missing`(text: String, clause: String) {
    #expect(throws: FieldProblem(clause)) { try Duration(text: text) }
  }

  @Test(arguments: [
    (Duration.seconds(300), "5min"), (.seconds(90), "90s"), (.milliseconds(1500), "1.5s"),
    (.nanoseconds(1_000_001), "1000001ns"), (.zero, "0s"), (.seconds(-3600), "-1h"),
  ])
  func `A duration is written in the largest unit that is whole`(
    duration: Duration, text: String
  ) {
    #expect(duration.text == text)
  }
}
