/// What is wrong with a JSON5 text, and where.
struct JSON5Problem: Error, Equatable {
  let position: TextPosition
  let message: String
}
