/// A request on its way to a server and back.
struct Exchange<Payload> {
  let deadline: Instant
  var payload: Payload
  /// Whether the client still waits for the answer.
  var isAwaited = true
  /// Whether the message is still on its way; its slot is kept until then.
  var isTravelling = true
  var hasDeadlineArmed = false

  init(_ payload: Payload, deadline: Instant) {
    self.payload = payload
    self.deadline = deadline
  }

  /// Whether the deadline could pass before the next step, and is not an event yet.
  func needsDeadline(before next: Instant) -> Bool {
    deadline < next && !hasDeadlineArmed
  }
}

/// An attempt of a call.
struct Attempt {
  let call: CallID
  let number: Int32
  let token: AccessToken
  /// The answer, from the moment it is on its way back.
  var status = APIStatus.ok
}

/// A refresh request.
struct RefreshRequest {
  let id: RefreshID
  let number: Int32
  let token: RefreshToken
  /// When the server read the token.
  var readAt = Instant.zero
  /// The answer, from the moment it is on its way back.
  var reply = TokenReply.failed(.invalidGrant, retryAfter: 0)
}
