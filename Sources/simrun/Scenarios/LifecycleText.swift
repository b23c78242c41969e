import SimCore

/// The life of the app in options and files.
enum LifecycleText {
  static let departure = FieldCodec<LifecyclePolicy.Departure>(
    accepted: "never, a distribution of the time after the opening, or \"at\" and an instant",
    encode: {
      switch $0 {
      case .never: "never"
      case .at(let instant): .string("at \(instant.text)")
      case .after(let distribution): DistributionText.encode(distribution)
      }
    },
    decode: { value in
      if value == "never" { return .never }
      if case .string(let text) = value, text.hasPrefix("at ") {
        return .at(try FieldCodec.duration.decode(.string(String(text.dropFirst(3)))))
      }
      return .after(try DistributionText.decode(value))
    })
}
