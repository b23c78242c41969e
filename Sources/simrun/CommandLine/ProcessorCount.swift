import Foundation

/// The cores of this machine.
enum ProcessorCount {
  static var active: Int { ProcessInfo.processInfo.activeProcessorCount }
}
