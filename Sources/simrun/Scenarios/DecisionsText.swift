import SimCore
import Strategies

/// The decisions of a strategy, one per line.
enum DecisionsText {
  static func text(_ strategy: Strategy) -> String {
    let decisions = strategy.decisions
    let margin =
      if case .margin(let margin) = decisions.check { "margin \(margin.text)" } else { "none" }
    let lines = [
      ("check before use", margin),
      ("expiry basis", "\(decisions.expiryBasis)"),
      ("after a 401", "\(decisions.afterUnauthorized)"),
      ("resends", "\(decisions.resends)"),
      ("concurrent refreshes", "\(decisions.merge)"),
      ("presents the refresh token", "\(decisions.presents)"),
      ("timeout", decisions.timeout.text),
      ("protection in flight", "\(decisions.protection)"),
      (
        "retries while protected",
        decisions.protectedRetries.isEmpty
          ? "none" : "after \(decisions.protectedRetries.map(\.text).joined(separator: ", "))"
      ),
      ("after invalid_grant", "\(decisions.afterRejection)"),
      ("sign-out is told", "\(decisions.notices)"),
    ]
    return "\(strategy.name): \(strategy.summary)\n"
      + lines.map { "  \($0.0.padded(to: 28))\($0.1)\n" }.joined()
  }
}
