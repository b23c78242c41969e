/// Values with small integer names that are reused after the value is gone.
///
/// Keeps the memory of a long run as large as the most values alive at once, and lets events refer to
/// values by number. All operations are O(1).
public struct SlotTable<Value: BitwiseCopyable>: ~Copyable {
  @usableFromInline var values = ReusableArray<Value>()
  @usableFromInline var free = ReusableArray<Int32>()

  /// An empty table.
  @inlinable public init() {}

  /// Puts a value in and returns its slot.
  @inlinable
  public mutating func insert(_ value: Value) -> Int32 {
    if let slot = free.popLast() {
      values[Int(slot)] = value
      return slot
    }
    values.append(value)
    return Int32(values.count - 1)
  }

  /// Gives the slot back for reuse.
  @inlinable
  public mutating func remove(_ slot: Int32) {
    free.append(slot)
  }

  /// Empties the table, keeping the memory.
  @inlinable
  public mutating func removeAll() {
    values.removeAll()
    free.removeAll()
  }

  /// The value in a slot that is in use.
  public subscript(slot: Int32) -> Value {
    @inlinable @inline(__always) get { values[Int(slot)] }
    @inlinable @inline(__always) _modify { yield &values[Int(slot)] }
  }

  /// Every slot, free ones included.
  @inlinable public var slots: Range<Int32> { 0..<Int32(values.count) }
}
