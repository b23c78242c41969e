extension Usage {
  /// A request whose fate a scenario gives: the k-th refresh, or an attempt of the k-th call.
  public struct Pin: Equatable, Sendable {
    /// The request.
    public enum Subject: Equatable, Sendable {
      /// An attempt of a call, both counted from 1.
      case call(Int, attempt: Int)
      /// A refresh request, counted from 1 as the client asks for them.
      case refresh(Int)
      /// A write of a pair to the store, counted from 1 as the client asks for them.
      case write(Int)
    }

    /// A message that is lost.
    public enum Loss: Equatable, Sendable, CaseIterable {
      /// The request never reaches the server.
      case request
      /// The answer never reaches the device, though the server did its work.
      case answer
    }

    /// What a server answers, whatever it would have.
    public enum Answer: Equatable, Sendable, CaseIterable {
      /// 401, of a resource server.
      case unauthorized
      /// 403, before the server does anything.
      case forbidden
      /// 429, before the server does anything.
      case tooManyRequests
      /// Another 4xx, before the server does anything.
      case clientError
      /// A 5xx, before the server does anything.
      case serverError
      /// A 5xx, after the server has committed the refresh.
      case serverErrorAfterCommit
      /// A 200 that cannot be read, after the server has committed the refresh.
      case malformed
      /// None at all, and the server does nothing.
      case hangs
    }

    /// The request.
    public let subject: Subject
    /// How long the connection takes to open before the request leaves the device.
    public var connecting: Duration?
    /// How long the request is on its way.
    public var uplink: Duration?
    /// How long the token endpoint works on it.
    public var processing: Duration?
    /// How long the answer is on its way.
    public var downlink: Duration?
    /// The message that is lost.
    public var lost: Loss?
    /// What the server answers.
    public var answer: Answer?
    /// The `Retry-After` of that answer.
    public var retryAfter: Duration?
    /// How long a write takes.
    public var duration: Duration?
    /// Whether a write fails.
    public var fails: Bool?
    /// The number of the process whose request it is, from 1.
    public var process: Int

    /// A request whose fate is left open.
    public init(_ subject: Subject, process: Int = 1) {
      self.subject = subject
      self.process = process
    }
  }
}
