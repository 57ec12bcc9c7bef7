import RigModel
import Testing

@Suite struct RecordValueTests {
    private let value = RecordValue.record([
        RecordField("knob", .record([RecordField("detents", .int(-3))])),
        RecordField(
            "displays",
            .array([
                .record([RecordField("name", .string("main"))]), .record([RecordField("name", .string("cluster"))]),
            ])),
        RecordField("gone", .null),
    ])

    @Test func findsFieldsAndElementsByPath() {
        #expect(value.value(at: "knob.detents") == .int(-3))
        #expect(value.value(at: "displays.1.name") == .string("cluster"))
        #expect(value.value(at: "") == value)
        #expect(value.value(at: "displays.0") == .record([RecordField("name", .string("main"))]))
    }

    @Test(arguments: [
        "nothing", "knob.nothing", "knob.detents.more", "displays.2", "displays.-1", "displays.name", "gone",
        "displays.99999999999999999999",
    ])
    func findsNothingWhereAPartIsMissing(path: String) { #expect(value.value(at: path) == nil) }

    @Test func aRecordLeavesOutWhatIsNull() {
        #expect(
            RecordValue.record([RecordField("a", .null), RecordField("b", .bool(true))])
                == .object([RecordField("b", .bool(true))]))
    }

    @Test func numbersBeyondTheRangeAreHeldAtItsLimit() {
        #expect(RecordValue.number(UInt64.max) == .int(.max))
        #expect(RecordValue.number(UInt8?.none) == .null)
        #expect(RecordValue.text(nil) == .null)
        #expect(RecordValue.text("a") == .string("a"))
    }
}

@Suite struct InputEventTests {
    private static func touch(_ phases: ContactPhase...) -> InputEvent {
        .touch(
            TouchEvent(
                contacts: phases.enumerated().map {
                    Contact(id: $0.offset, point: PixelPoint(x: 0, y: 0), phase: $0.element)
                }))
    }

    private static func pad(_ phases: ContactPhase...) -> InputEvent {
        .touchpad(
            TouchpadEvent(
                contacts: phases.enumerated().map {
                    PadContact(id: $0.offset, point: PadPoint(x: 0, y: 0), phase: $0.element)
                }))
    }

    @Test(
        arguments: [
            (.knob(.rotate(detents: 1)), true), (.knob(.pressed), false),
            (.knob(.released(held: 1, long: false)), false),
            (.knob(.nudge(.up, down: true)), false), (.key(KeyEvent(key: .home, down: true)), false),
            (touch(.moved), true), (touch(.moved, .stationary), true), (touch(.began), false), (touch(.ended), false),
            (touch(.cancelled), false), (touch(.moved, .ended), false), (pad(.moved, .stationary), true),
            (pad(.began, .moved), false), (pad(.ended), false),
        ] as [(InputEvent, Bool)])
    func onlyTurnsAndMovesAreMotion(event: InputEvent, isMotion: Bool) { #expect(event.isMotion == isMotion) }
}
