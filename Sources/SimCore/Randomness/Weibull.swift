/// A Weibull distribution, in one of two ways of giving it.
///
/// A draw exceeds x with the probability exp(-(x / scale)^shape). Below a shape of 1 the longer it has lasted the
/// longer it will; 1 is exponential.
public enum Weibull: Equatable, Sendable {
  /// By its shape and its scale, which 63 % of the draws do not exceed.
  case shape(Double, scale: Duration)
  /// By two of its quantiles.
  case quantiles(Distribution.Quantile, Distribution.Quantile)

  /// The shape, and the scale in seconds.
  package var parameters: (shape: Double, scale: Double) {
    switch self {
    case .shape(let shape, let scale):
      return (shape, scale.inSeconds)
    case .quantiles(let first, let second):
      // The logarithm of a quantile is a straight line in ln(-ln(1 - p)), with the slope 1 / shape.
      let (y1, y2) = (Self.height(first.probability), Self.height(second.probability))
      let log1 = ElementaryFunctions.log(first.value.inSeconds)
      let shape = (y2 - y1) / (ElementaryFunctions.log(second.value.inSeconds) - log1)
      return (shape, ElementaryFunctions.exp(log1 - y1 / shape))
    }
  }

  /// The logarithm of (x / scale)^shape at the quantile x of a probability.
  package static func height(_ probability: Double) -> Double {
    ElementaryFunctions.log(-ElementaryFunctions.log(1 - probability))
  }

  private static let shapes = 0.05...50.0

  var problem: String? {
    switch self {
    case .shape(let shape, let scale):
      if !Self.shapes.contains(shape) { return "needs a shape from 0.05 to 50" }
      return scale <= .zero ? "needs a scale above zero" : nil
    case .quantiles(let first, let second):
      if let problem = Distribution.Quantile.problem(first, second) { return problem }
      return Self.shapes.contains(parameters.shape)
        ? nil : "needs quantiles that give a shape from 0.05 to 50"
    }
  }
}
