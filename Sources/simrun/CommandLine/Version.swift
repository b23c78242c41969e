/// The version of the tool, as results carry it.
enum Version {
  static let number = "0.1.0"
}
