import Testing
import WireBytes

@Suite("WireError")
struct WireErrorTests {
    @Test(
        "the text names field, fault and place",
        arguments: [
            (WireError(.truncated(needed: 4, available: 1), offset: 7), "needs 4 bytes, 1 left at offset 7"),
            (
                WireError(.excess(limit: 2, actual: 3), offset: 0, field: "name"),
                "name: 3 bytes where at most 2 fit at offset 0"
            ),
            (
                WireError(.outOfRange(value: 9, minimum: 0, maximum: 1), offset: 5, field: "flag"),
                "flag: 9 is outside 0...1 at offset 5"
            ),
            (WireError(.tooMany(limit: 16), offset: 1), "more than 16 elements at offset 1"),
            (WireError(.missing, offset: 6, field: "parameter 3"), "parameter 3: missing at offset 6"),
            (WireError(.repeated, offset: 6), "given more than once at offset 6"),
            (WireError(.invalidText, offset: 6), "not NUL-terminated UTF-8 text at offset 6"),
            (WireError(.invalid("odd"), offset: 6), "odd at offset 6"),
        ])
    func descriptions(error: WireError, text: String) {
        #expect(error.description == text)
    }

    @Test("the innermost name stays")
    func naming() {
        let plain = WireError(.missing, offset: 1)
        #expect(plain.naming("inner").naming("outer").field == "inner")
    }

    @Test("moving adds to the place and does not overflow")
    func moved() {
        #expect(WireError(.missing, offset: 1).moved(by: 6).offset == 7)
        #expect(WireError(.missing, offset: .max).moved(by: 6).offset == .max)
    }
}
