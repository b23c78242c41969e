/// The pins of a scenario by what they are about.
struct PinTable {
  private var calls: [Key: Usage.Pin] = [:]
  private var refreshes: [Int32: Usage.Pin] = [:]

  private struct Key: Hashable {
    let call: Int32
    let attempt: Int32
  }

  init(_ pins: [Usage.Pin]) {
    for pin in pins {
      switch pin.subject {
      case .call(let call, let attempt):
        calls[Key(call: Int32(clamping: call), attempt: Int32(clamping: attempt))] = pin
      case .refresh(let refresh): refreshes[Int32(clamping: refresh)] = pin
      case .write: break
      }
    }
  }

  var isEmpty: Bool { calls.isEmpty && refreshes.isEmpty }

  /// What is given for an exchange; nil if nothing is.
  func pin(for exchange: Exchange) -> Usage.Pin? {
    switch exchange.subject {
    case .attempt(let call): calls[Key(call: call.number, attempt: exchange.number)]
    case .refresh: refreshes[exchange.number]
    case .revocation: nil
    }
  }
}
