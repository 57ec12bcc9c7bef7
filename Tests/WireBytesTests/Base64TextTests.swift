import Testing
import WireBytes

@Suite struct Base64TextTests {
    /// RFC 4648, section 10.
    static let vectors = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test(arguments: vectors) func theVectorsOfTheStandardGoBothWays(_ plain: String, _ text: String) throws {
        #expect(Base64Text.format(Array(plain.utf8)) == text)
        #expect(try Base64Text.parse(text) == Array(plain.utf8))
    }

    @Test func everyByteGoesBothWaysAtEveryPlace() throws {
        for length in 1...5 {
            for value in 0...255 {
                let bytes = [UInt8](repeating: 0x55, count: length - 1) + [UInt8(value)]
                #expect(try Base64Text.parse(Base64Text.format(bytes)) == bytes)
            }
        }
    }

    @Test(arguments: [
        ("Zg", 2), ("Zg=", 3), ("Z===", 0), ("====", 0), ("Zm9v!m9v", 4), ("Zg==Zg==", 2), ("Zh==", 1), ("Zm9=", 2),
        ("Zm 9", 2), ("Zm9v\n", 5),
    ])
    func whatDoesNotFitIsRefusedWithItsPlace(_ text: String, _ offset: Int) {
        #expect { try Base64Text.parse(text) } throws: { ($0 as? WireError)?.offset == offset }
    }
}
