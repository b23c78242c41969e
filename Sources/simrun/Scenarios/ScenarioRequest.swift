import SimCore
import Strategies

/// The scenario that the options ask for: fields over presets over defaults.
struct ScenarioRequest {
  private let arguments: CommandLineArguments

  init(_ arguments: CommandLineArguments) {
    self.arguments = arguments
  }

  /// A world that the options ask for.
  struct World {
    /// The variant of the file; nil if there is none.
    let variant: String?
    let server: String
    let scenario: Scenario
    /// What else the file says.
    let file: Experiment.Variant
    /// The paths of the fields that options or the file give.
    let given: [String]

    /// The strategies that the file names.
    var strategies: [Strategy] { file.strategies }
  }

  /// One world per variant of the file and server, in the order given.
  ///
  /// - Throws: all ``Problems`` of the options and the file together.
  func worlds() throws -> [World] {
    var problems = Problems()
    let variants = try problems.collect { try self.variants() } ?? []
    let settings = try problems.collect { try requestedSettings() } ?? []
    let worlds = try variants.flatMap { variant in
      try problems.collect { try self.worlds(variant, settings) } ?? []
    }
    try problems.throwIfAny()
    return worlds
  }

  /// The variants of the file, or the default world.
  private func variants() throws -> [Experiment.Variant] {
    guard let file = arguments[.scenario] else {
      if arguments.contains(.variant) {
        throw Problem("--variant is given, but --scenario is not; variants are those of a file")
      }
      return [Experiment.Variant()]
    }
    let experiment = try Experiment(file: file)
    guard let name = arguments[.variant] else { return experiment.variants }
    return try experiment.only(name).variants
  }

  private func worlds(
    _ variant: Experiment.Variant, _ settings: [FieldSetting]
  ) throws -> [World] {
    var problems = Problems()
    var base = variant.scenario
    // A preset of the usage may bring a lifecycle, above which one that is asked for stands.
    for kind in [Preset.Kind.network, .clock, .usage, .lifecycle] {
      if let preset = try problems.collect({ try presets(kind).first }) { preset?.apply(&base) }
    }
    let servers = try problems.collect { try presets(.server) } ?? []
    let given = settings.map(\.field) + variant.given.map(\.path)
    // What options leave as it is was checked with its file.
    if try problems.collect({ try FieldSetting.apply(settings, to: &base) }) != nil,
      base != variant.scenario
    {
      _ = try problems.collect { try ScenarioCheck(base, given: Set(given)).check() }
    }
    try problems.throwIfAny()
    guard !servers.isEmpty else {
      return [
        World(
          variant: variant.name, server: variant.server, scenario: base, file: variant,
          given: given)
      ]
    }
    return try servers.map { preset in
      var scenario = base
      preset.apply(&scenario)
      // Fields stand above presets, so what the preset may have changed is set once more.
      try FieldSetting.apply(settings.filter { $0.path.hasPrefix("server.") }, to: &scenario)
      return World(
        variant: variant.name, server: preset.name, scenario: scenario, file: variant,
        given: given)
    }
  }

  /// What is odd about a scenario without being wrong.
  static func warnings(_ scenario: Scenario, _ strategies: [Strategy]) -> [String] {
    strategies.compactMap { strategy in
      guard case .margin(let margin) = strategy.client(in: scenario).profile.check,
        margin >= scenario.server.lifetime.longest
      else { return nil }
      return "the margin of \(strategy.name), \(margin.text), is not below the lifetime "
        + "\(scenario.server.lifetime.longest.text): every call refreshes before it is sent"
    }
  }

  /// The presets that an option names.
  private func presets(_ kind: Preset.Kind) throws -> [Preset] {
    let known = Preset.all(kind)
    guard let option = Option(rawValue: kind.rawValue), let list = arguments[option] else {
      return []
    }
    let names =
      kind == .server
      ? list.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
      : [list]
    var problems = Problems()
    for (index, name) in names.enumerated() where names[..<index].contains(name) {
      problems.list.append(Problem("\(option.flag): \"\(name)\" is named twice"))
    }
    let presets = try names.compactMap { name in
      try problems.collect {
        guard let preset = known.first(where: { $0.name == name }) else {
          throw Problem(
            "\(option.flag): unknown \(kind.rawValue) \"\(name)\"; use "
              + "\(known.map(\.name).alternatives), and --set for parts of it."
              + name.suggestion(from: known.map(\.name)))
        }
        return preset
      }
    }
    try problems.throwIfAny()
    return presets
  }

  /// The fields that options set, each at most once.
  private func requestedSettings() throws -> [FieldSetting] {
    var problems = Problems()
    var settings: [FieldSetting] = []
    for (option, value) in arguments.values {
      let setting = try problems.collect { try self.setting(option, value) }
      guard let setting = setting ?? nil else { continue }
      if let earlier = settings.first(where: { $0.path == setting.path }) {
        problems.list.append(
          Problem("\(setting.path) is set twice, by \(earlier.source) and by \(setting.source)"))
      }
      settings.append(setting)
    }
    try problems.throwIfAny()
    return settings
  }

  private func setting(_ option: Option, _ value: String) throws -> FieldSetting? {
    if let field = option.field {
      return FieldSetting(source: option.flag, path: field, value: value)
    }
    guard option == .set else { return nil }
    guard let equals = value.firstIndex(of: "=") else {
      throw Problem("--set: \"\(value)\" is not like server.lifetime=5min")
    }
    let path = String(value[..<equals])
    return FieldSetting(
      source: "--set \(path)", path: path, value: String(value[value.index(after: equals)...]))
  }
}
