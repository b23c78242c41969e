extension String {
  /// The candidate that takes the fewest edits, if it takes few enough to have been meant.
  func nearest(in candidates: some Sequence<String>) -> String? {
    let typed = Array(lowercased())
    let scored = candidates.map { (name: $0, edits: Self.edits(typed, Array($0.lowercased()))) }
    guard let best = scored.min(by: { $0.edits < $1.edits }) else { return nil }
    return best.edits <= max(1, best.name.count / 3) ? best.name : nil
  }

  /// Insertions, deletions, substitutions, and swaps of neighbours that turn one word into the other.
  private static func edits(_ from: [Character], _ to: [Character]) -> Int {
    var rows = [Array(0...to.count)]
    for i in from.indices {
      var row = [i + 1]
      for j in to.indices {
        let substitution = rows[i][j] + (from[i] == to[j] ? 0 : 1)
        var edits = Swift.min(substitution, rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, from[i] == to[j - 1], from[i - 1] == to[j] {
          edits = Swift.min(edits, rows[i - 1][j - 1] + 1)
        }
        row.append(edits)
      }
      rows.append(row)
    }
    return rows[from.count][to.count]
  }

  /// A sentence that suggests the nearest candidate, with a space before it; empty if none is near.
  func suggestion(from candidates: some Sequence<String>) -> String {
    nearest(in: candidates).map { " Did you mean \"\($0)\"?" } ?? ""
  }
}

extension Sequence<String> {
  /// The names as a list in a sentence: a, b, or c.
  var alternatives: String {
    let names = Array(self)
    guard names.count > 2 else { return names.joined(separator: " or ") }
    return names.dropLast().joined(separator: ", ") + ", or " + names[names.count - 1]
  }
}
