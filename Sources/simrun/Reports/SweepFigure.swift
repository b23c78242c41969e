struct SweepFigure {
  let text: String
  init(_ report: SweepReport) { text = "" }
}
