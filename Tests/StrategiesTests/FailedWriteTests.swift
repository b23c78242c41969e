import SimCore
import Strategies
import Testing

/// Pairs that cannot be written.
struct FailedWriteTests {
  @Test func `A pair that could not be written is written again`() {
    let bench = ClientBench { $0.storeRetries = [.seconds(1), .seconds(2)] }
    bench.seconds = 400
    bench.start(1)
    bench.grant(2, end: 700)
    #expect(bench.tell(.storeFailed(first)) == ["timer 0 1000 ms"])
    #expect(bench.fireTimer() == ["store 0 R2"])
    #expect(bench.tell(.storeFailed(first)) == ["timer 0 2000 ms"])
    #expect(bench.start(2) == ["wait 2"])
    #expect(bench.fireTimer() == ["store 0 R2"])
    #expect(bench.tell(.stored(first)) == ["send 1 A2", "send 2 A2"])
  }

  /// The parent in the store is adopted like any other pair, and is spent.
  @Test func `A failure that is swallowed brings the spent token back`() {
    let bench = ClientBench { $0.rereads = [.beforeSending] }
    bench.seconds = 400
    bench.start(1)
    _ = bench.read(ClientBench.found(1, end: 300))
    bench.grant(2, end: 700)
    #expect(bench.tell(.storeFailed(first)) == ["send 1 A2"])
    bench.seconds = 700
    bench.start(2)
    #expect(bench.read(ClientBench.found(1, end: 300)) == ["refresh 0 R1"])
  }

  @Test func `A pair that could not be written is not used before it is`() {
    let bench = ClientBench {
      $0.afterFailedWrite = .failCalls
      $0.rereads = [.beforeSending]
      $0.afterFailedCheck = .useTrusted
    }
    bench.seconds = 400
    bench.start(1)
    _ = bench.read(ClientBench.found(1, end: 300))
    bench.grant(2, end: 700)
    #expect(bench.tell(.storeFailed(first)) == ["finish 1 noUsableToken"])
    // The next call has it written; the parent in the store does not take its place.
    #expect(bench.start(2) == ["read 0", "wait 2"])
    #expect(bench.read(ClientBench.found(1, end: 300)) == ["store 0 R2"])
    #expect(bench.tell(.storeFailed(first)) == ["finish 2 noUsableToken"])
    bench.start(3)
    #expect(bench.read(ClientBench.found(1, end: 300)) == ["store 0 R2"])
    #expect(bench.tell(.stored(first)) == ["send 3 A2"])
    #expect(bench.start(4) == ["send 4 A2"])
  }

  @Test func `A pair in use gives way only to a newer one until it is written`() {
    let bench = ClientBench {
      $0.persist = .writeThrough
      $0.rereads = [.resume]
    }
    bench.seconds = 400
    bench.start(1)
    #expect(bench.grant(2, end: 700) == ["store 0 R2", "send 1 A2"])
    bench.tell(.resumed)
    _ = bench.read(ClientBench.found(1, end: 300))
    #expect(bench.start(2) == ["send 2 A2"])
    #expect(bench.tell(.stored(first)) == [])
    bench.tell(.resumed)
    _ = bench.read(ClientBench.found(1, end: 699))
    #expect(bench.start(3) == ["send 3 A1"])
  }

  @Test func `A pair of a session that is over is not written again`() {
    let bench = ClientBench {
      $0.storeRetries = [.seconds(1)]
      $0.accept = .ifSessionUnchanged
    }
    bench.seconds = 400
    bench.start(1)
    bench.grant(2, end: 700)
    bench.tell(.storeFailed(first))
    bench.tell(.signOutRequested)
    #expect(bench.fireTimer() == ["finish 1 signedOut"])
  }
}
