import Foundation

extension Int {
  /// The number with commas between thousands.
  var grouped: String {
    var digits = String(magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (self < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }
}

extension Double {
  /// The number with three significant digits, or all those before the point, without trailing zeros.
  var short: String {
    if self == rounded(), magnitude < 1e15 { return Int(self).grouped }
    if magnitude >= 999.5, magnitude < 1e15 { return Int(rounded()).grouped }
    let text = threeDigits
    guard text.contains(".") else { return text }
    return String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed())
  }

  /// The number as a percentage with three significant digits.
  var percent: String {
    if self == 0 { return "0 %" }
    let value = self * 100
    return (value.magnitude < 1e-5 ? String(format: "%.2e", value) : value.threeDigits) + " %"
  }

  private var threeDigits: String {
    guard self != 0, isFinite else { return description }
    var places = 2
    var scaled = magnitude
    while scaled >= 9.995, places > 0 {
      scaled /= 10
      places -= 1
    }
    while scaled < 0.9995, places < 15 {
      scaled *= 10
      places += 1
    }
    return String(format: "%.\(places)f", self)
  }
}
