import SimCore
import Testing

struct SlotTableTests {
  @Test func `A slot is reused only after it was given back`() {
    var table = SlotTable<Int>()
    let first = table.insert(10)
    let second = table.insert(20)
    table.remove(first)
    let third = table.insert(30)
    let fourth = table.insert(40)
    #expect([first, second, third, fourth] == [0, 1, 0, 2])
    #expect(table[third] == 30)
    #expect(table[second] == 20)
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
