/// A measured value with the interval that stands for its doubt; one without doubt has none.
struct Reading {
  let estimate: Double
  /// The lower end of the interval that a verdict follows from.
  let low: Double
  /// Its upper end.
  let high: Double
  /// The interval that is shown, which may be a little narrower; nil for a value without doubt.
  var shown: (low: Double, high: Double)?
  /// The value with its interval, for people.
  let text: String
}
