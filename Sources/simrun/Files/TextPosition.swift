/// A place in a text, counted from 1.
///
/// A column counts Unicode scalars, so a tab and an emoji of one scalar are one column each. A byte-order
/// mark at the beginning has no column.
struct TextPosition: Equatable, Sendable {
  let line: Int
  let column: Int

  /// Where every text begins.
  static let start = TextPosition(line: 1, column: 1)
}
