/// A list that is emptied and filled again and again.
///
/// Emptying it is O(1) and keeps the memory, where `Array.removeAll(keepingCapacity:)` goes through the
/// general way of replacing a range; that alone took a sixth of the time of a run.
public struct ReusableArray<Element> {
  /// The elements, and behind them those of an earlier filling.
  @usableFromInline var storage: [Element] = []
  /// How many elements there are.
  @inlinable public var count: Int { length }
  @usableFromInline var length = 0

  /// An empty list.
  @inlinable public init() {}

  /// Whether there are no elements.
  @inlinable public var isEmpty: Bool { count == 0 }

  /// The elements as an array; O(n).
  public var elements: [Element] { Array(storage.prefix(count)) }

  /// Adds an element at the end; O(1) once the list has grown to its largest size.
  @inlinable
  public mutating func append(_ element: Element) {
    if count < storage.count {
      storage[count] = element
    } else {
      storage.append(element)
    }
    length += 1
  }

  /// Removes and returns the last element, or nil if there is none.
  @inlinable
  public mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    length -= 1
    return storage[count]
  }

  /// Removes all elements and keeps the memory; O(1).
  @inlinable
  public mutating func removeAll() {
    length = 0
  }

  /// The element at a position from 0.
  public subscript(position: Int) -> Element {
    @inlinable @inline(__always) get {
      precondition(position < count, "There is no element at this position.")
      return storage[position]
    }
    @inlinable @inline(__always) _modify {
      precondition(position < count, "There is no element at this position.")
      yield &storage[position]
    }
  }
}

extension ReusableArray: Sendable where Element: Sendable {}
