/// How the program ends, for scripts.
enum ExitCode: Int32 {
  case success = 0
  case expectationFailed = 1
  case inconclusive = 3
  case usage = 64
  case badData = 65
  case cannotRead = 66
  case internalError = 70
  case cannotWrite = 73
  case interrupted = 130
}

/// Something that the person at the terminal has to know, and how the program then ends.
struct Problem: Error, Equatable {
  /// What is wrong, where, and what is accepted.
  let message: String
  let exitCode: ExitCode

  init(_ message: String, _ exitCode: ExitCode = .usage) {
    self.message = message
    self.exitCode = exitCode
  }
}

/// All that is wrong with what was given, so that nobody has to find it out piece by piece.
struct Problems: Error {
  var list: [Problem]

  init(list: [Problem] = []) {
    self.list = list
  }

  /// Runs `body` and keeps what it throws; returns nil then.
  mutating func collect<Value>(_ body: () throws -> Value) throws -> Value? {
    do {
      return try body()
    } catch let problem as Problem {
      list.append(problem)
    } catch let problems as Problems {
      list += problems.list
    }
    return nil
  }

  /// Throws what was kept, if anything.
  func throwIfAny() throws {
    if !list.isEmpty { throw self }
  }
}
