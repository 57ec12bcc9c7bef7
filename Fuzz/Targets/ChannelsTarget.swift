import LinkProtocol

/// What travels beside control messages, and the frame around a link over HID: any payload and any report is taken
/// without harm and in bounded memory, and what one side makes the other gets.
///
/// Input: one byte says which, then each part's own.
enum ChannelsTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        var input = FuzzInput(bytes)
        switch input.int(0...3) {
        case 0: try receiveFiles(&input)
        case 1: try sendFile(&input)
        case 2: try receiveReports(&input)
        default: try sendReports(&input)
        }
    }

    // MARK: Files

    /// Operations of any kind for a few transfers.
    private static func receiveFiles(_ input: inout FuzzInput) throws(FuzzFinding) {
        let maximumSize = input.int(0...200)
        var receiver = FileTransferReceiver(
            peer: input.bool() ? .device : .accessory, maximumTransfers: input.int(1...4), maximumSize: maximumSize)
        while !input.isAtEnd {
            let id = receiver.peerIDs.lowerBound | UInt8(input.int(0...5))
            let operation: FileTransferPacket.Operation
            switch input.int(0...7) {
            case 0, 1:
                operation = .setup(size: UInt64(input.int(0...210)), type: input.optional { $0.word() })
            case 2, 3, 4:
                operation = .data(input.bytes(upTo: 60)[...], isFirst: input.bool(), isLast: input.bool())
            case 5: operation = input.pick([.start, .pause, .success, .cancel])
            case 6: operation = .unknown(0x10 | input.byte() & 0x0F, input.bytes(upTo: 4)[...])
            default:
                try receive(input.bytes(upTo: 30), &receiver, maximumSize)
                continue
            }
            let packet = FileTransferPacket(id: id, operation)
            try require(
                (try? FileTransferPacket(parsing: packet.encoded[...])) == packet, "\(packet) is read as another")
            try receive(packet.encoded, &receiver, maximumSize)
        }
    }

    private static func receive(
        _ payload: [UInt8], _ receiver: inout FileTransferReceiver, _ maximumSize: Int
    ) throws(FuzzFinding) {
        let before = receiver.running
        let (event, reply) = receiver.receive(payload[...])
        try require(receiver.running.count <= receiver.maximumTransfers, "\(receiver.running.count) transfers run")
        try require(
            receiver.heldBytes <= receiver.maximumTransfers * maximumSize, "\(receiver.heldBytes) bytes are held")
        switch event {
        case .offered(let id, _, _):
            try require(!before.contains(id) && receiver.running.contains(id), "an offer that does not run")
            try require(reply == FileTransferPacket(id: id, .start), "an offer is answered by \(reply as Any)")
        case .finished(let id, _, let bytes):
            try require(before.contains(id) && !receiver.running.contains(id), "a finished file runs")
            try require(bytes.count <= maximumSize, "a file of \(bytes.count) bytes")
        case .cancelled(let id): try require(!receiver.running.contains(id), "a cancelled file runs")
        case .refused(let id, _):
            if let id { try require(!receiver.running.contains(id), "a refused file runs") }
        case .progress, .concernsSender: try require(receiver.running == before, "transfers came or went")
        }
    }

    /// One file from one side to the other, with pauses.
    private static func sendFile(_ input: inout FuzzInput) throws(FuzzFinding) {
        let maximumPayload = input.int(12...80)
        let file = [UInt8](repeating: 0, count: input.int(0...255)).enumerated().map { UInt8($0.offset & 0xFF) }
        var sender = FileTransferSender(id: 0x85, type: nil, bytes: file, maximumPayload: maximumPayload)
        var receiver = FileTransferReceiver(peer: .device)
        var arrived: [UInt8]?
        for _ in 0..<400 {
            if input.int(0...3) == 3 { try? sender.receive(FileTransferPacket(id: 0x85, .pause)) }
            if input.int(0...3) == 3 { try? sender.receive(FileTransferPacket(id: 0x85, .start)) }
            guard let packet = sender.next() else {
                if sender.phase == .paused { try? sender.receive(FileTransferPacket(id: 0x85, .start)) }
                if case .over = sender.phase { break }
                continue
            }
            let payload = packet.encoded
            try require(payload.count <= maximumPayload, "a piece of \(payload.count) bytes")
            let (event, reply) = receiver.receive(payload[...])
            if case .finished(_, _, let bytes) = event { arrived = bytes }
            if case .refused(_, let rule) = event { throw FuzzFinding("a whole file is refused: \(rule)") }
            if let reply { try? sender.receive(reply) }
        }
        try require(arrived == file && sender.phase == .over(success: true), "a file does not arrive: \(sender.phase)")
    }

    // MARK: Reports

    private static func set(_ input: inout FuzzInput) -> (HIDReportSet, HIDReportDirection) {
        (input.bool() ? .highSpeed : .fullSpeed, input.bool() ? .input : .output)
    }

    private static func receiveReports(_ input: inout FuzzInput) throws(FuzzFinding) {
        let (set, direction) = set(&input)
        var decoder = HIDFrameDecoder(direction, set: set)
        var bytes: [UInt8] = []
        var taken = 0
        while !input.isAtEnd {
            let shape = input.pick(set.shapes(direction))
            var report = input.bytes(upTo: 40)
            switch input.int(0...7) {
            case 0: break
            case 1: report = [shape.id] + report
            default:
                report = [shape.id, input.byte() & 3] + report
                report += repeatElement(0, count: max(0, shape.length - report.count))
                report = Array(report.prefix(shape.length))
            }
            taken += report.count
            _ = decoder.receive(report[...], into: &bytes)
            try require(decoder.heldCount <= HIDFrameDecoder.maximumLength, "\(decoder.heldCount) bytes are held")
            try require(bytes.count + decoder.heldCount <= taken, "more comes out than went in")
        }
    }

    private static func sendReports(_ input: inout FuzzInput) throws(FuzzFinding) {
        let (set, direction) = set(&input)
        var decoder = HIDFrameDecoder(direction, set: set)
        while !input.isAtEnd {
            let packet = LinkPacket(
                control: LinkPacket.Control(rawValue: input.byte()), sequence: input.byte(), acknowledgement: 0,
                payload: Array(repeating: input.byte(), count: Int(input.word()) % 3_000)[...]
            ).encoded
            var bytes: [UInt8] = []
            for report in HIDFraming.reports(for: packet[...], direction, set: set) {
                let broken = decoder.receive(report[...], into: &bytes)
                try require(broken == nil, "a report of our own breaks \(broken as Any)")
            }
            try require(bytes == packet, "\(packet.count) bytes come back as \(bytes.count)")
        }
    }
}
