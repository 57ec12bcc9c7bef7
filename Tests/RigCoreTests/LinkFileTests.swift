import LinkProtocol
import RigModel
import Testing

@testable import RigCore

/// Files that a head unit sends to the rig on the file transfer channel of a wire.
@Suite struct LinkFileTests {
    /// The rig as the phone of a head unit that has only a link.
    private struct LinkedUnit {
        var bench = Bench()
        var unit = LinkMachine(side: .accessory, parameters: LinkParameters(), initialSequence: 7)
        var output = LinkOutput()
        var link: LinkID?
        /// What came on the file transfer channel.
        var answers: [FileTransferPacket] = []

        init() {
            bench.handle(.deviceAttached(key: "unit", WiredPair.facts(.headUnit)))
            unit.start(now: bench.now, into: &output)
            exchange()
        }

        mutating func exchange() {
            for _ in 0..<1_000 {
                let actions = bench.outside
                bench.outside = []
                if actions.isEmpty, output.transmit.isEmpty { return }
                for action in actions {
                    switch action {
                    case .openWire(let id, _):
                        link = id
                        bench.handle(.wireOpened(id))
                    case .transmit(let id, let bytes, _):
                        bench.handle(.wireSent(id, bytes.count))
                        unit.receive(bytes[...], now: bench.now, into: &output)
                    default: break
                    }
                }
                let bytes = output.transmit
                for notice in output.notices {
                    guard case .received(.fileTransfer, let payload) = notice else { continue }
                    if let packet = try? FileTransferPacket(parsing: output.payloads[payload]) {
                        answers.append(packet)
                    }
                }
                output.removeAll()
                if let link, !bytes.isEmpty { bench.handle(.wireReceived(link, bytes)) }
            }
            Issue.record("the two never become quiet")
        }

        mutating func say(_ packet: FileTransferPacket) throws {
            var payload: [UInt8] = []
            packet.encode(into: &payload)
            try unit.send(payload, on: .fileTransfer, now: bench.now, into: &output)
            exchange()
        }

        mutating func send(_ bytes: [UInt8], id: UInt8 = FileTransferPacket.accessoryIDs.lowerBound) throws {
            var sender = FileTransferSender(id: id, type: 2, bytes: bytes, maximumPayload: 1_000)
            while sender.phase != .sent {
                guard let packet = sender.next() else { break }
                try say(packet)
                if let answer = answers.popLast() { try sender.receive(answer) }
            }
        }
    }

    private func files(_ bench: Bench) -> [LinkFile] {
        bench.events.compactMap { event in
            if case .file(let file) = event.payload { file } else { nil }
        }
    }

    private func rules(_ bench: Bench) -> [String] {
        bench.events.compactMap { event in
            if case .irregularity(let what) = event.payload { "\(what.rule) \(what.reaction)" } else { nil }
        }
    }

    @Test(arguments: [1, 999, 1_000, 70_000, 1 << 20]) func aWholeFileIsTold(size: Int) throws {
        var unit = LinkedUnit()
        let id = FileTransferPacket.accessoryIDs.lowerBound
        try unit.send([UInt8](repeating: 5, count: size))
        #expect(files(unit.bench) == [LinkFile(transfer: id, type: 2, size: size, sender: .headUnit)])
        let event = unit.bench.events.first { $0.kind == .fileReceived }
        #expect(event?.device?.name != nil && event?.session == SessionID(1) && event?.origin == .observed)
        #expect(rules(unit.bench) == [])
    }

    @Test func aFileThatIsTooLargeIsRefusedByName() throws {
        var unit = LinkedUnit()
        let id = FileTransferPacket.accessoryIDs.lowerBound
        try unit.say(FileTransferPacket(id: id, .setup(size: UInt64(FileIntake.limits.size) + 1, type: nil)))
        #expect(unit.answers == [FileTransferPacket(id: id, .cancel)])
        #expect(rules(unit.bench) == ["transfer-file-too-large drop"])
        // The link goes on.
        try unit.send([1, 2, 3])
        #expect(files(unit.bench).map(\.size) == [3])
    }

    @Test func moreFilesAtOnceThanAreTakenAreRefused() throws {
        var unit = LinkedUnit()
        for number in 0...UInt8(FileIntake.limits.transfers) {
            let id = FileTransferPacket.accessoryIDs.lowerBound + number
            try unit.say(FileTransferPacket(id: id, .setup(size: 10, type: nil)))
        }
        #expect(rules(unit.bench) == ["transfer-too-many-transfers drop"])
    }
}
