import SimCore
import Testing

@testable import simrun

struct AxisTests {
  private func problem(_ text: String) -> String? {
    do {
      _ = try Axis(text)
      return nil
    } catch let problem as FieldProblem {
      return problem.clause
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    ("margin=0s...6s:2s", ["0s", "2s", "4s", "6s"]),
    ("lifetime=1s...1000s:x10", ["1s", "10s", "100s", "1000s"]),
    ("network.lostAnswers=0%...1%:0.5%", ["0%", "0.5%", "1%"]),
    ("callers=1...4:1", ["1", "2", "3", "4"]),
    ("server.grace.parent.window=0s,10s,unlimited", ["0s", "10s", "unlimited"]),
    (
      "network.uplink=uniform(from=1s, to=2s), 3s", ["uniform(from=1s, to=2s)", "3s"]
    ),
    ("network=lte,3g", ["lte", "3g"]),
  ])
  func `A list or a range gives values as they would be typed`(text: String, values: [String])
    throws
  {
    let axis = try Axis(text)
    // A range gives the shortest form of a length of time.
    #expect(axis.values.map(canonical) == values.map(canonical))
  }

  private func canonical(_ value: String) -> String {
    (try? Duration(text: value))?.text ?? value
  }

  @Test(arguments: [
    ("margn=0s,5s", "names the unknown field \"margn\""),
    ("margin", "is not like margin=0s...60s:2s"),
    ("margin=", "has no values"),
    ("margin=0s,,5s", "has an empty value"),
    ("margin=0s,5s,0s", "has the value 0s twice"),
    ("margin=5s...5s:1s", "has an empty range"),
    ("margin=60s...0s:2s", "has a range that ends before it begins"),
    ("margin=0s...60s:0s", "has a step of zero, which never arrives"),
    ("margin=0s...60s:-2s", "has a step backwards, which never arrives"),
    ("margin=0s...60s:7s", "has the step 7s, which never arrives at 1min"),
    ("margin=0s...60s", "has a range without a step"),
    ("margin=0s...10000000s:1s", "has 10,000,000 steps; at most 10,000"),
    ("margin=1s...60s:x1", "goes by a factor, which needs a factor above 1"),
    ("margin=0s...60s:2%", "has a step of another kind"),
    ("callers=1,two", "\"two\" is not a whole number"),
    ("network=lte,9g", "unknown network \"9g\""),
  ])
  func `What is wrong with an axis is said`(text: String, message: String) throws {
    let clause = problem(text)
    let problem = try #require(clause)
    #expect(problem.contains(message))
  }
}
