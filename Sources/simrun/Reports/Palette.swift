/// Colour for headings, where it is wanted.
///
/// It never carries meaning alone.
struct Palette {
  let isColoured: Bool

  func heading(_ text: String) -> String {
    isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text
  }
}
