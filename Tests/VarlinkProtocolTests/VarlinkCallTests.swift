import Testing
import VarlinkProtocol

@Suite struct VarlinkCallTests {
    private func read(_ text: String) -> VarlinkCall.Reading { VarlinkCall.read(text.bytes[...]) }

    @Test(arguments: [
        #"{"method":"a.b.C"}"#, #"{"method":"a.b.C","parameters":{}}"#, #"{"method":"a.b.C","parameters":null}"#,
        #"{"parameters":{},"more":false,"oneway":false,"upgrade":false,"method":"a.b.C"}"#,
        #" {"method":"a.b.C","com.example":{"x":[1]},"more":null} "#,
    ])
    func absentNullAndEmptyAreTheSame(_ text: String) {
        #expect(read(text) == .call(VarlinkCall(method: "a.b.C")))
    }

    @Test func readsParametersAndFlags() {
        #expect(
            read(#"{"method":"a.b.C","parameters":{"x":1},"more":true}"#)
                == .call(VarlinkCall(method: "a.b.C", parameters: ["x": 1], more: true)))
        #expect(read(#"{"method":"a.b.C","oneway":true}"#) == .call(VarlinkCall(method: "a.b.C", oneway: true)))
        #expect(read(#"{"method":"a.b.C","upgrade":true}"#) == .call(VarlinkCall(method: "a.b.C", upgrade: true)))
    }

    private func invalid(_ key: String) -> CallError.Answer {
        .reply(VarlinkReply(parameters: ["parameter": .string(key)], error: "org.varlink.service.InvalidParameter"))
    }

    @Test func wrongTypesAreAnsweredByName() {
        #expect(read("{}") == .refused(.missingMethod, invalid("method")))
        #expect(
            read(#"{"method":1}"#)
                == .refused(.wrongType(key: "method", expected: "string", got: "int"), invalid("method")))
        #expect(
            read(#"{"method":"a.b.C","parameters":[1]}"#)
                == .refused(.wrongType(key: "parameters", expected: "object", got: "array"), invalid("parameters")))
        #expect(
            read(#"{"method":"a.b.C","more":"yes"}"#)
                == .refused(.wrongType(key: "more", expected: "bool", got: "string"), invalid("more")))
        #expect(
            read(#"{"method":"a.b.C","upgrade":1.5}"#)
                == .refused(.wrongType(key: "upgrade", expected: "bool", got: "float"), invalid("upgrade")))
    }

    @Test func aOnewayCallIsNeverAnswered() {
        #expect(read(#"{"oneway":true}"#) == .refused(.missingMethod, .nothing))
        #expect(
            read(#"{"oneway":true,"method":"a.b.C","parameters":1}"#)
                == .refused(.wrongType(key: "parameters", expected: "object", got: "int"), .nothing))
    }

    @Test func unclearRecordsCloseTheConnection() {
        guard case .refused(.notJSON(let error), .close) = read("{\"method\":}") else {
            Issue.record("not refused")
            return
        }
        #expect(error.offset == 10)
        #expect(read("[]") == .refused(.notAnObject(got: "array"), .close))
        #expect(
            read(#"{"method":"a.b.C","oneway":1}"#)
                == .refused(.wrongType(key: "oneway", expected: "bool", got: "int"), .close))
        #expect(
            read(#"{"method":"a.b.C","oneway":true,"more":true}"#)
                == .refused(.conflictingFlags("oneway", "more"), .close))
        #expect(
            read(#"{"method":"a.b.C","oneway":true,"upgrade":true}"#)
                == .refused(.conflictingFlags("oneway", "upgrade"), .close))
        #expect(
            read(#"{"method":"a.b.C","more":true,"upgrade":true}"#)
                == .refused(.conflictingFlags("more", "upgrade"), .close))
    }

    @Test(arguments: [
        (#"{"method":"a.b.C","parameters":{"x":1e999}}"#, "x"),
        (#"{"method":"a.b.C","parameters":{"fields":{"y":[0,{"z":-1e400}]},"w":1e999}}"#, "fields.y.1.z"),
        (#"{"method":"a.b.C","parameters":1e999}"#, "parameters"), (#"{"method":1e999}"#, "method"),
        (#"{"com.example":1e999,"method":"a.b.C","parameters":{}}"#, "com.example"),
        ("{\"method\":\"a.b.C\",\"parameters\":{\"x\":\(String(repeating: "1", count: 1_101))}}", "x"),
    ])
    func aNumberThatCannotBeReadIsAnsweredWithItsPlace(_ text: String, path: String) {
        guard case .refused(.unreadableNumber(path, let error), let answer) = read(text) else {
            Issue.record("\(read(text))")
            return
        }
        #expect(answer == invalid(path))
        #expect(error.line == 1 && error.offset > 0)
    }

    @Test(arguments: [
        (#"{"method":"a.b.C","oneway":true,"parameters":{"x":1e999}}"#, CallError.Answer.nothing),
        (#"{"method":1e999,"oneway":true}"#, .nothing), (#"{"method":"a.b.C","oneway":1e999}"#, .close),
        (#"{"method":"a.b.C","oneway":true,"more":true,"parameters":{"x":1e999}}"#, .close),
        (#"{"method":"a.b.C","parameters":{"x":1e999}"#, .close), ("[1e999]", .close), ("1e999", .close),
    ])
    func whoMayNotBeAnsweredIsNotAnsweredForItsNumberEither(_ text: String, answer: CallError.Answer) {
        guard case .refused(_, answer) = read(text) else {
            Issue.record("\(text): \(read(text))")
            return
        }
    }

    @Test func writesOnlyWhatIsSet() {
        func written(_ call: VarlinkCall) -> String {
            var bytes: [UInt8] = []
            call.write(into: &bytes)
            return bytes.text
        }
        #expect(written(VarlinkCall(method: "a.b.C")) == "{\"method\":\"a.b.C\"}\u{0}")
        #expect(
            written(VarlinkCall(method: "a.b.C", parameters: ["x": "\u{0}"], more: true))
                == "{\"method\":\"a.b.C\",\"parameters\":{\"x\":\"\\u0000\"},\"more\":true}\u{0}")
        #expect(written(VarlinkCall(method: "a.b.C", oneway: true)) == "{\"method\":\"a.b.C\",\"oneway\":true}\u{0}")
        #expect(written(VarlinkCall(method: "a.b.C", upgrade: true)) == "{\"method\":\"a.b.C\",\"upgrade\":true}\u{0}")
    }

    @Test(arguments: 0..<10 as Range<UInt64>) func whatIsWrittenReadsBackAndDamageIsHarmless(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<200 {
            let flag = generator.below(4)
            let call = VarlinkCall(
                method: generator.text(), parameters: generator.object(), oneway: flag == 1, more: flag == 2,
                upgrade: flag == 3)
            var bytes: [UInt8] = []
            call.write(into: &bytes)
            #expect(bytes.firstIndex(of: 0) == bytes.count - 1, "seed \(seed), round \(round)")
            #expect(VarlinkCall.read(bytes.dropLast()) == .call(call), "seed \(seed), round \(round)")
            let damaged = generator.mutated(bytes.dropLast())
            switch VarlinkCall.read(damaged[...]) {
            case .call: break
            case .refused(let error, let answer):
                #expect(!error.description.isEmpty)
                if case .notJSON = error { #expect(answer == .close, "seed \(seed), round \(round)") }
            }
        }
    }
}
