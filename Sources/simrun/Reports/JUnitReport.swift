/// The verdicts of a check as JUnit's XML, which most CI systems show.
///
/// A suite is a file, a test an expectation of a strategy in a world. What fails is a `failure`; what is undecided is an
/// `error`, because a gate that cannot tell must not look open.
enum JUnitReport {
  static func text(_ report: CheckReport) -> String {
    var files: [String] = []
    for result in report.results where !files.contains(result.file) { files.append(result.file) }
    var suites = files.map { file in
      suite(file, report.results.filter { $0.file == file }.flatMap(cases))
    }
    if let comparison = report.comparison {
      suites.append(suite("committed results", cases(of: comparison)))
    }
    return
      (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites name=\"simrun check\">"]
      + suites + ["</testsuites>"]).joined(separator: "\n") + "\n"
  }

  private struct Case {
    let kind: ExpectationJudge.Verdict.Kind
    let xml: String
  }

  private static func suite(_ name: String, _ cases: [Case]) -> String {
    let failures = cases.count { $0.kind == .fail }
    let errors = cases.count { $0.kind == .inconclusive }
    let head =
      "  <testsuite name=\"\(name.escapedForXML)\" tests=\"\(cases.count)\" failures=\"\(failures)\" "
      + "errors=\"\(errors)\" skipped=\"0\">"
    return ([head] + cases.map(\.xml) + ["  </testsuite>"]).joined(separator: "\n")
  }

  private static func cases(_ result: CheckReport.Result) -> [Case] {
    result.verdicts.map { expectation, verdict in
      testCase(
        result.name, expectation.text, verdict.kind, "found \(verdict.found)",
        place: "\(result.file):\(expectation.position.line)")
    }
  }

  private static func cases(of comparison: ResultComparison) -> [Case] {
    comparison.failures.map { testCase($0.file, "is what came out", .fail, $0.message, place: "") }
      + comparison.equal.map { testCase($0, "is what came out", .pass, "", place: "") }
  }

  private static func testCase(
    _ className: String, _ name: String, _ kind: ExpectationJudge.Verdict.Kind, _ message: String,
    place: String
  ) -> Case {
    let head =
      "    <testcase classname=\"\(className.escapedForXML)\" name=\"\(name.escapedForXML)\""
    let element =
      switch kind {
      case .pass: String?.none
      case .fail: "failure"
      case .inconclusive: "error"
      }
    guard let element else { return Case(kind: kind, xml: head + "/>") }
    let body =
      "      <\(element) type=\"\(kind.rawValue)\" message=\"\(message.escapedForXML)\">"
      + "\(place.escapedForXML)</\(element)>"
    return Case(kind: kind, xml: "\(head)>\n\(body)\n    </testcase>")
  }
}

extension String {
  /// The text as XML's attributes and text have it; what XML cannot hold is a question mark.
  var escapedForXML: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\t", "\n", "\r": text += "&#\(scalar.value);"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        text += "?"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
