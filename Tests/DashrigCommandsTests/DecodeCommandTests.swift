import Foundation
import LinkProtocol
import Testing
import VarlinkProtocol
import WireBytes

@testable import DashrigCommands

/// Bytes of `Tests/Fixtures/decode`: a name and hexadecimal digits, each on a line of its own. [C] from published captures,
/// [T] from published unit tests, [D] built from the documented layout.
struct DecodeVector: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    var testDescription: String { name }

    static let folder = GeneratedFilesTests.root.appendingPathComponent("Tests/Fixtures/decode")

    static func all(_ kind: String) -> [DecodeVector] {
        let file = folder.appendingPathComponent("\(kind).txt")
        let lines = ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
        return stride(from: 0, to: lines.count - 1, by: 2).map { DecodeVector(name: lines[$0], text: lines[$0 + 1]) }
    }
}

@Suite struct DecodeVectorTests {
    static let kinds = ["link", "control", "hid"]

    /// `DASHRIG_WRITE_DOCS=1` writes the golden copies anew.
    @Test(arguments: kinds) func everyVectorReadsAsItsGoldenCopy(_ kind: String) throws {
        let vectors = DecodeVector.all(kind)
        try #require(vectors.count >= 2)
        var text = ""
        for vector in vectors {
            let result = tool("decode \(kind) --full \(vector.text)")
            #expect(result.code == .done, "\(vector.name): \(result.out)\(result.err)")
            text += "== \(vector.name)\n\(result.out)"
            let objects = try tool("decode \(kind) --json \(vector.text)").objects
            #expect(objects.last?["totals"]?.objectValue?["problems"] == 0)
        }
        let url = DecodeVector.folder.appendingPathComponent("\(kind).golden")
        if ProcessInfo.processInfo.environment["DASHRIG_WRITE_DOCS"] == "1" {
            try text.write(to: url, atomically: true, encoding: .utf8)
        }
        let golden = try String(contentsOf: url, encoding: .utf8)
        #expect(text == golden, "\(kind) reads otherwise; DASHRIG_WRITE_DOCS=1 writes the golden copy anew")
    }

    @Test func aByteOrderMarkIsPassedOver() throws {
        #expect(try HexInput(Array("\u{FEFF}ff 5a".utf8), limit: 10).bytes == [0xFF, 0x5A])
        let failure = #expect(throws: HexInput.Failure.self) { try HexInput(Array("\u{FEFF}zz".utf8), limit: 10) }
        #expect(failure?.column == 1)
    }

    @Test(arguments: DecodeVector.all("link")) func everyWrongBitIsToldWithWhatIsExpected(_ vector: DecodeVector) throws
    {
        let bytes = try HexText.parse(vector.text)
        guard bytes.count > 6 else { return }
        for place in 4..<bytes.count {
            var wrong = bytes
            wrong[place] ^= 0x10
            let result = tool("decode link \(HexText.format(wrong))")
            #expect(result.code == .failed && result.out.contains("!! wrong, 0x"), "byte \(place): \(result.out)")
        }
    }

    @Test func allPacketsBehindEachOtherAreAllFound() throws {
        let vectors = DecodeVector.all("link")
        let objects = try tool("decode link --json \(vectors.map(\.text).joined(separator: " "))").objects
        #expect(objects.count == vectors.count + 1)
        let found = objects.last?["totals"]?.objectValue?["found"]?.objectValue
        #expect(found?["packet"]?.intValue == Int64(vectors.count - 1) && found?["detection"] == 1)
    }
}

@Suite struct DecodeDamageTests {
    @Test func garbageAndAnIncompleteTailAreShownAndTold() throws {
        let result = tool("decode link 00 AA FF 00 FF 55 FF 5A 00 09 40 00 2D 00 31 FF 5A 00 10 40 2E 00 01 28 40 40")
        #expect(result.code == .failed)
        #expect(
            result.out.contains("garbage  00 AA FF 00 FF 55  !! no packet begins here; 6 bytes before the next one"))
        #expect(result.out.contains("incomplete data  !! a packet of 16 bytes, of which 11 are there"))
    }

    @Test func aMessageOverSeveralPacketsIsPutTogether() throws {
        let message = try HexText.parse("4040001d4e0b000c00000000000069f6bc7100060001fe98000500023c")
        let packets = [message[..<3], message[3..<20], message[20...]].enumerated().map { index, piece in
            LinkPacket(
                control: .acknowledge, sequence: UInt8(index), acknowledgement: 0, channelID: 1, payload: piece
            ).encoded
        }
        let result = tool("decode link \(HexText.format(packets.flatMap(\.self)))")
        #expect(result.code == .done)
        #expect(result.out.contains("message 0x4E0B DeviceTimeUpdate"))
        #expect(result.out.contains("from 3 packets, offsets from its start"))
        #expect(result.out.contains("20 of 29 bytes so far"))
        let torn = tool("decode link \(HexText.format(packets[0] + packets[1]))")
        #expect(torn.code == .failed && torn.out.contains("of 29 bytes, of which 20 are there"))
    }

    @Test func controlGoesOnBehindGarbage() throws {
        let result = tool("decode control 00 40 40 00 03 40 40 00 06 AA 00 40 40 00 06 1D")
        #expect(result.code == .failed)
        #expect(result.out.contains("a message that tells a length of 3, less than its header"))
        #expect(result.out.contains("message 0xAA00 RequestAuthenticationCertificate"))
        #expect(result.out.contains("a message of 6 bytes, of which 5 are there"))
    }

    @Test(arguments: [("4040000a4e0a00090000", "no parameter"), ("4040000b4e0d000500007f", "unknown")])
    func parametersThatDoNotFitAreTold(_ text: String, _ words: String) {
        #expect(tool("decode control \(text)").out.contains(words))
    }

    /// What the tool finds is what a link finds: the same packets, whatever bytes there are.
    @Test(arguments: 0..<200 as Range<UInt64>) func packetsAreFoundWhereALinkFindsThem(_ seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let vectors = DecodeVector.all("link")
        var bytes: [UInt8] = []
        for _ in 0..<12 {
            var piece = try HexText.parse(vectors[Int.random(in: 0..<vectors.count, using: &numbers)].text)
            switch Int.random(in: 0..<4, using: &numbers) {
            case 0:
                piece[Int.random(in: 0..<piece.count, using: &numbers)] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
            case 1: piece.removeLast(Int.random(in: 0..<piece.count, using: &numbers))
            case 2: piece += (0..<3).map { _ in [0xFF, 0x5A, 0x55, 0x00].randomElement(using: &numbers) ?? 0 }
            default: break
            }
            bytes += piece
        }
        var decoder = LinkPacketDecoder(maximumLength: LinkPacket.maximumLength)
        var rest = bytes[...]
        var wanted = 0
        while let element = decoder.next(from: &rest) {
            switch element {
            case .detection, .packet: wanted += 1
            case .tooLong, .dropped: break
            }
        }
        var found = 0
        var end = 0
        var inspection = LinkInspection(bytes)
        inspection.run { part in
            guard part.length > 0 else { return }
            #expect(part.offset == end, "seed \(seed): nothing is left out or shown twice")
            end = part.offset + part.length
            let checksums = part.parts.filter { $0.name.hasSuffix("Checksum") }
            let isSound =
                part.name == "packet" && part.title != nil && part.problem == nil
                && part.parts.first?.problem == nil && checksums.allSatisfy { $0.problem == nil } && !checksums.isEmpty
            if part.name == "detection" || isSound { found += 1 }
        }
        #expect(found == wanted && end == bytes.count, "seed \(seed): \(HexText.format(bytes))")
    }
}

@Suite struct HexInputTests {
    static let detection: [UInt8] = [0xFF, 0x55, 0x02, 0x00, 0xEE, 0x10]

    @Test(arguments: [
        "FF 55 02 00 EE 10", "ff550200ee10", "ff:55:02:00:ee:10", "0xFF, 0x55, 0x2, 0x0, 0xEE, 0x10",
        "\\xff\\x55\\x02\\x00\\xee\\x10", "{0xFF55, 0x0200, 0xEE10};", "FF 55\r\n02\t00 # comment\n# more\nEE-10",
        "00000000: ff55 0200 ee10                           .U....", "00000000  ff 55 02 00 ee 10  |.U....|\n00000006",
        "0000  FF 55 02 00 EE 10                                .U....", "\t0x0000:  ff55 0200 ee10",
        "00000010: ff55 0200                                .U..\n00000014: ee10", "0000 ff 55 02\n0003 00 ee 10",
        "  can0  123   [4]  FF 55 02 00\n  can0  123   [2]  EE 10   '..'",
        "(1.5) can0 123#FF550200\n(1.6) can0 123##1EE10",
    ])
    func shapesOfTheWorldAreRead(_ text: String) throws {
        #expect(try HexInput(Array(text.utf8), limit: 100).bytes == Self.detection)
    }

    @Test func repeatedLinesOfADumpAreRepeated() throws {
        let text = "00000000  00 00 00 00  |....|\n*\n0000000c  01  |.|\n0000000d"
        #expect(try HexInput(Array(text.utf8), limit: 100).bytes == [UInt8](repeating: 0, count: 12) + [1])
    }

    @Test(arguments: [
        ("FF 5G", 1, 5), ("FF\n5", 2, 1), ("FF 555", 1, 4), ("FF\nzz", 2, 1),
        ("00000000: ff55\n00000004: 00", 2, 1), ("00000000: ff55\nff", 2, 1), ("can0 123 [4] 11 22", 1, 10),
        ("*", 1, 1),
    ])
    func whatIsWrongHasItsLineAndColumn(_ text: String, _ line: Int, _ column: Int) {
        #expect { try HexInput(Array(text.utf8), limit: 100) } throws: { error in
            guard let failure = error as? HexInput.Failure else { return false }
            return failure.line == line && failure.column == column
        }
    }

    @Test func theLimitHolds() throws {
        #expect(try HexInput(Array("00 00".utf8), limit: 2).bytes.count == 2)
        #expect(throws: HexInput.Failure.self) { try HexInput(Array("00 00 00".utf8), limit: 2) }
        let star = "00000000: 0000\n*\nffffffffff: 00"
        #expect(throws: HexInput.Failure.self) { try HexInput(Array(star.utf8), limit: 100) }
    }

    /// Noise has more damage than anybody reads; what is left out is counted.
    @Test func aDescriptorOfNoiseStaysShort() throws {
        let folder = try TestFiles()
        var numbers = SeededNumbers(seed: 1)
        let noise = (0..<1_000_000).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
        try folder.write("noise.bin", noise)
        let text = tool("decode hid \(folder.path)/noise.bin")
        #expect(text.code == .failed && text.out.utf8.count < 100_000, "\(text.out.utf8.count)")
        #expect(text.out.contains("64 items are damaged; ") && text.out.contains(" bytes are not shown"))
        let objects = try tool("decode hid \(folder.path)/noise.bin --json").objects
        let rest = try #require(objects.first { $0["name"] == "rest" })
        #expect(rest["offset"]?.intValue.map { $0 + (rest["length"]?.intValue ?? 0) } == 1_000_000)
        #expect(objects.last?["totals"]?.objectValue?["bytes"] == 1_000_000)
    }

    @Test func whatIsLongerThanADescriptorCanBeIsCounted() throws {
        let folder = try TestFiles()
        let items = (0..<50_000).flatMap { _ in [0x05, 0x01] as [UInt8] }
        try folder.write("long.bin", [0xA1, 0x01] + items + [0xC0])
        let result = tool("decode hid \(folder.path)/long.bin")
        #expect(result.code == .failed)
        #expect(result.out.contains("a descriptor has at most 65535 bytes; 34468 bytes are not shown"))
        #expect(result.out.contains("its end is not shown") && !result.out.contains("it has no end"))
    }

    @Test func filesAreBinaryOrText() throws {
        let folder = try TestFiles()
        try folder.write("a.bin", Self.detection)
        try folder.write("b.txt", Array("ff55 0200\nee10\n".utf8))
        try folder.write("c.txt", Array("ff55\nfx\n".utf8))
        #expect(tool("decode link \(folder.path)/a.bin").out.contains("6 bytes of binary from \(folder.path)/a.bin"))
        #expect(tool("decode link \(folder.path)/b.txt").out.contains("1 detection; all sound"))
        let wrong = tool("decode link \(folder.path)/c.txt")
        #expect(wrong.code == .usage && wrong.err.contains("line 2, column 2: not a hexadecimal digit"))
        #expect(tool("decode link \(folder.path)/none").code == .usage)
        #expect(tool("decode link nonsense").err.contains("and there is no file of that name"))
    }
}

/// A folder of a test's own.
final class TestFiles {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }
}

/// SplitMix64.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
