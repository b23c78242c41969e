/// A request on its way to a server and back.
struct Exchange {
  /// What the request is for.
  enum Subject {
    case attempt(CallID)
    case refresh(RefreshID)
    /// A revocation (RFC 7009), whose answer nobody waits for once it is sent.
    case revocation
  }

  let subject: Subject
  /// The position of the process that sent it.
  let process: Int32
  /// Which life of that process sent it.
  let life: Int32
  /// Whether the system carries it on while the process is suspended or gone.
  var isTransfer = false
  /// The number of the attempt within its call, or of the refresh within its process.
  let number: Int32
  /// The token that it presents, by its number; -1 for none.
  let token: Int32
  var deadline: Instant
  /// Where its random draws stand in the streams of its legs.
  let address: DrawAddress
  /// Whether the server answers 401 without a token.
  var needsToken = true
  /// Whether the server answers 401 whatever the token.
  var isAlwaysRejected = false
  /// When the server read the refresh token.
  var readAt = Instant.zero
  /// What a resource server answers, from the moment it is on its way back.
  var status = APIStatus.ok
  /// Whether the client still waits for the answer.
  var isAwaited = true
  /// Whether a message is still on its way; the slot is kept until then.
  var isTravelling = true
  var hasDeadlineArmed = false

  init(
    _ subject: Subject, of process: Int, life: Int32, number: Int32, token: Int32, deadline: Instant
  ) {
    self.process = Int32(truncatingIfNeeded: process)
    self.life = life
    self.subject = subject
    self.number = number
    self.token = token
    self.deadline = deadline
    address = Self.address(subject, number, process)
  }

  /// Whether the deadline could pass before the next step, and is not an event yet.
  func needsDeadline(before next: Instant) -> Bool {
    deadline < next && !hasDeadlineArmed
  }

  private static func address(
    _ subject: Subject, _ number: Int32, _ process: Int
  ) -> DrawAddress {
    switch subject {
    case .attempt(let call):
      DrawAddress(.call, process: process, number: Int(call.number), part: Int(number))
    case .refresh: DrawAddress(.refresh, process: process, number: Int(number))
    case .revocation: DrawAddress(.refresh, process: process, number: Int(number), part: 1)
    }
  }
}
