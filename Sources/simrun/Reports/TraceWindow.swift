import SimCore

/// The part of a trace that is told.
struct TraceWindow {
  /// The positions of what lies between the first and the last of it.
  let range: Range<Int>
  /// The processes that it is about; nil for all.
  let processes: Set<Int>?

  /// How much of a long run without a sign-out is told.
  private static let mostWithoutSignOut = 100

  /// What happens in a span of time.
  ///
  /// - Parameters:
  ///   - from: the first instant; nil for the beginning.
  ///   - until: the last instant; nil for the end.
  ///   - trace: the run.
  /// - Returns: the window.
  static func between(_ from: Instant?, _ until: Instant?, in trace: Trace) -> TraceWindow {
    let entries = trace.entries
    let first = from.map { from in entries.firstIndex { $0.instant >= from } ?? entries.count }
    let end = until.map { until in entries.firstIndex { $0.instant > until } ?? entries.count }
    let start = first ?? 0
    return TraceWindow(range: start..<max(start, end ?? entries.count), processes: nil)
  }

  /// What led to the first sign-out, from the refresh that did the damage on; without a sign-out, the beginning.
  ///
  /// - Parameters:
  ///   - trace: the run.
  ///   - ofOneClient: whether only the processes that were part in it are told of.
  /// - Returns: the window.
  static func aroundSignOut(_ trace: Trace, ofOneClient: Bool) -> TraceWindow {
    let entries = trace.entries
    guard let signOut = trace.signOuts.first else {
      return TraceWindow(range: 0..<min(mostWithoutSignOut, entries.count), processes: nil)
    }
    let damage = signOut.damage
    let start = entries.firstIndex { entry in
      switch entry.fact {
      case .refreshSent(let refresh, _):
        Int(refresh) == damage.refresh && entry.process == damage.process
      default: entry.instant >= damage.instant
      }
    }
    let end = entries.firstIndex { $0.instant > signOut.symptom } ?? entries.count
    return TraceWindow(
      range: (start ?? 0)..<end,
      processes: ofOneClient ? [signOut.process, damage.process] : nil)
  }

  /// Whether an entry is told.
  func contains(_ entry: Trace.Entry) -> Bool { processes?.contains(entry.process) ?? true }

  /// What was left out before the window; nil if nothing was.
  func before(_ trace: Trace) -> String? {
    guard range.lowerBound > 0 || processes != nil else { return nil }
    let days =
      (trace.entries[..<range.lowerBound].last?.instant.nanoseconds ?? 0) / 86_400_000_000_000
    let span =
      days > 1 ? " of the first \(days) days" : days == 1 ? " of the first day" : " before this"
    let others = processes == nil ? "" : ", and whatever other clients do,"
    return "[\(range.lowerBound.grouped) lines\(span)\(others) are left out; --from 0s shows all]"
  }

  /// What was left out after the window; nil if nothing was.
  func after(_ trace: Trace) -> String? {
    let count = trace.entries.count - range.upperBound
    guard count > 0 else { return nil }
    let last = range.isEmpty ? nil : trace.entries[range.upperBound - 1].instant
    let later = trace.signOuts.filter { signOut in last.map { signOut.symptom > $0 } ?? true }.count
    let signOuts =
      later == 0
      ? ""
      : ", with \(later.grouped) \(range.isEmpty ? "" : "more ")sign-out\(later == 1 ? "" : "s"),"
    return "[\(count.grouped) lines after this\(signOuts) are left out; --from 0s shows all]"
  }
}
