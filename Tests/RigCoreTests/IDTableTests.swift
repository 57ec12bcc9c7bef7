import RigModel
import Testing

@testable import RigCore

@Suite struct IDTableTests {
    @Test func valuesStandInTheOrderOfTheirIDs() {
        var table = IDTable<SessionID, String>()
        for number in [UInt32(5), 1, 9, 3] { table[SessionID(number)] = "\(number)" }
        #expect(table.ids == [1, 3, 5, 9].map { SessionID($0) })
        #expect(table.values == ["1", "3", "5", "9"])
        #expect(table.count == 4)
        #expect(!table.isEmpty)
    }

    @Test func settingReplacesAndNilRemoves() {
        var table = IDTable<UInt64, Int>()
        table[4] = 1
        table[4] = 2
        #expect(table[4] == 2)
        #expect(table.count == 1)
        table[3] = nil
        #expect(table.count == 1)
        table[4] = nil
        #expect(table[4] == nil)
        #expect(table.isEmpty)
    }

    @Test func anUpdateTellsWhetherTheValueIsThere() {
        var table = IDTable<UInt64, [Int]>()
        table[7] = [1]
        let count = table.update(7) { value -> Int in
            value.append(2)
            return value.count
        }
        #expect(count == 2)
        #expect(table[7] == [1, 2])
        let missing: Int? = table.update(8) { $0.count }
        #expect(missing == nil)
        #expect(table.ids == [7])
    }

    @Test(arguments: [UInt64(11), 12, 13]) func itAgreesWithADictionary(seed: UInt64) {
        var numbers = TestNumbers(seed: seed)
        var table = IDTable<UInt64, Int>()
        var model: [UInt64: Int] = [:]
        for turn in 0..<4_000 {
            let id = UInt64.random(in: 0..<60, using: &numbers)
            switch Int.random(in: 0..<3, using: &numbers) {
            case 0:
                table[id] = turn
                model[id] = turn
            case 1:
                table[id] = nil
                model[id] = nil
            default:
                table.update(id) { $0 += 1 }
                if let value = model[id] { model[id] = value + 1 }
            }
            guard table[id] == model[id], table.ids == model.keys.sorted(),
                table.values == model.keys.sorted().compactMap({ model[$0] })
            else {
                Issue.record("seed \(seed), turn \(turn), id \(id)")
                return
            }
        }
    }
}
