/// Measured values to draw from, independently or in the order in which they were measured.
public struct Empirical: Equatable, Sendable {
  /// Where the values came from.
  public struct Source: Equatable, Sendable {
    /// The file, as it was named.
    public let file: String
    /// The column of the file.
    public let column: String
    /// The factor that each value of the file was multiplied by.
    public let scale: Double

    /// A source by file, column, and factor.
    public init(file: String, column: String, scale: Double) {
      self.file = file
      self.column = column
      self.scale = scale
    }
  }

  /// The values in ascending order, in nanoseconds.
  package let nanoseconds: [Int64]
  /// The values in the order of the file; kept only for a sequence.
  package let rows: [Int64]
  /// The time from one row to the next, if the rows are a path over time; nil for independent draws.
  ///
  /// A run begins at a random row, and behind the last row follows the first.
  public let every: Duration?
  /// Where they came from.
  public let source: Source

  /// Measured values in nanoseconds and in the order of the file.
  ///
  /// - Precondition: there is at least one value, and none is negative.
  package init(nanoseconds: [Int64], source: Source, every: Duration? = nil) {
    precondition(!nanoseconds.isEmpty, "An empirical distribution needs a value.")
    self.nanoseconds = nanoseconds.sorted()
    precondition(self.nanoseconds[0] >= 0, "A measured length of time is not negative.")
    rows = every == nil ? [] : nanoseconds
    self.every = every
    self.source = source
  }

  /// How many values there are.
  public var count: Int { nanoseconds.count }
}
