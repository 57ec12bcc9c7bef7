import Testing
import VarlinkProtocol

@Suite struct InterfaceValidationTests {
    static let text = """
        interface org.example.Rig
        type Knob (detents: int, gain: ?float, kind: (dial, wheel))
        type Event (knob: ?Knob, tags: ?[string]string, seen: ?[string](), tree: ?Event)
        method Send(event: Event, times: ?[]int, raw: ?object, name: ?string, ok: ?bool) -> (id: int)
        method Ping() -> ()
        error Broken (why: string)
        """
    let interface: InterfaceDescription

    init() throws {
        interface = try InterfaceDescription(parsing: Self.text)
    }

    static let valid: [JSONObject] = [
        ["event": [:]],
        ["event": ["knob": nil, "tags": [:], "seen": ["a": [:]]], "times": [], "raw": ["x": [1, nil]], "ok": nil],
        ["event": ["knob": ["detents": 24, "gain": 1, "kind": "dial"]], "times": [1, -2], "name": "", "ok": true],
        [
            "event": [
                "knob": ["detents": .int(.max), "gain": 1.5, "kind": "wheel"], "tree": ["tree": ["tags": ["a": "b"]]],
            ]
        ],
    ]

    @Test(arguments: valid) func acceptsWhatFits(_ parameters: JSONObject) {
        #expect(throws: Never.self) { try interface.validate(parameters: parameters, ofMethod: "Send") }
    }

    struct Wrong: CustomTestStringConvertible {
        let parameters: JSONObject
        let message: String

        init(_ parameters: JSONObject, _ message: String) {
            self.parameters = parameters
            self.message = message
        }

        var testDescription: String { message }
    }

    static let wrong: [Wrong] = [
        Wrong([:], "event: missing, expected Event"),
        Wrong(["event": nil], "event: expected object, got null"),
        Wrong(["event": []], "event: expected object, got array"),
        Wrong(["event": ["knob": ["detents": "24"]]], "event.knob.detents: expected int, got string"),
        Wrong(["event": ["knob": ["detents": 1.0]]], "event.knob.detents: expected int, got float"),
        Wrong(["event": ["knob": ["detents": 1]]], "event.knob.kind: missing, expected one of dial, wheel"),
        Wrong(
            ["event": ["knob": ["detents": 1, "kind": "dail"]]], "event.knob.kind: \"dail\" is none of dial, wheel"),
        Wrong(["event": ["knob": ["kind": 3]]], "event.knob.kind: expected one of dial, wheel, got int"),
        Wrong(["event": ["knob": ["gain": "a"]]], "event.knob.gain: expected float, got string"),
        Wrong(["event": ["tags": ["a": "b", "c": 1]]], "event.tags[c]: expected string, got int"),
        Wrong(["event": ["seen": ["a": ["b": 1]]]], "event.seen[a].b: unknown field"),
        Wrong(["event": ["tree": ["tree": ["knob": 1]]]], "event.tree.tree.knob: expected object, got int"),
        Wrong(["event": [:], "times": [1, nil]], "times.1: expected int, got null"),
        Wrong(["event": [:], "times": [:]], "times: expected array, got object"),
        Wrong(["event": [:], "raw": 1], "raw: expected object, got int"),
        Wrong(["event": [:], "ok": 0], "ok: expected bool, got int"),
        Wrong(["evnet": [:]], "evnet: unknown field, did you mean event?"),
        Wrong(["event": ["Knob": [:]]], "event.Knob: unknown field, did you mean knob?"),
        Wrong(["event": ["knob": ["detent": 24]]], "event.knob.detent: unknown field, did you mean detents?"),
        Wrong(["event": [:], "rwa": [:]], "rwa: unknown field, did you mean raw?"),
        Wrong(["event": [:], "colour": 1], "colour: unknown field"),
    ]

    @Test(arguments: wrong) func tellsThePathOfTheFirstWrongField(_ example: Wrong) {
        let error = #expect(throws: FieldError.self) {
            try interface.validate(parameters: example.parameters, ofMethod: "Send")
        }
        #expect(error?.description == example.message)
        #expect(error.map { example.message.hasPrefix($0.path + ":") } == true)
    }

    /// Damages a fitting call in one place: it still fits, or the error names a path inside of it.
    @Test(arguments: 0..<20 as Range<UInt64>) func damagedParametersFitOrAreRefused(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<100 {
            let bytes = generator.mutated(JSON.object(generator.pick(Self.valid)).description.bytes)
            guard let parameters = (try? JSON.parse(bytes))?.objectValue else { continue }
            do throws(FieldError) {
                try interface.validate(parameters: parameters, ofMethod: "Send")
                try interface.validate(parameters: parameters, ofMethod: "Send", unknownFields: .ignored)
            } catch {
                let top = error.path.prefix { $0 != "." && $0 != "[" }
                let isMissing = if case .missing = error.problem { true } else { false }
                #expect(
                    isMissing || parameters.keys.contains { $0.hasPrefix(top) },
                    "seed \(seed), round \(round): \(error)")
            }
        }
    }

    @Test func repliesAndErrorsAreChecked() {
        #expect(throws: Never.self) { try interface.validate(reply: ["id": 1], ofMethod: "Send") }
        #expect(throws: FieldError.self) { try interface.validate(reply: ["id": 1, "more": 2], ofMethod: "Send") }
        #expect(throws: Never.self) {
            try interface.validate(reply: ["id": 1, "more": 2], ofMethod: "Send", unknownFields: .ignored)
        }
        #expect(throws: FieldError.self) {
            try interface.validate(reply: [:], ofMethod: "Send", unknownFields: .ignored)
        }
        #expect(throws: Never.self) { try interface.validate(error: "Broken", parameters: ["why": ""]) }
        #expect(throws: FieldError.self) { try interface.validate(error: "Broken", parameters: [:]) }
        #expect(throws: Never.self) { try interface.validate(["detents": 1, "kind": "dial"], asType: "Knob") }
        #expect(throws: FieldError.self) { try interface.validate([], asType: "Knob") }
    }

    @Test func unknownMembersAreErrors() {
        let errors = [
            #expect(throws: FieldError.self) { try interface.validate(parameters: [:], ofMethod: "Knob") },
            #expect(throws: FieldError.self) { try interface.validate(reply: [:], ofMethod: "Nothing") },
            #expect(throws: FieldError.self) { try interface.validate(error: "Ping", parameters: [:]) },
            #expect(throws: FieldError.self) { try interface.validate(1, asType: "Ping") },
        ]
        #expect(errors.allSatisfy { $0?.problem == .noSuchMember })
    }

    @Test func longNamesAreCut() {
        let name = String(repeating: "é", count: 500_000)
        let error = #expect(throws: FieldError.self) {
            try interface.validate(parameters: JSONObject().with(name, 1), ofMethod: "Send")
        }
        #expect((error?.path.utf8.count ?? .max) < 400)
        let inMap = #expect(throws: FieldError.self) {
            try interface.validate(
                parameters: ["event": ["tags": .object(JSONObject().with(name, 1))]], ofMethod: "Send")
        }
        #expect((inMap?.path.utf8.count ?? .max) < 400)
    }
}

extension JSONObject {
    fileprivate func with(_ key: String, _ value: JSON) -> JSONObject {
        var copy = self
        copy[key] = value
        return copy
    }
}
