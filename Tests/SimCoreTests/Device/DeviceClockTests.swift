import SimCore
import Testing

struct DeviceClockTests {
  @Test func `A late clock shows less than true time`() {
    let clock = DeviceClock(ClockError(offset: .seconds(-1)))
    #expect(clock.reading(at: Instant(nanoseconds: 5_000_000_000)).nanoseconds == 4_000_000_000)
  }

  /// 200 parts per million of 1000 s are 0.2 s.
  @Test func `A fast clock gains with time`() {
    let clock = DeviceClock(ClockError(offset: .seconds(2), drift: 200))
    let reading = clock.reading(at: Instant(nanoseconds: 1_000_000_000_000))
    #expect(reading.nanoseconds == 1_002_200_000_000)
  }

  @Test(arguments: [-50_000.0, -20, 0, 16.5, 100_000], [-7_000_000_000, 0, 86_400_000_000_123])
  func `The instant of a reading is found again`(drift: Double, nanoseconds: Int64) {
    let clock = DeviceClock(ClockError(offset: .milliseconds(-1500), drift: drift))
    let instant = clock.instant(showing: clock.reading(at: Instant(nanoseconds: nanoseconds)))
    #expect((instant.nanoseconds - nanoseconds).magnitude <= 1)
  }

  /// What a clock that is 10 % fast measures as 1.1 s takes 1 s.
  @Test func `Measured lengths are longer on a fast clock`() {
    let clock = DeviceClock(ClockError(drift: 100_000))
    #expect(clock.trueLength(ofMeasured: 1_100_000_000) == 1_000_000_000)
  }
}
