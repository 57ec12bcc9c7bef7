import Testing
import WireBytes

@Suite("ByteReader")
struct ByteReaderTests {
    static let bytes: [UInt8] = [0x01, 0x80, 0xFF, 0x7F, 0x00, 0x12, 0x34, 0x56, 0x78]

    @Test("integers of every width are big-endian")
    func integers() throws {
        var reader = ByteReader(Self.bytes)
        #expect(try reader.read(UInt8.self) == 0x01)
        #expect(try reader.read(UInt16.self) == 0x80FF)
        #expect(try reader.read(UInt16.self) == 0x7F00)
        #expect(try reader.read(UInt32.self) == 0x1234_5678)
        #expect(reader.isAtEnd)

        var wide = ByteReader(Self.bytes)
        #expect(try wide.read(UInt64.self) == 0x0180_FF7F_0012_3456)
    }

    @Test(
        "signed integers keep their sign",
        arguments: [([0x80] as [UInt8], -128), ([0xFF], -1), ([0x7F], 127), ([0x00], 0)])
    func signedBytes(bytes: [UInt8], value: Int) throws {
        var reader = ByteReader(bytes)
        #expect(Int(try reader.read(Int8.self)) == value)
    }

    @Test("signed integers of more bytes keep their sign")
    func signedWide() throws {
        var reader = ByteReader([0xFE, 0x20, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE])
        #expect(try reader.read(Int16.self) == -480)
        #expect(try reader.read(Int64.self) == -2)
    }

    @Test("a read past the end throws the place and takes nothing", arguments: 0...3)
    func truncated(available: Int) {
        var reader = ByteReader(Array(Self.bytes.prefix(available)), offset: 40)
        #expect(throws: WireError(.truncated(needed: 4, available: available), offset: 40)) {
            try reader.read(UInt32.self)
        }
        #expect(reader.remaining == available)
        #expect(reader.offset == 40)
    }

    @Test("bytes are taken up to the last one and not beyond")
    func slices() throws {
        var reader = ByteReader(Self.bytes)
        #expect(Array(try reader.readBytes(0)) == [])
        #expect(Array(try reader.readBytes(4)) == [0x01, 0x80, 0xFF, 0x7F])
        #expect(throws: WireError(.truncated(needed: 6, available: 5), offset: 4)) { try reader.readBytes(6) }
        #expect(Array(try reader.readBytes(5)) == [0x00, 0x12, 0x34, 0x56, 0x78])
        #expect(throws: WireError(.truncated(needed: 1, available: 0), offset: 9)) { try reader.readBytes(1) }
    }

    @Test("a negative count is refused", arguments: [-1, Int.min])
    func negative(count: Int) {
        var reader = ByteReader(Self.bytes)
        #expect(throws: WireError(.truncated(needed: count, available: 9), offset: 0)) { try reader.readBytes(count) }
    }

    @Test("the largest count is refused without overflow")
    func hugeCount() {
        var reader = ByteReader(Self.bytes)
        _ = try? reader.readBytes(3)
        #expect(throws: WireError(.truncated(needed: .max, available: 6), offset: 3)) { try reader.readBytes(.max) }
    }

    @Test("a reader over a part counts offsets in the whole")
    func nested() throws {
        var reader = ByteReader(Self.bytes, offset: 100)
        _ = try reader.readBytes(2)
        var part = try reader.readSlice(3)
        #expect(part.offset == 102)
        _ = try part.read(UInt16.self)
        #expect(throws: WireError(.truncated(needed: 2, available: 1), offset: 104)) { try part.read(UInt16.self) }
        #expect(reader.offset == 105)
    }

    @Test("a slice whose indices do not begin at 0 reads the same")
    func sliceIndices() throws {
        var reader = ByteReader(Self.bytes[5...])
        #expect(reader.offset == 0)
        #expect(try reader.read(UInt16.self) == 0x1234)
        #expect(Array(reader.readRest()) == [0x56, 0x78])
        #expect(reader.isAtEnd)
    }

    @Test("expectEnd tells how much is too much")
    func expectEnd() throws {
        var reader = ByteReader([1, 2, 3])
        _ = try reader.read(UInt16.self)
        #expect(throws: WireError(.excess(limit: 2, actual: 3), offset: 2)) { try reader.expectEnd() }
        _ = reader.readRest()
        try reader.expectEnd()
    }
}
