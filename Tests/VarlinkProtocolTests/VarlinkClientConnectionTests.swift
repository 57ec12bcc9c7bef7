import Testing
import VarlinkProtocol

@Suite struct VarlinkClientConnectionTests {
    typealias Event = VarlinkClientConnection.Event
    typealias Ending = VarlinkClientConnection.Ending

    /// A connection with its two buffers.
    private struct Client {
        var connection = VarlinkClientConnection(maximumReplySize: 1000)
        var output: [UInt8] = []

        mutating func call(
            _ method: String = "a.b.C", oneway: Bool = false, more: Bool = false
        ) throws -> VarlinkClientConnection.CallID {
            try connection.send(VarlinkCall(method: method, oneway: oneway, more: more), into: &output)
        }

        mutating func receive(_ text: String) -> [Event] {
            var events: [Event] = []
            connection.receive(text.bytes[...], into: &events)
            return events
        }

        mutating func end() -> [Event] {
            var events: [Event] = []
            connection.streamEnded(into: &events)
            return events
        }
    }

    @Test func repliesBelongToCallsInOrder() throws {
        var client = Client()
        let first = try client.call("a.b.First")
        let second = try client.call("a.b.Second", oneway: true)
        let third = try client.call("a.b.Third")
        #expect(first < second && second < third)
        #expect(client.connection.pendingCount == 2)
        #expect(
            client.output.text.split(separator: "\0") == [
                #"{"method":"a.b.First"}"#, #"{"method":"a.b.Second","oneway":true}"#, #"{"method":"a.b.Third"}"#,
            ])
        #expect(client.receive("{\"parameters\":{\"x\":1}}\0{\"par") == [.reply(first, ["x": 1], isLast: true)])
        #expect(client.receive("ameters\":{}}\0") == [.reply(third, [:], isLast: true)])
        #expect(client.connection.pendingCount == 0)
    }

    @Test func streamsEndWithTheirLastReply() throws {
        var client = Client()
        let stream = try client.call(more: true)
        let next = try client.call()
        #expect(
            client.receive("{\"continues\":true}\0{\"continues\":true}\0") == [
                .reply(stream, [:], isLast: false), .reply(stream, [:], isLast: false),
            ])
        #expect(client.receive("{}\0") == [.reply(stream, [:], isLast: true)])
        #expect(client.receive("{}\0") == [.reply(next, [:], isLast: true)])
    }

    @Test func errorsEndTheirCall() throws {
        var client = Client()
        let stream = try client.call(more: true)
        let next = try client.call()
        let gone = VarlinkError(name: "a.b.Gone", parameters: ["id": 1])
        #expect(
            client.receive("{\"continues\":true}\0{\"error\":\"a.b.Gone\",\"parameters\":{\"id\":1}}\0") == [
                .reply(stream, [:], isLast: false), .failed(stream, gone),
            ])
        #expect(gone.description == #"a.b.Gone {"id":1}"#)
        let events = client.receive("{\"error\":\"org.varlink.service.ExpectedMore\"}\0")
        guard case .failed(next, let error) = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(error.standard == .expectedMore)
    }

    @Test func pipeliningKeepsOrderOverManyCalls() throws {
        var client = Client()
        var waiting: [VarlinkClientConnection.CallID] = []
        var answered: [VarlinkClientConnection.CallID] = []
        for round in 0..<500 {
            waiting.append(try client.call())
            if round % 3 == 2 {
                for event in client.receive("{}\0{}\0") {
                    if case .reply(let id, _, true) = event { answered.append(id) }
                }
            }
        }
        #expect(client.connection.pendingCount == waiting.count - answered.count)
        #expect(answered == Array(waiting.prefix(answered.count)))
    }

    static let faults: [(String, PeerError)] = [
        ("{}\0{}\0", .unexpectedReply),
        ("{\"continues\":true}\0", .unexpectedContinuation(method: "a.b.C")),
        ("\0", .framing(.empty)),
        (String(repeating: "x", count: 1001), .framing(.tooLarge(limit: 1000))),
        ("[]\0", .reply(.notAnObject(got: "array"))),
        ("{\"error\":1}\0", .reply(.wrongType(key: "error", expected: "string", got: "int"))),
    ]

    @Test(arguments: faults.indices) func illegalRepliesEndTheConnection(_ index: Int) throws {
        let (text, fault) = Self.faults[index]
        var client = Client()
        let call = try client.call()
        let events = client.receive(text)
        #expect(events.last == .ended(.peerFault(fault)))
        #expect(!fault.description.isEmpty)
        if case .unexpectedReply = fault {
            #expect(events.first == .reply(call, [:], isLast: true))
        } else {
            #expect(events.first == .lost(call, .peerFault(fault)))
        }
        #expect(events.count == 2)
        // Over is over: nothing goes out, nothing comes in.
        #expect(throws: VarlinkClientConnection.SendError.ended(.peerFault(fault))) { try client.call() }
        #expect(client.receive("{}\0") == [])
        #expect(client.end() == [])
    }

    @Test func aReplyWithoutAnyCallIsAFault() {
        var client = Client()
        #expect(client.receive("{}\0") == [.ended(.peerFault(.unexpectedReply))])
    }

    @Test func theEndOfTheStreamLosesPendingCalls() throws {
        var client = Client()
        let first = try client.call()
        let second = try client.call(more: true)
        #expect(client.end() == [.lost(first, .closed), .lost(second, .closed), .ended(.closed)])
        #expect(client.end() == [])
        #expect(client.receive("{}\0") == [])
        #expect(throws: VarlinkClientConnection.SendError.ended(.closed)) { try client.call() }
        #expect(client.connection.pendingCount == 0)
    }

    @Test func theEndInsideAReplyIsAFault() throws {
        var client = Client()
        #expect(client.receive("{\"par") == [])
        #expect(client.end() == [.ended(.peerFault(.framing(.truncated(byteCount: 5))))])
    }

    @Test func wrongCallsAreRefusedBeforeAnythingIsSent() {
        var client = Client()
        for method in ["", "C", "b.C", "a.b.c", "a.b.", "a_x.b.C"] {
            #expect(throws: VarlinkClientConnection.SendError.invalidMethod(method)) { try client.call(method) }
        }
        #expect(throws: VarlinkClientConnection.SendError.conflictingFlags) {
            try client.call(oneway: true, more: true)
        }
        #expect(throws: VarlinkClientConnection.SendError.upgradeNotSupported) {
            try client.connection.send(VarlinkCall(method: "a.b.C", upgrade: true), into: &client.output)
        }
        #expect(client.output.isEmpty)
        #expect(client.connection.pendingCount == 0)
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func everyChunkingGivesTheSameEvents(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var whole = Client()
        var stream: [UInt8] = []
        for _ in 0..<10 {
            let more = generator.chance(2)
            _ = try whole.call(more: more)
            for _ in 0..<(more ? generator.below(4) : 0) {
                VarlinkReply(parameters: ["x": 1], continues: true).write(into: &stream)
            }
            VarlinkReply(error: generator.chance(3) ? "a.b.E" : nil).write(into: &stream)
        }
        if generator.chance(2) { stream = generator.mutated(stream) }
        var chunked = whole
        var bytewise = whole
        let expected = whole.receive(stream.text) + whole.end()
        var events: [Event] = []
        for chunk in generator.chunks(of: stream.text.bytes) { events += chunked.receive(Array(chunk).text) }
        #expect(events + chunked.end() == expected, "seed \(seed)")
        events = []
        for byte in stream.text.bytes { bytewise.connection.receive([byte][...], into: &events) }
        #expect(events + bytewise.end() == expected, "seed \(seed)")
    }
}
