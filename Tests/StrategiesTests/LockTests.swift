import SimCore
import Strategies
import Testing

/// Refreshes under a lock.
struct LockTests {
  @Test func `A refresh waits for the lock, and gives it up when its pair is stored`() {
    let bench = ClientBench {
      $0.lock = CrossProcessLock()
      $0.protection = .backgroundTask
      $0.journal = true
    }
    bench.seconds = 400
    #expect(bench.client.profile.lock == CrossProcessLock())
    #expect(bench.start(1) == ["hold", "lock", "wait 1"])
    #expect(bench.start(2) == ["wait 2"])
    #expect(bench.tell(.lockGranted) == ["record", "refresh 0 R1"])
    #expect(bench.grant(2, end: 700) == ["store 0 R2"])
    // The lock goes first: a process that holds one as it is suspended may be killed.
    #expect(bench.tell(.stored(first)) == ["send 1 A2", "send 2 A2", "unlock", "release"])
  }

  @Test func `Under the lock the store is read before anything is sent`() {
    let bench = ClientBench {
      $0.lock = CrossProcessLock()
      $0.rereads = [.beforeSending]
    }
    bench.seconds = 400
    #expect(bench.start(1) == ["lock", "wait 1"])
    #expect(bench.tell(.lockGranted) == ["read 0"])
    #expect(bench.read(ClientBench.found(2, end: 600)) == ["send 1 A2", "unlock"])
  }

  @Test func `The last of several refreshes gives the lock up`() {
    let bench = ClientBench {
      $0.lock = CrossProcessLock()
      $0.merge = .none
    }
    bench.seconds = 400
    #expect(bench.start(1) == ["lock", "wait 1"])
    #expect(bench.start(2) == ["wait 2"])
    #expect(bench.tell(.lockGranted) == ["refresh 0 R1", "refresh 1 R1"])
    #expect(bench.tell(.refreshFailed(first, .transport)) == ["finish 1 transport"])
    #expect(bench.start(3) == ["refresh 0 R1", "wait 3"])
    #expect(bench.tell(.refreshFailed(second, .transport)) == ["finish 2 transport"])
    #expect(bench.tell(.refreshFailed(first, .transport)) == ["finish 3 transport", "unlock"])
  }

  @Test func `A refresh that no one wants any more asks for the lock in vain`() {
    let bench = ClientBench {
      $0.lock = CrossProcessLock()
      $0.onSignOut = .cancelRefresh
    }
    bench.seconds = 400
    bench.start(1)
    #expect(bench.tell(.signOutRequested) == ["clear", "finish 1 signedOut", "unlock"])
    let leaving = ClientBench { $0.lock = CrossProcessLock() }
    leaving.seconds = 400
    leaving.start(1)
    #expect(leaving.tell(.signOutRequested) == ["clear"])
    #expect(leaving.tell(.lockGranted) == ["finish 1 signedOut", "unlock"])
  }

  @Test func `A process that starts anew asks for the lock anew`() {
    let bench = ClientBench { $0.lock = CrossProcessLock() }
    bench.seconds = 400
    bench.start(1)
    bench.tell(.lockGranted)
    bench.tell(.launched)
    _ = bench.read(ClientBench.found(1, end: 300))
    #expect(bench.start(1) == ["lock", "wait 1"])
  }

  @Test func `A retry rests under the lock and is recorded again`() {
    let bench = ClientBench {
      $0.lock = CrossProcessLock()
      $0.journal = true
      $0.retries = [.seconds(1)]
    }
    bench.seconds = 400
    bench.start(1)
    bench.tell(.lockGranted)
    #expect(bench.tell(.refreshFailed(first, .transport)) == ["timer 0 1000 ms"])
    #expect(bench.fireTimer() == ["record", "refresh 0 R1"])
    #expect(bench.tell(.refreshFailed(first, .transport)) == ["finish 1 transport", "unlock"])
  }
}
