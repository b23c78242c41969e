import SimCore

/// Periods in options and files, such as `10min..12min, 1h..2h`.
enum PeriodText {
  /// Periods in order, separated by commas, or a list of them.
  static let list = FieldCodec<[Period]>(
    accepted: "periods in order, such as 10min..12min, 1h..2h",
    encode: { .array($0.map { .string(text($0)) }) },
    decode: { value in
      let periods = try value.items(separatedBy: ",", period)
      for (index, (earlier, later)) in zip(periods, periods.dropFirst()).enumerated()
      where later.from < earlier.to {
        throw FieldProblem(
          "has \"\(text(later))\", which begins before \(text(earlier)) ends", at: index + 1)
      }
      return periods
    })

  private static func text(_ period: Period) -> String {
    "\(period.from.text)..\(period.to.text)"
  }

  private static func period(_ text: String) throws -> Period {
    let ends = text.parts(at: "..")
    guard ends.count == 2 else { throw FieldProblem("is not like 10min..12min") }
    let period = Period(
      from: try FieldCodec.duration.decode(.string(ends[0])),
      to: try FieldCodec.duration.decode(.string(ends[1])))
    guard period.from < period.to else { throw FieldProblem("ends before it begins") }
    return period
  }
}

extension String {
  /// The text cut at each occurrence of another, without spaces at either end of a piece.
  func parts(at separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map { String($0).trimmed }
  }
}
