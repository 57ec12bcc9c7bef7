import LinkProtocol
import Testing
import WireBytes

@Suite("External accessory and file transfer payloads")
struct ChannelPacketTests {
    @Test("external accessory payloads are read and written")
    func externalAccessory() throws {
        let packet = ExternalAccessoryPacket(stream: 0x0102, bytes: [3, 4])
        #expect(packet.encoded == [1, 2, 3, 4])
        #expect(try ExternalAccessoryPacket(parsing: [1, 2, 3, 4]) == packet)
        #expect(try ExternalAccessoryPacket(parsing: [1, 2]).bytes.isEmpty)
        #expect(throws: WireError(.truncated(needed: 2, available: 1), offset: 0, field: "stream")) {
            try ExternalAccessoryPacket(parsing: [1])
        }
    }

    static let operations: [(String, FileTransferPacket.Operation)] = [
        ("80 04 00 00 00 00 00 01 02 03", .setup(size: 0x01_0203, type: nil)),
        ("80 04 01 02 03 04 05 06 07 08 00 02", .setup(size: 0x0102_0304_0506_0708, type: 2)),
        ("80 01", .start), ("80 02", .cancel), ("80 03", .pause), ("80 05", .success),
        ("80 80 AA", .data([0xAA], isFirst: true, isLast: false)),
        ("80 00 AA BB", .data([0xAA, 0xBB], isFirst: false, isLast: false)),
        ("80 40", .data([], isFirst: false, isLast: true)),
        ("80 C0 AA", .data([0xAA], isFirst: true, isLast: true)),
        ("80 06 AA", .unknown(6, [0xAA])), ("80 FF", .unknown(0xFF, [])),
    ]

    @Test("file transfer payloads are read and written", arguments: 0..<operations.count)
    func fileTransfer(index: Int) throws {
        let (text, operation) = Self.operations[index]
        let packet = FileTransferPacket(id: 0x80, operation)
        #expect(packet.encoded == hex(text))
        #expect(try FileTransferPacket(parsing: hex(text)[...]) == packet)
    }

    @Test(
        "payloads of a wrong length are refused",
        arguments: ["", "80", "80 04", "80 04 00 00 00 00 00 00 00", "80 04 00 00 00 00 00 00 00 01 02"]
            + ["80 04 00 00 00 00 00 00 00 01 00 02 00", "80 01 00", "80 02 00", "80 03 00", "80 05 00"])
    func wrongLength(text: String) {
        #expect(throws: WireError.self) { try FileTransferPacket(parsing: hex(text)[...]) }
    }

    // MARK: Receiving

    static func receive(
        _ receiver: inout FileTransferReceiver, _ operation: FileTransferPacket.Operation, id: UInt8 = 0x80
    )
        -> (event: FileTransferEvent, reply: FileTransferPacket?)
    {
        receiver.receive(FileTransferPacket(id: id, operation).encoded[...])
    }

    @Test("a file in pieces is put together", arguments: [1, 3, 10, 100])
    func whole(piece: Int) throws {
        let file = (0..<25).map { UInt8($0) }
        var sender = FileTransferSender(id: 0x91, type: 2, bytes: file, maximumPayload: piece + 2)
        var receiver = FileTransferReceiver(peer: .device)
        var finished: [UInt8]?
        var pieces = 0
        while let packet = sender.next() {
            pieces += 1
            let (event, reply) = receiver.receive(packet.encoded[...])
            if case .finished(0x91, 2, let bytes) = event { finished = bytes }
            if let reply { try sender.receive(reply) }
        }
        #expect(finished == file)
        #expect(sender.phase == .over(success: true))
        #expect(pieces == 1 + (25 + max(piece, 10) - 1) / max(piece, 10))
        #expect(receiver.running == [] && receiver.heldBytes == 0)
    }

    @Test("an empty file is one piece")
    func emptyFile() throws {
        var sender = FileTransferSender(id: 0x80, type: nil, bytes: [], maximumPayload: 100)
        var receiver = FileTransferReceiver(peer: .device)
        var events: [FileTransferEvent] = []
        while let packet = sender.next() {
            let (event, reply) = receiver.receive(packet.encoded[...])
            events.append(event)
            if let reply { try sender.receive(reply) }
        }
        #expect(events == [.offered(id: 0x80, size: 0, type: nil), .finished(id: 0x80, type: nil, bytes: [])])
    }

    @Test("limits: transfers and size, at the limit and one over")
    func limits() {
        var receiver = FileTransferReceiver(peer: .device, maximumTransfers: 2, maximumSize: 10)
        #expect(Self.receive(&receiver, .setup(size: 11, type: nil)).event == .refused(id: 0x80, .fileTooLarge))
        #expect(
            Self.receive(&receiver, .setup(size: .max, type: nil)).event == .refused(id: 0x80, .fileTooLarge))
        #expect(Self.receive(&receiver, .setup(size: 10, type: nil)).reply == FileTransferPacket(id: 0x80, .start))
        #expect(Self.receive(&receiver, .setup(size: 1, type: nil), id: 0x81).reply?.operation == .start)
        let third = Self.receive(&receiver, .setup(size: 1, type: nil), id: 0x82)
        #expect(third.event == .refused(id: 0x82, .tooManyTransfers))
        #expect(third.reply == FileTransferPacket(id: 0x82, .cancel))
        let ten = [UInt8](repeating: 1, count: 10)
        #expect(
            Self.receive(&receiver, .data(ten[...], isFirst: true, isLast: false)).event
                == .progress(id: 0x80, received: 10, size: 10))
        #expect(
            Self.receive(&receiver, .data([1], isFirst: false, isLast: true)).event
                == .refused(id: 0x80, .moreThanOffered))
        #expect(receiver.running == [0x81])
    }

    @Test("pieces in a wrong order, for nobody or too few give the transfer up")
    func wrongPieces() {
        let cases: [([FileTransferPacket.Operation], FileTransferRule)] = [
            ([.data([1], isFirst: true, isLast: true)], .unknownTransfer),
            ([.setup(size: 2, type: nil), .data([1], isFirst: false, isLast: false)], .wrongOrder),
            (
                [
                    .setup(size: 2, type: nil), .data([1], isFirst: true, isLast: false),
                    .data([1], isFirst: true, isLast: true),
                ], .wrongOrder
            ),
            ([.setup(size: 2, type: nil), .data([1], isFirst: true, isLast: true)], .lessThanOffered),
            ([.setup(size: 2, type: nil), .setup(size: 2, type: nil)], .repeatedSetup),
            ([.setup(size: 2, type: nil), .unknown(9, [])], .unknownOperation),
            ([.setup(size: 2, type: nil), .start], .wrongOrder), ([.cancel], .unknownTransfer),
        ]
        for (operations, rule) in cases {
            var receiver = FileTransferReceiver(peer: .device)
            var event: FileTransferEvent?
            for operation in operations { event = Self.receive(&receiver, operation).event }
            #expect(event == .refused(id: 0x80, rule))
            #expect(receiver.running == [], "\(rule)")
        }
        var receiver = FileTransferReceiver(peer: .device)
        _ = Self.receive(&receiver, .setup(size: 2, type: nil))
        #expect(Self.receive(&receiver, .cancel).event == .cancelled(id: 0x80))
        #expect(receiver.receive([]).event == .refused(id: nil, .malformed))
        #expect(receiver.receive([0x80, 1, 1]).event == .refused(id: 0x80, .malformed))
        // Ids of the own side are about what is sent, whatever they say.
        #expect(Self.receive(&receiver, .start, id: 0x7F).event == .concernsSender)
        #expect(FileTransferReceiver(peer: .accessory).peerIDs == 0...0x7F)
    }

    @Test("the sender in every phase with everything that a receiver says")
    func senderMatrix() throws {
        func sender(_ phase: String) throws -> FileTransferSender {
            var sender = FileTransferSender(id: 1, type: nil, bytes: [1, 2, 3], maximumPayload: 12)
            if phase == "idle" { return sender }
            _ = sender.next()
            if phase == "offered" { return sender }
            try sender.receive(FileTransferPacket(id: 1, .start))
            if phase == "sending" { return sender }
            if phase == "paused" {
                try sender.receive(FileTransferPacket(id: 1, .pause))
                return sender
            }
            _ = sender.next()
            if phase == "sent" { return sender }
            try sender.receive(FileTransferPacket(id: 1, .success))
            return sender
        }
        let events: [FileTransferPacket.Operation] = [.start, .pause, .success, .cancel, .setup(size: 1, type: nil)]
        let rows: [(String, [String])] = [
            ("idle", ["wrong-order", "wrong-order", "wrong-order", "wrong-order", "wrong-order"]),
            ("offered", ["sending", "wrong-order", "wrong-order", "over(success: false)", "wrong-order"]),
            ("sending", ["sending", "paused", "wrong-order", "over(success: false)", "wrong-order"]),
            ("paused", ["sending", "paused", "wrong-order", "over(success: false)", "wrong-order"]),
            ("sent", ["sent", "sent", "over(success: true)", "over(success: false)", "wrong-order"]),
            ("over", ["wrong-order", "wrong-order", "wrong-order", "wrong-order", "wrong-order"]),
        ]
        for (phase, cells) in rows {
            for (event, cell) in zip(events, cells) {
                var sender = try sender(phase)
                var outcome: String
                do throws(FileTransferRule) {
                    try sender.receive(FileTransferPacket(id: 1, event))
                    outcome = "\(sender.phase)"
                } catch {
                    outcome = error.rawValue
                }
                #expect(outcome == cell, "\(event) in \(phase)")
            }
            var cancelled = try sender(phase)
            let packet = cancelled.cancel()
            #expect((packet == nil) == (phase == "idle" || phase == "over"))
            #expect(cancelled.next() == nil)
        }
    }
}
