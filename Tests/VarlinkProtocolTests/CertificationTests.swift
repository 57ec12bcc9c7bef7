import Testing
import VarlinkProtocol

@Suite struct CertificationTests {
    /// A service with the certification interface, fed with bytes as a socket would.
    private struct Server {
        let directory: ServiceDirectory
        var service = CertificationService()
        var reader = RecordReader(maximumRecordSize: 10_000)

        init() throws {
            directory = try ServiceDirectory(
                vendor: "v", product: "p", version: "1", url: "u",
                interfaces: [InterfaceDescription(parsing: Certification.interfaceText)])
        }

        mutating func replies(to bytes: [UInt8]) throws -> [VarlinkReply] {
            reader.append(bytes[...])
            var replies: [VarlinkReply] = []
            while let record = try reader.next() {
                let object = try #require(try JSON.parse(record).objectValue)
                guard case .call(let call) = VarlinkCall.read(object) else {
                    Issue.record("no call: \(object)")
                    continue
                }
                switch directory.route(call) {
                case .dispatch(let routed): service.handle(routed, record: object, into: &replies)
                case .answered(let reply): replies.append(reply)
                case .refused(let refusal): if let reply = refusal.reply { replies.append(reply) }
                case .ignored: break
                }
            }
            return replies
        }

        /// The replies to one call given as text, with CLIENT for the client's id.
        mutating func reply(to text: String) throws -> [VarlinkReply] {
            try replies(to: text.replacing("CLIENT", with: "client-1").bytes + [0])
        }
    }

    /// Runs client and server against each other; `tamper` may change replies on their way.
    private func run(tamper: (inout VarlinkReply, Int) -> Void = { _, _ in }) throws -> [CertificationClient.Action] {
        var server = try Server()
        var client = try CertificationClient()
        var connection = VarlinkClientConnection()
        var toServer: [UInt8] = []
        var replyCount = 0
        let first = client.start()
        _ = try connection.send(try #require(first), into: &toServer)
        var results: [CertificationClient.Action] = []
        while !toServer.isEmpty {
            var toClient: [UInt8] = []
            for var reply in try server.replies(to: toServer) {
                tamper(&reply, replyCount)
                replyCount += 1
                reply.write(into: &toClient)
            }
            toServer = []
            var events: [VarlinkClientConnection.Event] = []
            connection.receive(toClient[...], into: &events)
            for event in events {
                var actions: [CertificationClient.Action] = []
                client.handle(event, into: &actions)
                for action in actions {
                    if case .send(let call) = action {
                        _ = try connection.send(call, into: &toServer)
                    } else {
                        results.append(action)
                    }
                }
            }
        }
        return results
    }

    @Test func ourTwoEndsCertifyEachOther() throws {
        #expect(try run() == [.passed])
    }

    @Test func theClientPassesOnWhatItGot() throws {
        // Reply 4 is the string of Test04; the service must notice that it comes back changed.
        let results = try run { reply, number in
            if number == 4 { reply.parameters["string"] = "pong" }
        }
        guard case .failed(.refused(let method, let error))? = results.first else {
            Issue.record("\(results)")
            return
        }
        #expect(method == "org.varlink.certification.Test05")
        #expect(error.name == "org.varlink.certification.CertificationError")
        let wants = error.parameters["wants"]?.objectValue
        let got = error.parameters["got"]?.objectValue
        #expect(wants?["parameters"] == ["client_id": "client-1", "string": "ping"])
        #expect(got?["parameters"] == ["client_id": "client-1", "string": "pong"])
    }

    @Test(arguments: 1...9) func everyChangedValueIsNoticed(_ changed: Int) throws {
        let results = try run { reply, number in
            guard number == changed, let member = reply.parameters.first else { return }
            switch member.value {
            case .bool(let value): reply.parameters[member.key] = .bool(!value)
            case .int(let value): reply.parameters[member.key] = .int(value + 1)
            case .double(let value): reply.parameters[member.key] = .double(value.nextUp)
            case .string(let value): reply.parameters[member.key] = .string(value + "x")
            case .object(var object):
                // A set or map gets one more, a struct loses its first field that has a value to lose.
                switch number {
                case 6: object["int"] = 3
                case 7: object["more"] = "x"
                case 8: object["more"] = [:]
                default: object["enum"] = "one"
                }
                reply.parameters[member.key] = .object(object)
            case .null, .array: Issue.record("unexpected \(member)")
            }
        }
        guard case .failed(.refused(_, let error))? = results.first else {
            Issue.record("\(results)")
            return
        }
        #expect(error.name == "org.varlink.certification.CertificationError")
    }

    @Test func theClientChecksRepliesAgainstTheInterface() throws {
        let results = try run { reply, number in
            if number == 2 { reply.parameters["int"] = "1" }
        }
        #expect(
            results.map(\.message) == [
                "org.varlink.certification.Test02: the service's reply does not fit: int: expected int, got string"
            ])
    }

    /// As python-varlink 31.0.0 does in its reply to Test09.
    @Test func theClientPassesOnDeclaredFieldsOnly() throws {
        #expect(
            try run { reply, number in
                reply.parameters["client_id"] = "client-1"
                reply.parameters["other"] = .int(Int64(number))
            } == [.passed])
    }

    @Test func theClientCountsReplies() throws {
        // Replies 10 to 19 are those of Test10.
        let few = try run { reply, number in
            if number == 13 { reply.continues = false }
        }
        #expect(few.first == .failed(.wrongReplyCount(4)))
        let many = try run { reply, number in
            if number == 19 { reply.continues = true }
        }
        #expect(many.first == .failed(.wrongReplyCount(10)))
        #expect(
            try run { reply, number in
                if number == 20 { reply.parameters["all_ok"] = false }
            } == [.failed(.notAllOK)])
    }

    @Test func theClientTellsWhenTheConnectionEnds() throws {
        var client = try CertificationClient()
        var actions: [CertificationClient.Action] = []
        client.handle(.ended(.closed), into: &actions)
        #expect(actions.isEmpty)
        let calls = [client.start(), client.start()]
        #expect(calls.map { $0 == nil } == [false, true])
        client.handle(.ended(.closed), into: &actions)
        client.handle(.ended(.closed), into: &actions)
        #expect(actions == [.failed(.connectionEnded(.closed))])
    }

    @Test func beforeTheStartAndAfterTheEndNothingMatters() throws {
        var connection = VarlinkClientConnection()
        var output: [UInt8] = []
        let id = try connection.send(VarlinkCall(method: "a.b.C"), into: &output)
        let events: [VarlinkClientConnection.Event] = [
            .reply(id, [:], isLast: true), .reply(id, [:], isLast: false), .failed(id, VarlinkError(name: "a.b.E")),
            .lost(id, .closed), .ended(.closed),
        ]
        for first in events {
            var client = try CertificationClient()
            var actions: [CertificationClient.Action] = []
            for event in events { client.handle(event, into: &actions) }
            #expect(actions.isEmpty)
            _ = client.start()
            client.handle(first, into: &actions)
            #expect(actions.count == 1)
            guard case .failed(let failure)? = actions.first else {
                Issue.record("\(first) is no failure: \(actions)")
                continue
            }
            #expect(!failure.description.isEmpty)
            for event in events { client.handle(event, into: &actions) }
            let again = client.start()
            #expect(again == nil)
            #expect(actions.count == 1)
        }
    }

    /// The calls up to a step, as text.
    private static let opening = [
        #"{"method":"org.varlink.certification.Start"}"#,
        #"{"method":"org.varlink.certification.Test01","parameters":{"client_id":"CLIENT"}}"#,
        #"{"method":"org.varlink.certification.Test02","parameters":{"client_id":"CLIENT","bool":true}}"#,
    ]

    @Test(arguments: [
        #"{"method":"org.varlink.certification.Start","parameters":{}}"#,
        #"{"method":"org.varlink.certification.Start","parameters":null}"#,
    ])
    func startTakesEmptyParameters(_ text: String) throws {
        var server = try Server()
        #expect(try server.reply(to: text) == [VarlinkReply(parameters: ["client_id": "client-1"])])
    }

    @Test(arguments: [
        #"{"method":"org.varlink.certification.Start","more":false}"#,
        #"{"method":"org.varlink.certification.Start","com.example":{}}"#,
        #"{"method":"org.varlink.certification.Test03","parameters":{"client_id":"CLIENT","int":1},"oneway":false}"#,
        #"{"method":"org.varlink.certification.Test03","parameters":{"client_id":"CLIENT","int":1},"more":true}"#,
        #"{"method":"org.varlink.certification.Test03","parameters":{"client_id":"CLIENT","int":2}}"#,
    ])
    func theWholeCallCounts(_ text: String) throws {
        var server = try Server()
        for call in Self.opening { _ = try server.reply(to: call) }
        let replies = try server.reply(to: text)
        #expect(replies.map(\.error) == ["org.varlink.certification.CertificationError"])
        let got = try JSON.parse(text.replacing("CLIENT", with: "client-1"))
        #expect(replies.first?.parameters["got"] == got)
        if text.contains("Test03") {
            let again = #"{"method":"org.varlink.certification.Test03","parameters":{"client_id":"CLIENT","int":1}}"#
            #expect(try server.reply(to: again).map(\.error) == ["org.varlink.certification.ClientIdError"])
        }
    }

    @Test func aFloatMayBeWrittenAsInteger() throws {
        var server = try Server()
        for call in Self.opening { _ = try server.reply(to: call) }
        let third = #"{"method":"org.varlink.certification.Test03","parameters":{"client_id":"CLIENT","int":1}}"#
        #expect(try server.reply(to: third) == [VarlinkReply(parameters: ["float": 1.0])])
        let fourth = #"{"method":"org.varlink.certification.Test04","parameters":{"client_id":"CLIENT","float":1}}"#
        #expect(try server.reply(to: fourth) == [VarlinkReply(parameters: ["string": "ping"])])
    }

    @Test func aCallOutOfTurnLeavesTheClientWhereItWas() throws {
        var server = try Server()
        for call in Self.opening { _ = try server.reply(to: call) }
        let replies = try server.reply(to: Self.opening[1])
        #expect(replies.map(\.error) == ["org.varlink.certification.CertificationError"])
        #expect(replies.first?.parameters["wants"]?.objectValue?["method"] == "org.varlink.certification.Test03")
        let third = #"{"method":"org.varlink.certification.Test03","parameters":{"client_id":"CLIENT","int":1}}"#
        #expect(try server.reply(to: third).map(\.error) == [nil])
    }

    @Test func unknownClientsAreRefused() throws {
        var server = try Server()
        let end = #"{"method":"org.varlink.certification.End","parameters":{"client_id":"nobody"}}"#
        #expect(try server.reply(to: end) == [VarlinkReply(error: "org.varlink.certification.ClientIdError")])
        let oneway = #"{"method":"org.varlink.certification.End","oneway":true,"parameters":{"client_id":"nobody"}}"#
        #expect(try server.reply(to: oneway) == [])
    }

    @Test func theOldestClientIsPushedOut() throws {
        var server = try Server()
        for _ in 0..<CertificationService.clientLimit { _ = try server.reply(to: Self.opening[0]) }
        #expect(try server.reply(to: Self.opening[1]).map(\.error) == [nil])
        _ = try server.reply(to: Self.opening[0])
        #expect(try server.reply(to: Self.opening[2]).map(\.error) == ["org.varlink.certification.ClientIdError"])
    }
}

extension CertificationClient.Action {
    fileprivate var message: String {
        switch self {
        case .send(let call): call.method
        case .passed: "passed"
        case .failed(let failure): failure.description
        }
    }
}
