import RigModel
import Testing

@Suite struct FieldAssignmentsTests {
    @Test func pathsMakeGroupsAndRepeatedPathsLists() throws {
        var fields = FieldAssignments()
        try fields.set("mediaItem.title", to: "Song", isQuoted: false)
        try fields.set("mediaItem.duration", to: "180000", isQuoted: false)
        try fields.set("mediaItem.year", to: "1999", isQuoted: true)
        try fields.set("isOn", to: "true", isQuoted: false)
        try fields.set("lane", to: "1", isQuoted: false)
        try fields.set("lane", to: "2", isQuoted: false)
        try fields.set("lane", to: "3", isQuoted: false)
        #expect(
            fields.record
                == .object([
                    RecordField(
                        "mediaItem",
                        .object([
                            RecordField("title", .string("Song")), RecordField("duration", .int(180_000)),
                            RecordField("year", .string("1999")),
                        ])),
                    RecordField("isOn", .bool(true)),
                    RecordField("lane", .array([.int(1), .int(2), .int(3)])),
                ]))
    }

    /// What is no whole number of a record stays text: a u64's last half is read from text.
    @Test func numbersThatARecordCannotHoldStayText() throws {
        var fields = FieldAssignments()
        try fields.set("a", to: "9223372036854775807", isQuoted: false)
        try fields.set("b", to: "9223372036854775808", isQuoted: false)
        try fields.set("c", to: "1.0", isQuoted: false)
        #expect(
            fields.record
                == .object([
                    RecordField("a", .int(.max)), RecordField("b", .string("9223372036854775808")),
                    RecordField("c", .string("1.0")),
                ]))
    }

    @Test func whatCannotBeIsNamedAndChangesNothing() throws {
        var fields = FieldAssignments()
        try fields.set("a.b", to: "1", isQuoted: false)
        let before = fields
        #expect(throws: FieldAssignments.Problem.emptyPart(path: "a..b")) {
            try fields.set("a..b", to: "", isQuoted: false)
        }
        #expect(throws: FieldAssignments.Problem.emptyPart(path: "")) { try fields.set("", to: "", isQuoted: false) }
        #expect(throws: FieldAssignments.Problem.taken(path: "a")) { try fields.set("a", to: "1", isQuoted: false) }
        #expect(throws: FieldAssignments.Problem.taken(path: "a.b.c")) {
            try fields.set("a.b.c", to: "1", isQuoted: false)
        }
        #expect(throws: FieldAssignments.Problem.tooMany(path: "1.2.3.4.5.6.7.8.9")) {
            try fields.set("1.2.3.4.5.6.7.8.9", to: "1", isQuoted: false)
        }
        #expect(fields == before)
        for number in 1..<FieldAssignments.maximumFields { try fields.set("n\(number)", to: "1", isQuoted: false) }
        #expect(throws: FieldAssignments.Problem.tooMany(path: "x")) { try fields.set("x", to: "1", isQuoted: false) }
    }
}
