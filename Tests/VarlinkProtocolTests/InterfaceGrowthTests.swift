import Testing
import VarlinkProtocol

@Suite struct InterfaceGrowthTests {
    static let old = """
        interface a.b
        type Knob (detents: int, kind: (dial, wheel), next: ?Knob)
        type Point (x: int, y: int)
        method Turn(knob: Knob, at: ?Point) -> (points: []Point, inline: (x: int, y: int))
        error Gone (id: int)
        """

    private func problems(_ replacements: [(String, String)], added: String = "") throws -> [String] {
        var text = Self.old
        for (old, new) in replacements {
            #expect(text.contains(old))
            text = text.replacing(old, with: new)
        }
        let new = try InterfaceDescription(parsing: text + added)
        return new.growthProblems(since: try InterfaceDescription(parsing: Self.old)).map(\.description)
    }

    @Test func growthIsNoProblem() throws {
        #expect(try problems([]) == [])
        #expect(try problems([], added: "\ntype New (a)\nmethod More() -> ()\nerror Other (x: int)") == [])
        #expect(try problems([("detents: int", "detents: int, gain: ?float")]) == [])
        #expect(try problems([("at: ?Point", "extra: ?int, at: ?Point")]) == [])
        #expect(try problems([("id: int", "id: int, why: ?string")]) == [])
        #expect(try problems([("(dial, wheel)", "(wheel, dial)"), ("x: int, y: int", "y: int, x: int")]) == [])
        #expect(try problems([("type Point", "# About.\n\ntype Point")]) == [])
        // Naming an inline struct, and the other way round.
        #expect(try problems([("inline: (x: int, y: int)", "inline: Point")]) == [])
        #expect(try problems([("points: []Point", "points: [](x: int, y: int)")]) == [])
        #expect(try problems([("at: ?Point", "at: ?Place")], added: "\ntype Place (x: int, y: int)") == [])
        #expect(
            try problems(
                [("knob: Knob", "knob: Dial")], added: "\ntype Dial (detents: int, kind: (dial, wheel), next: ?Dial)")
                == [])
    }

    @Test func everythingElseIs() throws {
        #expect(try problems([("interface a.b", "interface a.c")]) == ["the interface was a.b and is a.c"])
        #expect(try problems([("error Gone (id: int)", "")]) == ["Gone was removed"])
        #expect(try problems([("error Gone (id: int)", "type Gone (id: int)")]) == ["Gone was a error and is a type"])
        #expect(try problems([("detents: int, ", "")]) == ["Knob.detents was removed"])
        #expect(try problems([("detents: int", "detents: ?int")]) == ["Knob.detents was int and is ?int"])
        #expect(try problems([("detents: int", "detents: float")]) == ["Knob.detents was int and is float"])
        #expect(
            try problems([("next: ?Knob", "next: ?Point")]) == [
                "Knob.next.detents was removed", "Knob.next.kind was removed", "Knob.next.next was removed",
                "Knob.next.x was added and is not optional", "Knob.next.y was added and is not optional",
            ])
        #expect(
            try problems([("detents: int", "detents: int, gain: float")]) == ["Knob.gain was added and is not optional"]
        )
        #expect(
            try problems([("(dial, wheel)", "(dial, ring)")]) == [
                "Knob.kind lost the word wheel", "Knob.kind got the word ring",
            ])
        #expect(
            try problems([("points: []Point", "points: Point")]) == [
                "Turn.reply.points was []Point and is (x: int, y: int)"
            ])
        #expect(
            try problems([("points: []Point", "points: [string]Point")]) == [
                "Turn.reply.points was []Point and is [string]Point"
            ])
        #expect(
            try problems([("inline: (x: int, y: int)", "inline: (x: int, y: string)")]) == [
                "Turn.reply.inline.y was int and is string"
            ])
        #expect(
            try problems([("points: []Point", "points: [](x: int, y: bool)")]) == [
                "Turn.reply.points[].y was int and is bool"
            ])
        #expect(
            try problems([("knob: Knob", "knob: Dial")], added: "\ntype Dial (detents: int, kind: (dial), next: ?Dial)")
                == ["Turn.knob.kind lost the word wheel"])
    }
}
