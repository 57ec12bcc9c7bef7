import Testing
import WireBytes

@Suite("ByteWriter")
struct ByteWriterTests {
    @Test("integers of every width are big-endian and read back")
    func roundTrip() throws {
        var writer = ByteWriter(limit: 64)
        try writer.write(0xAB as UInt8)
        try writer.write(-480 as Int16)
        try writer.write(0x0102_0304 as UInt32)
        try writer.write(Int64.min)
        try writer.write([9, 8, 7])
        #expect(writer.bytes.prefix(7) == [0xAB, 0xFE, 0x20, 1, 2, 3, 4])
        var reader = ByteReader(writer.bytes)
        #expect(try reader.read(UInt8.self) == 0xAB)
        #expect(try reader.read(Int16.self) == -480)
        #expect(try reader.read(UInt32.self) == 0x0102_0304)
        #expect(try reader.read(Int64.self) == .min)
        #expect(Array(reader.readRest()) == [9, 8, 7])
    }

    @Test("the limit holds to the byte, and a refused write writes nothing")
    func limit() throws {
        var writer = ByteWriter(limit: 4, capacity: 100)
        try writer.write([1, 2])
        #expect(throws: WireError(.excess(limit: 4, actual: 6), offset: 2)) { try writer.write(7 as UInt32) }
        #expect(throws: WireError(.excess(limit: 4, actual: 5), offset: 2)) { try writer.write([1, 2, 3]) }
        #expect(writer.bytes == [1, 2])
        try writer.write(0x0304 as UInt16)
        #expect(writer.bytes == [1, 2, 3, 4])
        try writer.write([])
        #expect(throws: WireError(.excess(limit: 4, actual: 5), offset: 4)) { try writer.write(0 as UInt8) }
    }

    @Test("the array form appends two bytes")
    func appendBigEndian() {
        var bytes: [UInt8] = [0]
        bytes.appendBigEndian(0xFE01)
        #expect(bytes == [0, 0xFE, 0x01])
    }
}
