import Testing
import VarlinkProtocol

@Suite struct InterfaceParsingTests {
    static let rig = """
        # A licence, which documents nothing.

        # The rig.
        #
        #  Indented.
        interface org.example.Rig

        # A knob.
        type Knob (
          # Clicks per turn.
          detents: int,
          # Of what it is made.
          kind: (dial, wheel), # not about the next
          nested: ?[]?[string](a: bool, b: [string]())
          # about nothing
        )
        type Empty ()
        type Colour (red, green)

        # parted by an empty line

        method Turn(knob: Knob, by: float)->(ok: bool, rest: ?object)
        method Ping() -> ()
        error Broken (why: string, colour: []Colour)
        """

    @Test func readsEveryConstruct() throws {
        let interface = try InterfaceDescription(parsing: Self.rig)
        #expect(interface.name == "org.example.Rig")
        #expect(interface.documentation == "The rig.\n\n Indented.")
        #expect(interface.text == Self.rig)
        #expect(interface.members.map(\.name) == ["Knob", "Empty", "Colour", "Turn", "Ping", "Broken"])
        #expect(interface.members.map(\.documentation) == ["A knob.", "", "", "", "", ""])
        let inner: VarlinkType = .structure([
            VarlinkField(name: "a", type: .bool), VarlinkField(name: "b", type: .map(.structure([]))),
        ])
        #expect(
            interface.type("Knob")
                == .structure([
                    VarlinkField(name: "detents", type: .int, documentation: "Clicks per turn."),
                    VarlinkField(
                        name: "kind", type: .enumeration(["dial", "wheel"]), documentation: "Of what it is made."),
                    VarlinkField(name: "nested", type: .nullable(.array(.nullable(.map(inner))))),
                ]))
        #expect(interface.type("Empty") == .structure([]))
        #expect(interface.type("Colour") == .enumeration(["red", "green"]))
        #expect(
            interface.method("Turn")?.parameters
                == [VarlinkField(name: "knob", type: .named("Knob")), VarlinkField(name: "by", type: .float)])
        #expect(
            interface.method("Turn")?.reply
                == [VarlinkField(name: "ok", type: .bool), VarlinkField(name: "rest", type: .nullable(.object))])
        #expect(interface.method("Ping")?.parameters == [])
        #expect(interface.error("Broken")?.map(\.type) == [.string, .array(.named("Colour"))])
        #expect(interface.member("Nothing") == nil)
        #expect(interface.type("Turn") == nil)
        #expect(interface.method("Knob") == nil)
    }

    @Test(arguments: [
        "interface a.b", "interface a.b # x", "\n\n  interface\t a.b \r\n", "interface # c\n a.b\r\rtype A()",
        "interface a.b\nmethod\nM\n(\na\n:\nint\n,\nb # c\n:\n# d\nbool\n)\n->\n(\n)\n",
        "interface a.b\ntype A (a: ?A, b: []A, c: [string]A, d: ?[]A)\n# end", "interface a.b\nerror E ( )",
        "interface a.b\ntype A(b:B)\ntype B(x)", "interface a.b\ntype A (a: (b: (c: ())))",
    ])
    func acceptsWhatTheGrammarAllows(_ text: String) {
        #expect(throws: Never.self) { try InterfaceDescription(parsing: text) }
    }

    struct Wrong: CustomTestStringConvertible {
        let text: String
        let kind: InterfaceError.Kind
        let line: Int
        let column: Int

        init(_ text: String, _ kind: InterfaceError.Kind, _ line: Int, _ column: Int) {
            self.text = text
            self.kind = kind
            self.line = line
            self.column = column
        }

        /// Wrong in the second line, behind the interface's name.
        init(member: String, _ kind: InterfaceError.Kind, column: Int) {
            self.init("interface a.b\n" + member, kind, 2, column)
        }

        var testDescription: String { text }
    }

    private static func unexpected(_ found: String, _ expected: String) -> InterfaceError.Kind {
        .unexpected(found, expected: expected)
    }

    private static let aType = "a type: bool, int, float, string, object, a declared type, '(', '[]', '[string]' or '?'"

    static let wrong: [Wrong] = [
        Wrong("", unexpected("the end of the text", "'interface'"), 1, 1),
        Wrong("# c\n", unexpected("the end of the text", "'interface'"), 2, 1),
        Wrong("# é", unexpected("the end of the text", "'interface'"), 1, 4),
        Wrong("type A ()", unexpected("'type'", "'interface'"), 1, 1),
        Wrong("interface", unexpected("the end of the text", "a space"), 1, 10),
        Wrong("interface ", unexpected("the end of the text", "the interface's name"), 1, 11),
        Wrong("interface a.b type A ()", unexpected("'type'", "the end of the line"), 1, 15),
        Wrong("interface é.b", unexpected("'é'", "the interface's name"), 1, 11),
        Wrong(member: "typ A ()", unexpected("'typ'", "'type', 'method' or 'error'"), column: 1),
        Wrong(member: "typeA ()", unexpected("'typeA'", "'type', 'method' or 'error'"), column: 1),
        Wrong(member: "type (a)", unexpected("'('", "a name"), column: 6),
        Wrong(member: "type a (a)", .invalidName("a", .member), column: 6),
        Wrong(member: "type A_b (a)", .invalidName("A_b", .member), column: 6),
        Wrong(member: "type A", unexpected("the end of the text", "'('"), column: 7),
        Wrong(member: "type A []int", unexpected("'['", "'('"), column: 8),
        Wrong(member: "type A (a: int", unexpected("the end of the text", "',' or ')'"), column: 15),
        Wrong(member: "type A (a: int,)", unexpected("')'", "a name"), column: 16),
        Wrong(member: "type A (a,)", unexpected("')'", "a name"), column: 11),
        Wrong(member: "type A (,a)", unexpected("','", "a name"), column: 9),
        Wrong(member: "type A (a b)", unexpected("'b'", "',' or ')'"), column: 11),
        Wrong(member: "type A (a: int, b)", unexpected("')'", "':' and the field's type"), column: 18),
        Wrong(member: "type A (a, b: int)", unexpected("':'", "',' or ')'"), column: 13),
        Wrong(member: "type A (a: int, a: bool)", .duplicateName("a", .field), column: 17),
        Wrong(member: "type A (a, b, a)", .duplicateName("a", .word), column: 15),
        Wrong(member: "type A (a: ??int)", unexpected("'?'", "a type that is not optional"), column: 13),
        Wrong(member: "type A (a: )", unexpected("')'", aType), column: 12),
        Wrong(member: "type A (a: any)", unexpected("'any'", aType), column: 12),
        Wrong(member: "type A (a: uint)", unexpected("'uint'", aType), column: 12),
        Wrong(member: "type A (a: [int]string)", unexpected("'['", aType), column: 12),
        Wrong(member: "type A (a: [] int)", unexpected("' '", aType), column: 14),
        Wrong(member: "type A (a: Missing)", .unknownType("Missing"), column: 12),
        Wrong(member: "type A (a: E)\nerror E ()", .notAType("E"), column: 12),
        Wrong(member: "type A ()\nmethod A() -> ()", .duplicateName("A", .member), column: 8),
        Wrong(member: "method M(a, b) -> ()", unexpected("'('", "fields with a ':' and a type each"), column: 9),
        Wrong(member: "method M() -> (a)", unexpected("'('", "fields with a ':' and a type each"), column: 15),
        Wrong(member: "method M()", unexpected("the end of the text", "'->' and the reply's fields"), column: 11),
        Wrong(member: "method M() ->", unexpected("the end of the text", "'('"), column: 14),
        Wrong(member: "error E", unexpected("the end of the text", "'('"), column: 8),
        Wrong(member: "error E () error F ()", unexpected("'error'", "the end of the line"), column: 12),
        Wrong(member: "type A ()\u{0}", unexpected("a control character", "the end of the line"), column: 10),
        Wrong(member: "type A (a: A)", .endlessType("A"), column: 6),
        Wrong("interface a.b\ntype A (b: B)\ntype B (c: (d: C))\ntype C (b: B)", .endlessType("B"), 3, 6),
    ]

    @Test(arguments: wrong) func refusesWithLineAndColumn(_ example: Wrong) {
        let error = #expect(throws: InterfaceError.self) { try InterfaceDescription(parsing: example.text) }
        #expect(error?.kind == example.kind)
        if case .duplicateName("A", .member) = example.kind {
            #expect(error?.line == 3)
        } else {
            #expect(error?.line == example.line)
        }
        #expect(error?.column == example.column)
        #expect(error?.description.hasPrefix("line ") == true)
    }

    @Test func nestingIsLimited() {
        func nested(_ depth: Int) -> String {
            "interface a.b\ntype A (a: " + String(repeating: "[]", count: depth) + "int)"
        }
        #expect(throws: Never.self) { try InterfaceDescription(parsing: nested(63)) }
        let error = #expect(throws: InterfaceError.self) { try InterfaceDescription(parsing: nested(64)) }
        #expect(error?.kind == .tooDeep(limit: 64))
        #expect(throws: InterfaceError.self) {
            try InterfaceDescription(parsing: "interface a.b\ntype A " + String(repeating: "(a: ", count: 100_000))
        }
    }

    @Test func longChainsOfTypesAreNoProblem() throws {
        var text = "interface a.b\n"
        for number in 0..<20_000 { text += "type T\(number) (next: T\(number + 1))\n" }
        #expect(try InterfaceDescription(parsing: text + "type T20000 ()").members.count == 20_001)
        #expect(throws: InterfaceError.self) { try InterfaceDescription(parsing: text + "type T20000 (a: T0)") }
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func damagedTextIsReadOrRefused(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<100 {
            let noise = generator.bytes(count: generator.below(30))
            let text = (generator.chance(5) ? noise : generator.mutated(Self.rig.bytes)).text
            do throws(InterfaceError) {
                let interface = try InterfaceDescription(parsing: text)
                #expect(interface.growthProblems(since: interface).isEmpty, "seed \(seed), round \(round)")
                #expect(interface.markdown().contains(interface.name))
            } catch {
                let lines = text.unicodeScalars.count { $0 == "\n" || $0 == "\r" } + 1
                #expect((1...lines).contains(error.line), "seed \(seed), round \(round)")
                #expect(error.column >= 1)
            }
        }
    }
}
