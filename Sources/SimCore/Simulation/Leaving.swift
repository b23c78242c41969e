/// When the person of an opening leaves, in place of what the scenario's distribution would draw.
enum Leaving {
  /// As it is drawn.
  case drawn
  /// The person stays.
  case never
  /// This many nanoseconds after the opening.
  case after(Int64)
}
