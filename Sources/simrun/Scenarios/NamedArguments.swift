import SimCore

/// Settings such as `margin=60s, floor=15s`, in brackets behind a name or alone, taken one by one.
struct NamedArguments {
  private var values: [(name: String, value: String)] = []
  private var known: [String] = []

  /// The settings of a text.
  ///
  /// - Parameters:
  ///   - text: the settings, separated by commas.
  ///   - example: one that is well formed, for messages.
  /// - Throws: a ``FieldProblem`` if brackets do not match or a piece is no setting.
  init(_ text: String, like example: String) throws {
    for piece in try text.pieces(at: ",") where !piece.isEmpty {
      let parts = piece.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
      guard parts.count == 2 else {
        throw FieldProblem("has \"\(piece)\", which is not like \(example)")
      }
      values.append((parts[0], parts[1]))
    }
  }

  /// Takes a setting; nil if it is not there.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - codec: how its value is written.
  /// - Returns: the value.
  /// - Throws: a ``FieldProblem`` that names the setting.
  mutating func valueIfThere<Value>(_ name: String, _ codec: FieldCodec<Value>) throws -> Value? {
    known.append(name)
    guard let index = values.firstIndex(where: { $0.name == name }) else { return nil }
    return try codec.decode(values.remove(at: index).value, as: name)
  }

  /// Takes a duration that must be there.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - codec: how it is written.
  /// - Returns: the duration.
  /// - Throws: a ``FieldProblem`` that names the setting.
  mutating func duration(_ name: String, _ codec: FieldCodec<Duration>) throws -> Duration {
    guard let value = try valueIfThere(name, codec) else {
      throw FieldProblem("needs \(name), a duration")
    }
    return value
  }

  /// Complains about what nobody took.
  ///
  /// - Throws: a ``FieldProblem`` that names the first such setting.
  func finish() throws {
    guard let extra = values.first else { return }
    throw FieldProblem(
      "has the unknown parameter \"\(extra.name)\", or has it twice."
        + extra.name.suggestion(from: known.filter { $0 != extra.name }))
  }
}
