import Testing
import VarlinkProtocol

@Suite struct VarlinkReplyTests {
    private func read(_ text: String) throws(ReplyError) -> VarlinkReply { try VarlinkReply(parsing: text.bytes[...]) }

    @Test(arguments: [
        "{}", #"{"parameters":null}"#, #"{"parameters":{},"continues":false,"error":null}"#, #"{"com.example":1}"#,
    ])
    func absentNullAndEmptyAreTheSame(_ text: String) throws {
        #expect(try read(text) == VarlinkReply())
    }

    @Test func readsResultsAndErrors() throws {
        #expect(
            try read(#"{"parameters":{"x":1},"continues":true}"#)
                == VarlinkReply(parameters: ["x": 1], continues: true))
        #expect(
            try read(#"{"error":"a.b.Gone","parameters":{"id":7}}"#)
                == VarlinkReply(parameters: ["id": 7], error: "a.b.Gone"))
    }

    @Test func wrongTypesAreRefusedByName() {
        #expect(throws: ReplyError.wrongType(key: "parameters", expected: "object", got: "string")) {
            try read(#"{"parameters":""}"#)
        }
        #expect(throws: ReplyError.wrongType(key: "continues", expected: "bool", got: "int")) {
            try read(#"{"continues":1}"#)
        }
        #expect(throws: ReplyError.wrongType(key: "error", expected: "string", got: "object")) {
            try read(#"{"error":{}}"#)
        }
        #expect(throws: ReplyError.errorContinues("a.b.C")) { try read(#"{"error":"a.b.C","continues":true}"#) }
        #expect(throws: ReplyError.notAnObject(got: "null")) { try read("null") }
        #expect(throws: ReplyError.self) { try read("{") }
    }

    @Test func writesWhatItReads() throws {
        func written(_ reply: VarlinkReply) -> String {
            var bytes: [UInt8] = []
            reply.write(into: &bytes)
            return bytes.text
        }
        #expect(written(VarlinkReply()) == "{\"parameters\":{}}\u{0}")
        #expect(
            written(VarlinkReply(parameters: ["x": 1], continues: true))
                == "{\"parameters\":{\"x\":1},\"continues\":true}\u{0}")
        #expect(
            written(StandardError.methodNotFound("a.b.C").reply)
                == "{\"error\":\"org.varlink.service.MethodNotFound\",\"parameters\":{\"method\":\"a.b.C\"}}\u{0}")
    }

    @Test func renderedParametersAreTakenAsTheyAre() {
        var bytes: [UInt8] = []
        VarlinkReply.write(renderedParameters: #"{"x":1}"#.bytes[...], continues: true, into: &bytes)
        VarlinkReply.write(renderedParameters: "{}".bytes[...], continues: false, into: &bytes)
        #expect(bytes.text == "{\"parameters\":{\"x\":1},\"continues\":true}\u{0}{\"parameters\":{}}\u{0}")
    }

    @Test func standardErrorsSurviveTheWire() throws {
        let errors: [StandardError] = [
            .interfaceNotFound("a.b"), .methodNotFound("a.b.C"), .methodNotImplemented("a.b.C"),
            .invalidParameter("x.y"), .permissionDenied, .expectedMore,
        ]
        for error in errors {
            var bytes: [UInt8] = []
            error.reply.write(into: &bytes)
            let reply = try VarlinkReply(parsing: bytes.dropLast())
            #expect(StandardError(name: try #require(reply.error), parameters: reply.parameters) == error)
            #expect(!error.description.isEmpty)
        }
        #expect(StandardError(name: "org.varlink.service.Other", parameters: [:]) == nil)
        #expect(StandardError(name: "org.varlink.service.MethodNotFound", parameters: [:]) == .methodNotFound(""))
    }
}
