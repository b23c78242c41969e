/// Whether two numbers differ by at most a share of the second.
public func isClose(_ value: Double, _ expected: Double, relative tolerance: Double) -> Bool {
  (value - expected).magnitude <= tolerance * expected.magnitude
}
