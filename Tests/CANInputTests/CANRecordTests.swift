import CANInput
import RigModel
import Testing

@Suite struct CANRecordTests {
    private static func read(_ bytes: [UInt8]) -> CANRecord? { bytes.withUnsafeBytes { CANRecord($0) } }

    private static func record(_ word: UInt32, length: UInt8 = 8, _ data: [UInt8] = []) -> [UInt8] {
        var bytes = withUnsafeBytes(of: word, Array.init) + [length, 0, 0, 0]
        bytes += data
        return bytes + [UInt8](repeating: 0, count: 16 - bytes.count)
    }

    @Test func framesComeBackAsTheyWereSent() {
        for count in 0...8 {
            for id in [CANIdentifier(0x264), CANIdentifier(extended: 0x18FE_E000)] {
                let data = (0..<count).map { UInt8($0 + 1) }
                let bytes = CANRecord.bytes(of: CANFrame(id: id, data: data))
                #expect(Self.read(bytes) == .frame(CANFrame(id: id, data: data)))
            }
        }
        #expect(CANRecord.bytes(of: CANFrame(id: CANIdentifier(1), data: [9])) == Self.record(1, length: 1, [9]))
    }

    @Test func whatIsNoFrameIsNone() {
        #expect(Self.read([]) == nil)
        #expect(Self.read([UInt8](repeating: 0, count: 15)) == nil)
        #expect(Self.read([UInt8](repeating: 0, count: 72)) == nil)
        #expect(Self.read(Self.record(0x4000_0264)) == nil, "a request for data")
        // A length that no classical frame has.
        #expect(
            Self.read(Self.record(1, length: 255, [1, 2, 3, 4, 5, 6, 7, 8]))
                == .frame(CANFrame(id: CANIdentifier(1), data: [1, 2, 3, 4, 5, 6, 7, 8])))
    }

    @Test func errorsAreTold() {
        #expect(Self.read(Self.record(0x2000_0040)) == .busError(.off))
        #expect(Self.read(Self.record(0x2000_0100)) == .busError(.restarted))
        #expect(Self.read(Self.record(0x2000_0004, [0, 0x10])) == .busError(.passive))
        #expect(Self.read(Self.record(0x2000_0004, [0, 0x20])) == .busError(.passive))
        #expect(Self.read(Self.record(0x2000_0004, [0, 0x01])) == .busError(.overflow))
        #expect(Self.read(Self.record(0x2000_0004, [0, 0x04])) == nil, "a warning level")
        #expect(Self.read(Self.record(0x2000_0002)) == nil)
    }
}
