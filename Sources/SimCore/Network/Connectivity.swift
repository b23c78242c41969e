/// Whether the device has a network, asked at moments that never go back.
struct Connectivity {
  private enum Source {
    case always
    case periods([(from: Int64, to: Int64)])
    case alternating(up: Sampler, down: Sampler)
  }

  private let source: Source
  private var isOnline = true
  /// When that changes next; for periods, the position of the next one.
  private var change: Int64 = .min
  private var changes = 0
  /// What the timeline says, which stands above the rest.
  private var isCutOff = false

  init(_ offline: NetworkPolicy.Offline) {
    source =
      switch offline {
      case .never: .always
      case .periods(let periods): .periods(periods.map { ($0.from.nanoseconds, $0.to.nanoseconds) })
      case .alternating(let up, let down): .alternating(up: Sampler(up), down: Sampler(down))
      }
  }

  mutating func reset() {
    isOnline = true
    change = .min
    changes = 0
    isCutOff = false
  }

  mutating func cutOff(_ isCutOff: Bool) {
    self.isCutOff = isCutOff
  }

  /// Whether there is a network at `now`, which is no earlier than at the last call.
  mutating func isOnline(at now: Instant, _ stream: RandomStream) -> Bool {
    guard !isCutOff else { return false }
    switch source {
    case .always: return true
    case .periods(let periods):
      while changes < periods.count, periods[changes].to <= now.nanoseconds { changes += 1 }
      return changes == periods.count || now.nanoseconds < periods[changes].from
    case .alternating(let up, let down):
      if changes == 0 { advance(by: up, from: 0, stream) }
      while change <= now.nanoseconds {
        isOnline.toggle()
        advance(by: isOnline ? up : down, from: change, stream)
      }
      return isOnline
    }
  }

  private mutating func advance(by law: Sampler, from start: Int64, _ stream: RandomStream) {
    // At least a nanosecond, so that time goes on however short the periods are.
    let length = max(1, law.sample(stream, at: DrawAddress(.connectivity, number: changes)))
    let (end, overflow) = start.addingReportingOverflow(length)
    change = overflow ? .max : end
    changes += 1
  }
}
