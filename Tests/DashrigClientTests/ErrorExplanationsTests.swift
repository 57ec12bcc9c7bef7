import Testing

@testable import DashrigClient

@Suite struct ErrorExplanationsTests {
    static func error(_ name: String, _ text: String) -> String {
        "{\"error\":\"\(name)\",\"parameters\":{},\"org.dashrig\":{\"text\":\"\(text)\"}}\0"
    }

    @Test func itIsFoundWhereverTheReadsAreCut() {
        let bytes = Array(("{\"parameters\":{}}\0" + Self.error("a.B", "why")).utf8)
        for first in 0..<bytes.count {
            for second in first...bytes.count {
                var explanations = ErrorExplanations()
                var found: String?
                for part in [bytes[..<first], bytes[first..<second], bytes[second...]] where !part.isEmpty {
                    explanations.begin(part)
                    found = found ?? explanations.take("a.B", in: part)
                }
                #expect(found == "why", "cut at \(first) and \(second)")
            }
        }
    }

    @Test func equalErrorsOfOneReadComeInOrder() {
        let bytes = ArraySlice((Self.error("a.B", "one") + Self.error("c.D", "x") + Self.error("a.B", "two")).utf8)
        var explanations = ErrorExplanations()
        explanations.begin(bytes)
        #expect(explanations.take("a.B", in: bytes) == "one")
        #expect(explanations.take("a.B", in: bytes) == "two")
        #expect(explanations.take("a.B", in: bytes) == nil)
    }

    @Test(arguments: [
        "{\"error\":\"a.B\"}\0", "{\"error\":\"a.B\",\"org.dashrig\":3}\0", "nonsense\0", "\0", "{\"error\":",
    ])
    func anErrorWithoutWordsHasNone(_ text: String) {
        let bytes = ArraySlice(text.utf8)
        var explanations = ErrorExplanations()
        explanations.begin(bytes)
        #expect(explanations.take("a.B", in: bytes) == nil)
    }

    @Test func ofALongRecordNothingIsKept() {
        var explanations = ErrorExplanations()
        explanations.begin(ArraySlice(repeating: 0x20, count: 65_537))
        let end = ArraySlice(Self.error("a.B", "why").utf8)
        explanations.begin(end)
        #expect(explanations.take("a.B", in: end) == "why")
    }
}
