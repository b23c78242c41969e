import SimCore
import Testing

struct SlotTableTests {
  @Test func `A slot is reused only after it was given back`() {
    var table = SlotTable<String>()
    let first = table.insert("a")
    let second = table.insert("b")
    table.remove(first)
    let third = table.insert("c")
    let fourth = table.insert("d")
    #expect([first, second, third, fourth] == [0, 1, 0, 2])
    #expect(table[third] == "c")
    #expect(table[second] == "b")
    #expect(Array(table.slots) == [0, 1, 2])
  }

  @Test func `A reusable array forgets its elements and keeps its order`() {
    var list = ReusableArray<Int>()
    for number in 1...3 { list.append(number) }
    let last = list.popLast()
    list.removeAll()
    let none = list.popLast()
    list.append(9)
    #expect(last == 3)
    #expect(none == nil)
    #expect(list.elements == [9])
  }
}
