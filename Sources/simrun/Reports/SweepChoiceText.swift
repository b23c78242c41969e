import SimCore

/// Which value will do, what it costs, and what lies on either side of it.
struct SweepChoiceText {
  private let report: SweepReport
  private let choice: SweepChoice

  init(_ report: SweepReport, _ choice: SweepChoice) {
    self.report = report
    self.choice = choice
  }

  private var axis: Axis { report.sweep.axes[0] }

  var text: String { lines.joined(separator: "\n") }

  /// The choice, and below it, set in, what led to it.
  var lines: [String] {
    let sentences: [String] =
      switch choice.outcome {
      case .chosen(let index):
        ["\(name(index)) is the cheapest of \(count) that meets it."] + neighbours(index)
          + [cost(index), edge(index), cheaper(index)].compactMap(\.self)
      case .none(let best):
        ["no value meets it; the best is \(name(best)): \(found(best))."] + neighbours(best)
      case .undecided(let index, let needed):
        [
          "no value surely meets it; \(name(index)) may: \(found(index)); \(needed.words) (see --runs)."
        ] + neighbours(index)
      case .unmeasured: ["there was nothing to measure it by."]
      }
    return ["\(title): \(sentences[0])"] + (sentences.dropFirst() + margins).map { "  \($0)" }
  }

  private var title: String {
    let second = choice.second.map { ", \(report.sweep.axes[1].name)=\($0)" } ?? ""
    return report.title(choice.contender) + second
  }

  private var count: String { "\(choice.candidates.count.grouped) values" }

  private func name(_ index: Int) -> String { "\(axis.name)=\(choice.candidates[index].value)" }

  private func found(_ index: Int) -> String {
    choice.candidates[index].reading?.text ?? "nothing to measure it by"
  }

  /// The value and those beside it, with what was found at each.
  private func neighbours(_ index: Int) -> [String] {
    let range = max(0, index - 1)...min(choice.candidates.count - 1, index + 1)
    let width = range.map { choice.candidates[$0].value.count }.max() ?? 0
    let widthOfFound = range.map { found($0).count }.max() ?? 0
    return range.map { position in
      let value = choice.candidates[position].value.leftPadded(to: width)
      let verdict =
        switch choice.candidates[position].verdict {
        case .pass: "meets it"
        case .fail: "does not"
        case .inconclusive: "undecided"
        case nil: "not measured"
        }
      return
        "\(position == index ? ">" : " ") \(value)  \(found(position).padded(to: widthOfFound))  \(verdict)"
    }
  }

  // MARK: Cost

  private func cost(_ index: Int) -> String? {
    let own = costs(index)
    guard !own.isEmpty else { return nil }
    let cheapest = SweepChoice.order(choice.candidates)[0]
    let costs = own.map { "\($0.name) \($0.value)" }.joined(separator: " and ")
    guard cheapest != index else { return "It costs \(costs)." }
    let least = self.costs(cheapest).map(\.value).joined(separator: " and ")
    return "It costs \(costs); \(choice.candidates[cheapest].value), the cheapest, \(least)."
  }

  private func costs(_ index: Int) -> [(name: String, value: String)] {
    let result = report.points[choice.points[index]].results[choice.contender]
    let refreshes = Quantity.refreshes(result.scenario)
    return [Quantity(axis.cost == .exposure ? .exposure : .lifeUnused), refreshes].compactMap {
      quantity in
      quantity.reading(result).map { (quantity.name, $0.text) }
    }
  }

  /// Whether values that were not tried could be cheaper or safer.
  private func edge(_ index: Int) -> String? {
    let order = SweepChoice.order(choice.candidates)
    guard order.count > 1 else { return nil }
    if order.first == index {
      // Below nothing there is nothing cheaper.
      return Axis.number(choice.candidates[index].value) == 0
        ? nil : "It is the cheapest value tried: one beyond this end of the axis may do as well."
    }
    return order.last == index ? "It is the dearest value tried; none beyond it was." : nil
  }

  /// A cheaper value that more runs may let pass.
  private func cheaper(_ index: Int) -> String? {
    guard let target = report.sweep.target else { return nil }
    let open = SweepChoice.order(choice.candidates).prefix { $0 != index }
      .filter { choice.candidates[$0].verdict == .inconclusive }
    guard let first = open.first else { return nil }
    let needed = SweepChoice.runsNeeded(
      choice.candidates[first], target.condition,
      runs: report.points[choice.points[first]].runsDone, report.judged)
    return needed.map { "\(choice.candidates[first].value) is cheaper and undecided; \($0.words)." }
  }

  // MARK: Margins

  /// The published margin, and the smallest one by the exact formula.
  private var margins: [String] {
    guard axis.path == Axis.marginPath else { return [] }
    let result = report.points[choice.points[0]].results[choice.contender]
    let published = SafeMargin.published(result.scenario)
    var text =
      "Published margin d_p99 + s_max: \(published.delay.inSeconds.short) s + "
      + "\(published.lateness.inSeconds.short) s = \(published.margin.inSeconds.short) s."
    if let exact = report.exactMargin(choice) {
      text += " By the exact formula \(exact.inSeconds.short) s is enough."
    }
    return [text]
  }
}

extension SweepReport {
  /// The smallest margin that the exact formula gives for the target, at a value of the second axis.
  func exactMargin(_ choice: SweepChoice) -> Duration? {
    guard let target = sweep.target, Quantity(target) == .firstUnauthorized,
      case .below(let limit, _) = target.condition, limit > 0
    else { return nil }
    let result = points[choice.points[0]].results[choice.contender]
    return SafeMargin.smallest(for: limit, result.scenario, result.profile)
  }
}
