import SimCore
import Strategies

/// A field of a scenario or of a client: its path, what it means, and how it is written.
///
/// One table of these serves the options, files, `show`, and the documentation.
struct Field<Root> {
  /// The dotted path, such as `network.uplink`.
  let path: String
  /// What it means, with its reference point, as a phrase.
  let meaning: String
  /// What is accepted.
  let accepted: String
  /// The value in a root.
  let read: (Root) -> JSONValue
  /// Puts a value into a root; throws a ``FieldProblem`` or ``Problem``.
  let write: (inout Root, JSONValue) throws -> Void
  /// Whether the field is an object whose members have paths of their own.
  let hasMembers: Bool

  init<Value>(
    _ path: String, _ keyPath: WritableKeyPath<Root, Value>,
    _ codec: FieldCodec<Value>, hasMembers: Bool = false, _ meaning: String
  ) {
    self.path = path
    self.meaning = meaning
    accepted = codec.accepted
    self.hasMembers = hasMembers
    read = { codec.encode($0[keyPath: keyPath]) }
    write = { $0[keyPath: keyPath] = try codec.decode($1) }
  }
}

/// A field of a scenario.
typealias ScenarioField = Field<Scenario>

/// A field of a client: a decision.
typealias DecisionField = Field<Decisions>
