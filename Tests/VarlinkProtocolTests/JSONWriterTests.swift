import Testing
import VarlinkProtocol

@Suite struct JSONWriterTests {
    @Test func putsCommasByItself() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("a", 1)
        writer.key("b")
        writer.beginArray()
        writer.null()
        writer.bool(true)
        writer.beginObject()
        writer.endObject()
        writer.rendered("[7]".bytes[...])
        writer.string("x")
        writer.endArray()
        writer.member("c", 1.5)
        writer.endObject()
        #expect(writer.bytes.text == #"{"a":1,"b":[null,true,{},[7],"x"],"c":1.5}"#)
        writer.removeAll()
        writer.beginArray()
        writer.endArray()
        #expect(writer.bytes.text == "[]")
    }

    @Test(arguments: [
        (Int64(0), "0"), (9, "9"), (10, "10"), (-1, "-1"), (-10, "-10"), (99, "99"), (100, "100"), (101, "101"),
        (1_234_567_890, "1234567890"), (.max, "9223372036854775807"), (.min, "-9223372036854775808"),
    ])
    func writesIntegers(_ value: Int64, _ text: String) {
        #expect(JSON.int(value).description == text)
    }

    @Test func writesUnsignedIntegersInFull() {
        var writer = JSONWriter()
        writer.int(UInt64.max)
        #expect(writer.bytes.text == "18446744073709551615")
    }

    @Test(arguments: [
        (1.0, "1.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e100, "1e+100"), (.leastNonzeroMagnitude, "5e-324"),
        (.pi, "3.141592653589793"),
        (.infinity, "null"), (-.infinity, "null"), (.nan, "null"),
    ])
    func writesDoubles(_ value: Double, _ text: String) {
        #expect(JSON.double(value).description == text)
    }

    @Test func escapesWhatMustBeEscaped() throws {
        for byte in UInt8(0)..<0x80 {
            let text = "x" + String(Character(Unicode.Scalar(byte))) + "y"
            let written = JSON.string(text).description
            #expect(try JSON.parse(written) == .string(text))
            #expect(!written.utf8.contains { $0 < 0x20 })
        }
        #expect(
            JSON.string("\"\\\u{8}\u{9}\n\u{C}\r\u{0}\u{1B}\u{1F}é").description
                == #""\"\\\b\t\n\f\r\u0000\u001b\u001fé""#)
    }

    @Test func appendsToABufferAndGivesItBackOnFailure() {
        struct Stop: Error {}
        var bytes = "ab".bytes
        JSONWriter.append(to: &bytes) { $0.string("c") }
        #expect(bytes.text == #"ab"c""#)
        #expect(throws: Stop.self) {
            try JSONWriter.append(to: &bytes) { (writer) throws(Stop) in
                writer.bool(false)
                throw Stop()
            }
        }
        #expect(bytes.text == #"ab"c"false"#)
    }

    @Test func prettyTextHasOneMemberPerLine() {
        let value: JSON = ["a": [1, [:], []], "b": ["c": "\n"], "d": nil]
        #expect(
            value.prettyText == """
                {
                  "a": [
                    1,
                    {},
                    []
                  ],
                  "b": {
                    "c": "\\n"
                  },
                  "d": null
                }
                """)
    }
}
