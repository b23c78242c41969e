/// A list that is emptied and filled again and again, and that nobody copies by accident.
///
/// The project's own, because an `Array` asks before each write whether it is the only owner of its memory,
/// which took a fifth of the time of a run. As it cannot be copied, this list never has to ask. Its elements are
/// plain bits, so that emptying it is O(1).
@safe
public struct ReusableArray<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<Element>
  @usableFromInline var capacity = 8
  @usableFromInline var length = 0

  /// An empty list.
  @inlinable
  public init() {
    unsafe base = .allocate(capacity: capacity)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// How many elements there are.
  @inlinable public var count: Int { length }

  /// Whether there are no elements.
  @inlinable public var isEmpty: Bool { length == 0 }

  /// The elements as an array; O(n).
  public var elements: [Element] { (0..<length).map { self[$0] } }

  /// Another list with the same elements; O(n).
  public func copy() -> Self {
    var copy = Self()
    for position in 0..<length { copy.append(self[position]) }
    return copy
  }

  /// Adds an element at the end; O(1) once the list has grown to its largest size.
  @inlinable
  @inline(__always)
  public mutating func append(_ element: Element) {
    if length == capacity { grow() }
    unsafe (base + length).initialize(to: element)
    length += 1
  }

  @usableFromInline
  @inline(never)
  mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: 2 * capacity)
    unsafe larger.moveInitialize(from: base, count: length)
    unsafe base.deallocate()
    unsafe base = larger
    capacity *= 2
  }

  /// Removes and returns the last element, or nil if there is none.
  @inlinable
  public mutating func popLast() -> Element? {
    guard length > 0 else { return nil }
    length -= 1
    return unsafe base[length]
  }

  /// Removes all elements and keeps the memory; O(1).
  @inlinable
  public mutating func removeAll() {
    length = 0
  }

  /// The element at a position from 0.
  ///
  /// - Precondition: there is one.
  public subscript(position: Int) -> Element {
    @inlinable @inline(__always) get {
      check(position)
      return unsafe base[position]
    }
    @inlinable @inline(__always) _modify {
      check(position)
      yield unsafe &base[position]
    }
  }

  @inlinable
  @inline(__always)
  func check(_ position: Int) {
    // One comparison: a negative number becomes a large one.
    precondition(
      UInt(bitPattern: position) < UInt(bitPattern: length), "There is no element at this position."
    )
  }
}

// Its memory is its own, and nobody else's.
extension ReusableArray: @unchecked Sendable where Element: Sendable {}
