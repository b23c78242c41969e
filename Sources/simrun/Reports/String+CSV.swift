extension String {
  /// The text as a field of a CSV file.
  var csvQuoted: String {
    contains { ",\"\n".contains($0) } ? "\"\(replacing("\"", with: "\"\""))\"" : self
  }
}
