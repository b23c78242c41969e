import SimCore

/// A range of an axis, `0s...60s:2s` in equal steps or `1s...1000s:x10` by equal factors, both ends included.
struct AxisRange {
  private let start: Quantity
  private let end: Quantity
  private let step: Step

  private enum Step {
    case difference(Quantity)
    case factor(Double)
  }

  /// A number, a percentage, or a length of time in nanoseconds; a range has one kind throughout.
  private struct Quantity {
    enum Kind: Equatable { case number, percent, duration }

    let kind: Kind
    let value: Double

    init(_ text: String) throws {
      if text.hasSuffix("%"), let number = JSONValue.string(String(text.dropLast())).asNumber {
        (kind, value) = (.percent, number)
      } else if let number = JSONValue.string(text).asNumber {
        (kind, value) = (.number, number)
      } else {
        do {
          (kind, value) = (.duration, Double(try Duration(text: text).nanoseconds))
        } catch {
          throw FieldProblem("has \"\(text)\" in its range, which \(error.clause)")
        }
      }
    }

    /// A value of this kind as it would be typed.
    func text(_ value: Double) -> String {
      switch kind {
      case .duration: Duration.nanoseconds(Int64(value.rounded())).text
      case .percent: Self.decimal(value) + "%"
      case .number: Self.decimal(value)
      }
    }

    /// Twelve digits hide what equal steps add of rounding.
    private static func decimal(_ value: Double) -> String {
      guard value != 0 else { return "0" }
      var scale = 1.0
      while value.magnitude * scale < 1e11 { scale *= 10 }
      return JSONValue.number((value * scale).rounded() / scale).text()
    }
  }

  /// Takes a text apart; nil if it is no range.
  ///
  /// - Throws: a ``FieldProblem`` if a part of it is missing, or no quantity.
  init?(_ text: String) throws {
    guard let dots = text.firstRange(of: "...") else { return nil }
    let rest = text[dots.upperBound...]
    guard let colon = rest.firstIndex(of: ":") else {
      throw FieldProblem("has a range without a step; write 0s...60s:2s, or 1s...1000s:x10")
    }
    start = try Quantity(String(text[..<dots.lowerBound]).trimmed)
    end = try Quantity(String(rest[..<colon]).trimmed)
    let stepText = String(rest[rest.index(after: colon)...]).trimmed
    if stepText.first == "x", let factor = Double(stepText.dropFirst()) {
      step = .factor(factor)
    } else {
      step = .difference(try Quantity(stepText))
    }
  }

  /// The values from one end to the other.
  ///
  /// - Throws: a ``FieldProblem`` if there are none, too many, or the step does not lead to the end.
  func values() throws -> [String] {
    guard start.kind == end.kind else {
      throw FieldProblem("has a range whose ends are different kinds of values")
    }
    if end.value < start.value {
      throw FieldProblem(
        "has a range that ends before it begins; write it from the least to the greatest")
    }
    if end.value == start.value {
      throw FieldProblem("has an empty range: both ends are \(end.text(end.value))")
    }
    return switch step {
    case .difference(let step): try steps(of: step)
    case .factor(let factor): try steps(by: factor)
    }
  }

  private func steps(of step: Quantity) throws -> [String] {
    guard step.kind == start.kind else {
      throw FieldProblem("has a step of another kind than the ends of its range")
    }
    guard step.value != 0 else { throw FieldProblem("has a step of zero, which never arrives") }
    guard step.value > 0 else { throw FieldProblem("has a step backwards, which never arrives") }
    let count = (end.value - start.value) / step.value
    try checkArrival(count, step.text(step.value))
    return (0...Int(count.rounded())).map { start.text(start.value + Double($0) * step.value) }
  }

  private func steps(by factor: Double) throws -> [String] {
    guard factor > 1, factor.isFinite, start.value > 0 else {
      throw FieldProblem(
        "goes by a factor, which needs a factor above 1 and a range that begins above zero")
    }
    let count =
      ElementaryFunctions.log(end.value / start.value) / ElementaryFunctions.log(factor)
    try checkArrival(count, "x\(factor.short)")
    var value = start.value
    return (0...Int(count.rounded())).map { _ in
      defer { value *= factor }
      return start.text(value)
    }
  }

  private func checkArrival(_ count: Double, _ step: String) throws {
    guard count < Double(Axis.mostPoints) else {
      throw FieldProblem(
        "has \(count < 1e15 ? Int(count).grouped : "far too many") steps; at most "
          + "\(Axis.mostPoints.grouped) can be swept")
    }
    guard (count - count.rounded()).magnitude < 1e-6, count > 0.5 else {
      throw FieldProblem("has the step \(step), which never arrives at \(end.text(end.value))")
    }
  }
}
