extension String {
  /// The candidate that takes the fewest edits, if it takes few enough to have been meant.
  func nearest(in candidates: some Sequence<String>) -> String? {
    let typed = Array(lowercased())
    let scored = candidates.map { (name: $0, edits: Self.edits(typed, Array($0.lowercased()))) }
    guard let best = scored.min(by: { $0.edits < $1.edits }) else { return nil }
    return best.edits <= max(1, best.name.count / 3) ? best.name : nil
  }

  /// The Levenshtein distance.
  private static func edits(_ from: [Character], _ to: [Character]) -> Int {
    var row = Array(0...to.count)
    for (i, character) in from.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in to.enumerated() {
        let substitution = diagonal + (character == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = Swift.min(substitution, diagonal + 1, row[j] + 1)
      }
    }
    return row[to.count]
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
