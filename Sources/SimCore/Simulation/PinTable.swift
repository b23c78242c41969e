/// The pins of a scenario by what they are about.
struct PinTable {
  private var pins: [Key: Usage.Pin] = [:]

  private struct Key: Hashable {
    enum Kind {
      case call
      case refresh
      case write
    }

    let kind: Kind
    let process: Int32
    let number: Int32
    var attempt: Int32 = 0
  }

  init(_ pins: [Usage.Pin]) {
    for pin in pins { self.pins[Self.key(pin)] = pin }
  }

  private static func key(_ pin: Usage.Pin) -> Key {
    let process = Int32(clamping: pin.process - 1)
    return switch pin.subject {
    case .call(let call, let attempt):
      Key(
        kind: .call, process: process, number: Int32(clamping: call),
        attempt: Int32(clamping: attempt))
    case .refresh(let refresh):
      Key(kind: .refresh, process: process, number: Int32(clamping: refresh))
    case .write(let write): Key(kind: .write, process: process, number: Int32(clamping: write))
    }
  }

  var isEmpty: Bool { pins.isEmpty }

  /// What is given for an exchange; nil if nothing is.
  func pin(for exchange: Exchange) -> Usage.Pin? {
    switch exchange.subject {
    case .attempt(let call):
      pins[
        Key(kind: .call, process: exchange.process, number: call.number, attempt: exchange.number)]
    case .refresh: pins[Key(kind: .refresh, process: exchange.process, number: exchange.number)]
    case .revocation: nil
    }
  }

  /// How long a write of a process takes, in nanoseconds; nil if nothing is given.
  func length(ofWrite number: Int32, of process: Int) -> Int64? {
    pins.isEmpty ? nil : pin(forWrite: number, of: process)?.duration?.nanoseconds
  }

  /// Whether a write of a process fails; nil if nothing is given.
  func failure(ofWrite number: Int32, of process: Int) -> Bool? {
    pins.isEmpty ? nil : pin(forWrite: number, of: process)?.fails
  }

  // A pin is large, so that nobody should hold one who only asks whether there is any.
  @inline(never)
  private func pin(forWrite number: Int32, of process: Int) -> Usage.Pin? {
    pins[Key(kind: .write, process: Int32(process), number: number)]
  }
}
