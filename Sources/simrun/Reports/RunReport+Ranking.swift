import SimCore

extension RunReport {
  /// Fewest sign-outs first, then fewest failed calls, 401s, and refreshes; equals stay in the order asked for.
  var ranked: [Result] {
    let keys = results.map { result in
      [
        result.totals.rate(.signOuts, per: .run), result.totals.rate(.failedCalls, per: .call),
        result.totals.rate(.unauthorized, per: .call), result.totals.rate(.refreshes, per: .run),
      ].map { $0?.estimate ?? .infinity }
    }
    return results.indices.sorted {
      keys[$0].lexicographicallyPrecedes(keys[$1]) || keys[$0] == keys[$1] && $0 < $1
    }.map { results[$0] }
  }
}
