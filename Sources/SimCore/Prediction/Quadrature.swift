/// Numerical integration by adaptive Gauss–Kronrod quadrature with 7 and 15 points.
package enum Quadrature {
  /// The positive nodes of the 15-point rule; every second one is a node of the 7-point rule.
  private static let nodes = [
    0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
    0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
    0.586087235467691130294144691693013, 0.405845151377397166906606412076961,
    0.207784955007898467600689403773245, 0.0,
  ]
  private static let kronrod = [
    0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
    0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
    0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
    0.204432940075298892414161999234649, 0.209482141084727828012999174891714,
  ]
  private static let gauss = [
    0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
    0.381830050505118944950369775488975, 0.417959183673469387755102040816327,
  ]

  private struct Panel {
    let from: Double
    let to: Double
    let value: Double
    let error: Double
  }

  /// The integral of `function` over the intervals between neighbouring `splits`.
  ///
  /// The worst panel is halved until the summed error estimates fall below `tolerance`, or after 400 panels.
  /// Put the splits where the function has kinks; they need not be in order.
  package static func integral(
    splits: [Double], tolerance: Double, _ function: (Double) -> Double
  ) -> Double {
    let ends = splits.sorted()
    var panels: [Panel] = []
    for (from, to) in zip(ends, ends.dropFirst()) where to > from {
      panels.append(panel(from, to, function))
    }
    while panels.count < 400, panels.reduce(0, { $0 + $1.error }) > tolerance {
      guard let worst = panels.indices.max(by: { panels[$0].error < panels[$1].error })
      else { break }
      let panel = panels[worst]
      let middle = 0.5 * (panel.from + panel.to)
      guard panel.from < middle, middle < panel.to else { break }
      panels[worst] = self.panel(panel.from, middle, function)
      panels.append(self.panel(middle, panel.to, function))
    }
    return panels.reduce(0) { $0 + $1.value }
  }

  private static func panel(
    _ from: Double, _ to: Double, _ function: (Double) -> Double
  ) -> Panel {
    let centre = 0.5 * (from + to)
    let half = 0.5 * (to - from)
    var fine = 0.0
    var coarse = 0.0
    for index in nodes.indices {
      let isCentre = index == nodes.count - 1
      let distance = half * nodes[index]
      let sum =
        isCentre ? function(centre) : function(centre - distance) + function(centre + distance)
      fine += kronrod[index] * sum
      if index % 2 == 1 { coarse += gauss[index / 2] * sum }
    }
    return Panel(from: from, to: to, value: half * fine, error: (half * (fine - coarse)).magnitude)
  }
}
