import Foundation
import Synchronization

/// Tells someone at a terminal how far the work is, once it has taken more than a second.
final class ProgressMeter: Sendable {
  private struct State {
    var lastShown: ContinuousClock.Instant
    var isShown = false
  }

  private let total: Int
  private let isTerminal: Bool
  private let state: Mutex<State>

  /// A meter for work of this many runs, if standard error is a terminal.
  init(total: Int) {
    self.total = total
    isTerminal = isatty(STDERR_FILENO) == 1
    state = Mutex(State(lastShown: ContinuousClock.now))
  }

  /// Shows how many runs are done, at most ten times a second.
  func show(_ done: Int) {
    guard isTerminal else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      let pause: Duration = state.isShown ? .milliseconds(100) : .seconds(1)
      guard now - state.lastShown > pause else { return }
      state.lastShown = now
      state.isShown = true
      Self.write("\r\(done.grouped) of \(total.grouped) runs")
    }
  }

  /// Takes the line away again.
  func erase() {
    if state.withLock({ $0.isShown }) { Self.write("\r\u{1B}[2K") }
  }

  private static func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
