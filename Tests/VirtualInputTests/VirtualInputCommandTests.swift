import RigModel
import Testing

@testable import VirtualInput

@Suite struct VirtualInputCommandTests {
    private func parse(_ line: String) throws -> VirtualInputCommand? {
        try VirtualInputCommand.parse(Array(line.utf8)[...])
    }

    private static let right: [(String, VirtualInputCommand?)] = [
        ("", nil), ("   \t", nil), ("# turn 3", nil), ("  #", nil), ("turn 3", .turn(3)), ("turn -3", .turn(-3)),
        ("turn +1000", .turn(1_000)), ("  press\r", .press), ("release ", .release),
        ("tap 0 1", .tap(SurfacePlace(x: 0, y: 1_000_000))),
        ("tap 0.5 0.25", .tap(SurfacePlace(x: 500_000, y: 250_000))),
        ("down 0 0.000001 1.000000", .down(slot: 0, SurfacePlace(x: 1, y: 1_000_000))),
        ("move\t9  0.1\t0.9", .move(slot: 9, SurfacePlace(x: 100_000, y: 900_000))), ("up 99", .up(slot: 99)),
        ("wait 50ms", .wait(50_000_000)), ("wait 0ms", .wait(0)), ("echo half", .echo("half")),
        ("wait 1.5s", .wait(1_500_000_000)),
        ("E: 1.000002 0002 0007 -003", .event(EvdevEvent(type: 2, code: 7, value: -3, time: 1_000_002_000))),
        (
            "E: 0.000000 0000 0000 0000\t# --- SYN_REPORT (0) ---",
            .event(EvdevEvent(type: 0, code: 0, value: 0, time: 0))
        ),
    ]

    @Test(arguments: right) func aLineIsOneCommand(_ line: String, _ command: VirtualInputCommand?) throws {
        #expect(try parse(line) == command)
    }

    private static let wrong: [(String, Int, String)] = [
        ("foo", 1, "is none of turn"), ("pres", 1, "did you mean \"press\"?"), ("turn", 2, "the form is: turn DETENTS"),
        ("turn 1 2", 3, "the form is"), ("turn 0", 2, "from 1 to 1000"), ("turn 1001", 2, "from 1 to 1000"),
        ("turn --1", 2, "no whole number"), ("turn 1.5", 2, "no whole number"), ("turn x\u{1B}", 2, "\"x?\""),
        ("turn 99999999999999999999", 2, "no whole number"), ("press now", 2, "the form is: press"),
        ("tap 0.5", 3, "tap X Y"), ("tap 1.1 0", 2, "from 0 to 1"), ("tap 0 -0.1", 3, "from 0 to 1"),
        ("tap 0 .5", 3, "from 0 to 1"), ("tap 0 1.", 3, "from 0 to 1"), ("tap 0.1234567 0", 2, "six decimals"),
        ("tap 0 0.5.5", 3, "from 0 to 1"), ("tap 0 nan", 3, "from 0 to 1"), ("down 0 0.5", 4, "down SLOT X Y"),
        ("down -1 0.5 0.5", 2, "no whole number"), ("down 100 0.5 0.5", 2, "from 0 to 99"), ("up", 2, "up SLOT"),
        ("move 0 0.5 2", 4, "from 0 to 1"), ("wait 50", 2, "50"), ("echo", 2, "echo WORD"), ("wait 2h", 2, "2h"),
        ("N: knob", 1, "--play"),
        ("E: 0.5 0002 0007 1", 2, "six digits"), ("E: 0.500000 0020 0007 1", 3, "event type"),
        ("E: 0.500000 0002 xyz 1", 4, "event code"), ("E: 0.500000 0002 0007 1x", 5, "value"),
        ("E: 0.500000 0002 0007 1 2", 6, "comment"), ("E:", 2, "time"),
    ]

    @Test(arguments: wrong) func aWrongLineIsToldWithItsWord(_ line: String, _ field: Int, _ text: String) {
        do {
            let command = try parse(line)
            Issue.record("\(line): \(String(describing: command))")
        } catch let error as VirtualInputRefusal {
            #expect(error.field == field && error.text.contains(text), "\(line): \(error.field) \(error.text)")
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func noBytesTrapIt() {
        // Every start of every line, with one byte changed: refused or taken, never a trap.
        for (line, _) in Self.right {
            let bytes = Array(line.utf8)
            for length in 0...bytes.count {
                for byte: UInt8 in [0, 9, 0x20, 0x2D, 0x2E, 0x3A, 0x39, 0x7F, 0xC3, 0xFF] {
                    _ = try? VirtualInputCommand.parse((bytes[..<length] + [byte])[...])
                }
            }
        }
    }
}

@Suite struct VirtualInputLinesTests {
    @Test func aByteOrderMarkIsPassedOver() {
        let text = Array("\u{FEFF}press\n\u{FEFF}a".utf8)
        for pieces in [1, 2, 100] {
            #expect(
                lines(text, pieces: pieces) == [
                    .whole(1, Array("press".utf8)[...]), .whole(2, Array("\u{FEFF}a".utf8)[...]),
                ])
        }
    }

    private func lines(_ text: [UInt8], pieces: Int) -> [VirtualInputLines.Line] {
        var lines = VirtualInputLines()
        var found: [VirtualInputLines.Line] = []
        for start in stride(from: 0, to: text.count, by: pieces) {
            lines.append(text[start..<min(start + pieces, text.count)])
            while let line = lines.next() { found.append(line) }
        }
        lines.end()
        while let line = lines.next() { found.append(line) }
        return found
    }

    private func whole(_ number: Int, _ text: String) -> VirtualInputLines.Line {
        .whole(number, Array(text.utf8)[...])
    }

    @Test(arguments: [1, 2, 3, 7, 1_000, 1 << 20]) func piecesMakeNoDifference(_ pieces: Int) {
        let long = String(repeating: "x", count: VirtualInputLines.maximumLine)
        let text = "a\n\nbc\n\(long)\n\(long)y\nd\n\(long)\(long)\(long)z"
        let found = lines(Array(text.utf8), pieces: pieces)
        #expect(
            found == [
                whole(1, "a"), whole(2, ""), whole(3, "bc"), whole(4, long), .tooLong(5), whole(6, "d"), .tooLong(7),
            ])
    }

    @Test func theLastLineNeedsNoEnd() {
        #expect(lines(Array("a\nb".utf8), pieces: 1) == [whole(1, "a"), whole(2, "b")])
        #expect(lines(Array("a\n".utf8), pieces: 1) == [whole(1, "a")])
        #expect(lines([], pieces: 1) == [])
    }
}
