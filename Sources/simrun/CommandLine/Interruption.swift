import Foundation
import Synchronization

/// Whether someone has pressed Ctrl-C.
///
/// The first time asks for the end of the work, the second ends the program.
enum Interruption {
  private static let isRequested = Atomic(false)

  /// Begins to listen.
  static func listen() {
    signal(SIGINT) { _ in
      Interruption.isRequested.store(true, ordering: .relaxed)
      signal(SIGINT, SIG_DFL)
    }
  }

  /// Whether Ctrl-C was pressed.
  static var wasRequested: Bool { isRequested.load(ordering: .relaxed) }
}
