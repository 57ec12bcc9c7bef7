import RigModel
import Testing

@Suite struct QuotationTests {
    @Test func aTextIsShortAndPrintable() {
        let most = String(repeating: "x", count: Quotation.maximumLength)
        #expect(Quotation.quoted("") == "\"\"")
        #expect(Quotation.quoted("a b", with: "'") == "'a b'")
        #expect(Quotation.quoted(most) == "\"\(most)\"")
        #expect(Quotation.quoted(most + "y") == "\"\(most)…\"")
        #expect(Quotation.shortened("\u{1B}[1m\n\u{85}ä") == "?[1m??ä")
    }

    @Test func aMarkIsPassedOverOnceAndAtTheBeginningOnly() {
        #expect(Array(ByteOrderMark.skipped(in: Array("\u{FEFF}a\u{FEFF}".utf8))) == Array("a\u{FEFF}".utf8))
        #expect(Array(ByteOrderMark.skipped(in: Array("\u{FEFF}\u{FEFF}".utf8))) == Array("\u{FEFF}".utf8))
        #expect(Array(ByteOrderMark.skipped(in: [0xEF, 0xBB])) == [0xEF, 0xBB])
        #expect(ByteOrderMark.skipped(in: [UInt8]()).isEmpty)
    }
}
