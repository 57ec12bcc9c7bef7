import LinkProtocol
import RigModel
import Testing
import WireBytes

@testable import RigCore

@Suite struct CaptureTests {
    /// The records that a client was told, without the first reply.
    static func records(_ bench: Bench, _ client: ClientID) -> [RecordValue] {
        Array((bench.replies[client] ?? []).dropFirst())
    }

    static func bytes(_ records: [RecordValue], _ direction: CaptureDirection) throws -> [UInt8] {
        try records.filter { $0.value(at: "direction")?.text == direction.rawValue }
            .flatMap { try Base64Text.parse($0.value(at: "bytes")?.text ?? "") }
    }

    @Test func aWholeSessionIsShownFromItsFirstByteToItsEnd() throws {
        var bench = Bench()
        let client = bench.connect()
        bench.handle(.clientCalled(client, .capture(device: "phone")))
        #expect(bench.replies[client]?.first?.value(at: "start.epoch") != nil)
        bench.plug("iphone", "phone")
        bench.unplug("phone")
        let records = Self.records(bench, client)
        #expect(records.first?.value(at: "kind")?.text == "opened" && records.last?.value(at: "kind")?.text == "closed")
        #expect(records.allSatisfy { $0.value(at: "device")?.text == "phone" && $0.value(at: "session")?.text == "s1" })
        #expect(
            records.map { $0.value(at: "time")?.int ?? 0 } == records.map { $0.value(at: "time")?.int ?? 0 }.sorted())
        for direction in CaptureDirection.allCases {
            var decoder = LinkPacketDecoder(maximumLength: 65_535)
            var rest = try Self.bytes(records, direction)[...]
            var found = 0
            while decoder.next(from: &rest) != nil { found += 1 }
            #expect(found > 4 && decoder.losses.bytes == 0, "\(direction)")
        }
        // One packet, one record: the accessory's detection comes first, alone.
        #expect(try Base64Text.parse(records[1].value(at: "bytes")?.text ?? "") == LinkDetection.bytes)
    }

    @Test func aSessionThatIsThereIsJoined() throws {
        var bench = Bench()
        bench.plug("iphone", "phone")
        let client = bench.connect()
        bench.handle(.clientCalled(client, .capture(device: nil)))
        #expect(Self.records(bench, client).map { $0.value(at: "kind")?.text } == ["joined"])
        #expect(Self.records(bench, client)[0].value(at: "role")?.text == "headUnit")
        bench.unplug("phone")
        #expect(Self.records(bench, client).last?.value(at: "reason.code") != nil)
    }

    @Test func onlyTheNamedDeviceIsShownAndOnlyItsLinkKeepsBytes() throws {
        var bench = Bench()
        let client = bench.connect()
        bench.handle(.clientCalled(client, .capture(device: "b")))
        bench.plug("iphone", "a")
        bench.plug("iphone", "b")
        let records = Self.records(bench, client)
        #expect(!records.isEmpty && records.allSatisfy { $0.value(at: "device")?.text == "b" })
        #expect(bench.core.links.values.map(\.isCaptured) == [false, true])
    }

    @Test func theLastOneToLeaveEndsIt() throws {
        var bench = Bench()
        bench.plug("iphone", "a")
        let first = bench.connect()
        let second = bench.connect()
        bench.handle(.clientCalled(first, .capture(device: "a")))
        bench.handle(.clientCalled(second, .capture(device: nil)))
        bench.handle(.clientClosed(second))
        #expect(bench.core.links.values.map(\.isCaptured) == [true])
        bench.handle(.clientClosed(first))
        #expect(bench.core.links.values.map(\.isCaptured) == [false])
        #expect(bench.core.captures.isEmpty)
    }

    @Test func tooManyAndStrangeNamesAreRefused() throws {
        var bench = Bench { $0.maximumCaptures = 1 }
        let clients = [bench.connect(), bench.connect()]
        bench.handle(.clientCalled(clients[0], .capture(device: "no such name")))
        #expect(bench.failures[clients[0]]?.count == 1)
        bench.handle(.clientCalled(clients[0], .capture(device: nil)))
        bench.handle(.clientCalled(clients[1], .capture(device: nil)))
        #expect(bench.failures[clients[1]] == [.limitReached("captures", 1)])
        bench.handle(.clientCalled(clients[0], .getState))
        #expect(bench.failures[clients[0]]?.count == 2, "a capture holds its connection")
    }

    @Test func whatOneRigSendsOverAWireTheOtherReceives() throws {
        var pair = WiredPair()
        pair.pieces = 7
        let unit = pair.headUnit.connect()
        let phone = pair.phone.connect()
        pair.headUnit.handle(.clientCalled(unit, .capture(device: nil)))
        pair.phone.handle(.clientCalled(phone, .capture(device: nil)))
        pair.plug()
        let sent = Self.records(pair.headUnit, unit)
        let received = Self.records(pair.phone, phone)
        #expect(try Self.bytes(sent, .toDevice) == Self.bytes(received, .fromDevice))
        #expect(try Self.bytes(received, .toDevice) == Self.bytes(sent, .fromDevice))
        #expect(try Self.bytes(sent, .toDevice).count > 100)
        // As it came: in pieces of at most seven bytes.
        #expect(
            try received.filter { $0.value(at: "direction")?.text == "fromDevice" }
                .allSatisfy { try Base64Text.parse($0.value(at: "bytes")?.text ?? "").count <= 7 })
    }

    @Test func nothingIsKeptOfALinkThatNobodyCaptures() throws {
        var bench = Bench()
        bench.plug("iphone", "phone")
        let id = try #require(bench.core.links.ids.first)
        #expect(bench.core.links.update(id) { $0.takeCaptured().count } == 0)
    }
}
