import Foundation

/// A drawing that stands for itself: no scripts, no fonts to load, and a white ground for dark pages.
struct SVGDrawing {
  /// What closes or carries a line of text.
  enum Anchor: String {
    case start
    case middle
    case end
  }

  /// A point of the drawing, from the upper left.
  typealias Point = (x: Double, y: Double)

  let width: Double
  let height: Double
  private var elements: [String] = []

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The file.
  var text: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="\(number(width))" height="\(number(height))" \
    viewBox="0 0 \(number(width)) \(number(height))" font-family="Helvetica, Arial, sans-serif" font-size="12">
    <rect width="100%" height="100%" fill="#ffffff"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }

  /// What the drawing is about, for those who hear it.
  mutating func describe(title: String) {
    elements.append("<title>\(escaped(title))</title>")
  }

  mutating func line(
    from: Point, to: Point, stroke: String, width: Double = 1, dashes: String? = nil
  ) {
    elements.append(
      "<line x1=\"\(number(from.x))\" y1=\"\(number(from.y))\" x2=\"\(number(to.x))\" "
        + "y2=\"\(number(to.y))\" stroke=\"\(stroke)\" stroke-width=\"\(number(width))\"\(dash(dashes))/>"
    )
  }

  mutating func path(
    _ points: [Point], stroke: String, width: Double = 1.5, dashes: String? = nil,
    within clip: String? = nil
  ) {
    guard points.count > 1 else { return }
    let clipping = clip.map { " clip-path=\"url(#\($0))\"" } ?? ""
    elements.append(
      "<polyline points=\"\(list(points))\" fill=\"none\" stroke=\"\(stroke)\" "
        + "stroke-width=\"\(number(width))\" stroke-linejoin=\"round\"\(dash(dashes))\(clipping)/>")
  }

  mutating func area(_ points: [Point], fill: String, opacity: Double) {
    elements.append(
      "<polygon points=\"\(list(points))\" fill=\"\(fill)\" fill-opacity=\"\(number(opacity))\"/>")
  }

  mutating func circle(
    at centre: Point, radius: Double, fill: String, stroke: String, width: Double = 1.5
  ) {
    elements.append(
      "<circle cx=\"\(number(centre.x))\" cy=\"\(number(centre.y))\" r=\"\(number(radius))\" "
        + "fill=\"\(fill)\" stroke=\"\(stroke)\" stroke-width=\"\(number(width))\"/>")
  }

  mutating func rectangle(
    at corner: Point, width: Double, height: Double, fill: String, stroke: String = "none",
    strokeWidth: Double = 1
  ) {
    elements.append(
      "<rect x=\"\(number(corner.x))\" y=\"\(number(corner.y))\" width=\"\(number(width))\" "
        + "height=\"\(number(height))\" fill=\"\(fill)\" stroke=\"\(stroke)\" "
        + "stroke-width=\"\(number(strokeWidth))\"/>")
  }

  /// A frame that paths can be cut by.
  mutating func clip(_ name: String, at corner: Point, width: Double, height: Double) {
    elements.append(
      "<clipPath id=\"\(name)\"><rect x=\"\(number(corner.x))\" y=\"\(number(corner.y))\" "
        + "width=\"\(number(width))\" height=\"\(number(height))\"/></clipPath>")
  }

  /// A line of text.
  ///
  /// - Parameters:
  ///   - text: the words.
  ///   - point: where its base line starts, is in the middle, or ends.
  ///   - anchor: which of these.
  ///   - size: of the letters.
  ///   - fill: their colour.
  ///   - weight: how heavy they are.
  ///   - degrees: how far it is turned clockwise about that point.
  mutating func write(
    _ text: String, at point: Point, _ anchor: Anchor = .start, size: Double = 12,
    fill: String = "#222222", weight: String = "normal", turnedBy degrees: Double = 0
  ) {
    let turn =
      degrees == 0
      ? "" : " transform=\"rotate(\(number(degrees)) \(number(point.x)) \(number(point.y)))\""
    elements.append(
      "<text x=\"\(number(point.x))\" y=\"\(number(point.y))\" text-anchor=\"\(anchor.rawValue)\" "
        + "font-size=\"\(number(size))\" font-weight=\"\(weight)\" fill=\"\(fill)\"\(turn)>"
        + "\(escaped(text))</text>")
  }

  /// A pale ground for words, so that lines behind them do not cross them out.
  mutating func clear(
    behind words: String, from start: Double, line: Double, weight: String = "normal"
  ) {
    elements.append(
      "<rect x=\"\(number(start - 2))\" y=\"\(number(line - 11))\" "
        + "width=\"\(number(Self.width(words, weight: weight) + 4))\" height=\"15\" "
        + "fill=\"#ffffff\" fill-opacity=\"0.8\"/>")
  }

  /// About how wide a text is; bold letters are wider.
  static func width(_ text: String, size: Double = 12, weight: String = "normal") -> Double {
    Double(text.count) * size * (weight == "bold" ? 0.65 : 0.57)
  }

  private func list(_ points: [Point]) -> String {
    points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
  }

  private func dash(_ dashes: String?) -> String {
    dashes.map { " stroke-dasharray=\"\($0)\"" } ?? ""
  }

  /// Two decimals are finer than any screen.
  private func number(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(format: "%.2f", rounded)
  }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
