import CANInput
import Glibc
import LinuxIO
import RigModel
import Testing

@Suite struct CANSocketTests {
    /// A kernel without CAN says so; one with it has no interface of this name.
    @Test func whatCannotBeOpenedSaysWhy() throws {
        let loop = try EventLoop()
        do throws(CANError) {
            _ = try CANSocket(interface: "nocan0", identifiers: [CANIdentifier(1)], loop: loop) { _ in }
            Issue.record("it was opened")
        } catch {
            switch error {
            case .noKernelSupport: #expect(error.description.contains("CONFIG_CAN_RAW"))
            case .noInterface(let name): #expect(name == "nocan0")
            case .notCAN, .noAccess, .system: Issue.record("\(error)")
            }
        }
        #expect(loop.watchCount == 0)
    }

    private static func pair() throws -> [Int32] {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
        return ends
    }

    /// A pair of sockets with the same records stands for the bus.
    @Test func recordsAreToldInTheirOrderUntilTheSocketEnds() throws {
        let loop = try EventLoop()
        let ends = try Self.pair()
        let bus = ends[1]
        var told: [CANNotice] = []
        let socket = try CANSocket(
            adopting: OwnedDescriptor(adopting: ends[0]), interface: "can0", loop: loop
        ) { notice in
            guard case .frame(var frame) = notice else { return told.append(notice) }
            #expect(frame.time > 0)
            frame.time = 0
            told.append(.frame(frame))
        }
        let frames = (0..<100).map { CANFrame(id: CANIdentifier(0x264), data: [UInt8($0)]) }
        for frame in frames {
            let bytes = CANRecord.bytes(of: frame)
            try #require(write(bus, bytes, bytes.count) == 16)
        }
        // Cut off, and an error of the bus.
        try #require(write(bus, [1, 2, 3], 3) == 3)
        let off: [UInt8] = [0x40, 0, 0, 0x20, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        try #require(write(bus, off, off.count) == 16)
        _ = try loop.run(until: SystemClock.monotonicNow() + 50_000_000)
        #expect(told == frames.map(CANNotice.frame) + [.busError(.off)])
        let answer = CANFrame(id: CANIdentifier(0x273), data: [0x1D, 0xE1])
        #expect(socket.send(answer) == .sent)
        var sent = [UInt8](repeating: 0, count: 32)
        #expect(read(bus, &sent, sent.count) == 16 && Array(sent[..<16]) == CANRecord.bytes(of: answer))
        told = []
        Glibc.close(bus)
        _ = try loop.run(until: SystemClock.monotonicNow() + 50_000_000)
        #expect(told == [.ended(.gone)] && loop.watchCount == 0)
        #expect(socket.send(answer) == .down)
    }
}
