import SimCore

/// One of several equal parts of all runs, as `3/16`.
struct Shard: Equatable, Codable {
  /// Which part, from 1.
  let number: Int
  /// How many parts there are.
  let count: Int

  /// All runs.
  static let whole = Shard(number: 1, count: 1)

  /// The most parts.
  static let most = 100_000

  init(number: Int, count: Int) {
    self.number = number
    self.count = count
  }

  /// Reads a part.
  ///
  /// - Throws: a ``Problem`` that says what is accepted.
  init(text: String) throws {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1],
      (1...Self.most).contains(count), (1...count).contains(number)
    else {
      throw Problem(
        "--shard: \"\(text)\" is not like 3/16, a part from 1 to the number of parts, "
          + "of which there are at most \(Self.most.grouped)")
    }
    self.init(number: number, count: count)
  }

  /// Its runs; parts differ by at most one run and leave none out.
  func slice(of runs: Int) -> Range<Int> {
    runs * (number - 1) / count..<runs * number / count
  }
}
