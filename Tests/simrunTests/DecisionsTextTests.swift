import SimCore
import Testing

@testable import simrun

/// Decisions that are more than a choice, as they are typed, printed, and refused.
struct DecisionsTextTests {
  @Test(arguments: [
    ("none", nil),
    ("lock(scope=store, leak=0, whileSuspended=kept)", CrossProcessLock()),
    (
      "lock(scope=process, leak=0.01, whileSuspended=killed)",
      CrossProcessLock(scope: .process, leak: 0.01, whileSuspended: .killed)
    ),
  ])
  func `A lock reads as it is written`(text: String, lock: CrossProcessLock?) throws {
    #expect(try DecisionsText.lock.decode(.string(text)) == lock)
    #expect(DecisionsText.lock.encode(lock) == .string(text))
  }

  @Test func `What a lock leaves out has its default`() throws {
    #expect(try DecisionsText.lock.decode("lock") == CrossProcessLock())
    #expect(try DecisionsText.lock.decode("lock(leak=2%)")?.leak == 0.02)
    #expect(try DecisionsText.lock.decode(.null) == nil)
  }

  @Test(arguments: [
    (
      "locks",
      "is unknown; use none, or lock(scope=store or process, leak=a share, whileSuspended=kept, "
        + "released, or killed). Did you mean \"lock\"?"
    ),
    (
      "lock(leek=1)",
      "has the unknown parameter \"leek\", or has it twice. Did you mean \"leak\"?"
    ),
    ("lock(leak=2)", "has the leak \"2\", which is not a share from 0 to 1, or 0% to 100%"),
  ])
  func `A lock that is wrong says what is accepted`(text: String, clause: String) throws {
    #expect(throws: FieldProblem(clause)) { try DecisionsText.lock.decode(.string(text)) }
  }

  @Test func `A set of choices reads as it is written`() throws {
    let codec = FieldCodec<Set<ExpiryBasis>>.set()
    #expect(try codec.decode("none").isEmpty)
    #expect(try codec.decode(.array([])).isEmpty)
    let set = try codec.decode("absolute, receivedAt")
    #expect(set == [.receivedAt, .absolute])
    #expect(try codec.decode(codec.encode(set)) == set)
    #expect(codec.accepted.hasPrefix("none, or a list of "))
    #expect(throws: FieldProblem.self) { try codec.decode("absolute, never") }
  }
}
