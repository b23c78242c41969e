/// What goes wrong at the server with one exchange, drawn before it is judged.
struct Mishap {
  /// It fails before anything is done.
  var failsBefore = false
  /// The server dies between the writes that spend the token and store the new pair, where there are both.
  var crashes = false
  /// It is carried out, and the answer is an error all the same.
  var failsAfter = false
  /// Nothing is done, and no answer is ever sent.
  var hangs = false
}

/// How likely each mishap is.
struct MishapLaw {
  private let before: Double
  private let crash: Double
  private let after: Double
  private let hanging: Double
  private let mayHappen: Bool

  init(_ policy: ServerPolicy) {
    before = policy.errors.before
    crash = policy.commit == .atomic ? 0 : policy.crash
    after = policy.errors.after
    hanging = policy.errors.hanging
    mayHappen = before > 0 || crash > 0 || after > 0 || hanging > 0
  }

  /// The mishap of the exchange at this address of a stream; takes no draw where there never is one.
  @inline(__always)
  func draw(_ stream: RandomStream, at address: DrawAddress) -> Mishap {
    mayHappen ? drawAny(stream, at: address) : Mishap()
  }

  private func drawAny(_ stream: RandomStream, at address: DrawAddress) -> Mishap {
    var draws = stream.draws(at: address)
    // One draw each, so that changing a probability leaves the other mishaps where they were.
    let (first, second, third, fourth) = (draws.unit(), draws.unit(), draws.unit(), draws.unit())
    return Mishap(
      failsBefore: first < before, crashes: second < crash, failsAfter: third < after,
      hangs: fourth < hanging)
  }
}
