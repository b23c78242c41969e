/// A store: the pair, whose session it is, and the lock before it.
struct StoreState: BitwiseCopyable {
  var pair: StoredPair?
  /// The person whose session it holds, from 1; 0 for nobody.
  var user: Int32 = 0
  /// The position of the process that holds the lock; -1 for none.
  var lockedBy: Int32 = -1

  /// A pair on its way to the store.
  struct Write: BitwiseCopyable {
    let id: RefreshID
    let pair: StoredPair
    /// Which write of its process it is.
    let number: Int32
    let process: Int32
    /// Which life of its process asked for it.
    let life: Int32
  }

  /// A reading that takes time.
  struct Read: BitwiseCopyable {
    let id: StoreReadID
    let life: Int32
  }
}
