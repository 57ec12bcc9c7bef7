import RigModel
import Testing

/// What is published, part by part: as a value, and into a sink.
struct RecordSinkTests {
    @Test func aTouchIsAListOfObjectsInsideOfItsEvent() {
        let contacts = [
            Contact(id: 0, point: PixelPoint(x: 1, y: 2), phase: .began),
            Contact(id: 1, point: PixelPoint(x: 3, y: 4), phase: .moved),
        ]
        let event = Event(
            sequence: 7, time: 9, kind: .inputTouch, origin: .simulated,
            device: DeviceReference(name: "a", generation: 2),
            session: SessionID(3), display: "s3/main",
            input: InputReference(id: InputID(5), source: "injected", revision: 1, tag: "t"),
            payload: .input(.touch(TouchEvent(contacts: contacts, outsideSafeArea: true))))
        func contact(_ id: Int64, _ x: Int64, _ y: Int64, _ phase: String) -> RecordValue {
            .object([
                RecordField("id", .int(id)), RecordField("x", .int(x)), RecordField("y", .int(y)),
                RecordField("phase", .string(phase)),
            ])
        }
        #expect(
            event.record
                == .object([
                    RecordField("sequence", .int(7)), RecordField("time", .int(9)),
                    RecordField("kind", .string("input.touch")), RecordField("origin", .string("simulated")),
                    RecordField("device", .string("a")), RecordField("generation", .int(2)),
                    RecordField("session", .string("s3")), RecordField("display", .string("s3/main")),
                    RecordField(
                        "input",
                        .object([
                            RecordField("id", .int(5)), RecordField("source", .string("injected")),
                            RecordField("revision", .int(1)), RecordField("tag", .string("t")),
                        ])),
                    RecordField(
                        "touch",
                        .object([
                            RecordField("contacts", .array([contact(0, 1, 2, "began"), contact(1, 3, 4, "moved")])),
                            RecordField("outsideSafeArea", .bool(true)),
                        ])),
                ]))
    }

    @Test(arguments: [
        (InputIntent.press, "meaning:press"), (.pressTurn(detents: -2), "meaning:pressTurn detents:-2"),
        (.tap(fingers: 2), "meaning:tap fingers:2"),
        (.swipe(.left, fingers: 1, speed: 300), "meaning:swipe direction:left fingers:1 speed:300"),
        (.scroll(x: 150, y: -25), "meaning:scroll x:1.5 y:-0.25"), (.focus(.up), "meaning:focus direction:up"),
    ])
    func anIntentSaysItsMeaningFirst(_ intent: InputIntent, _ fields: String) {
        #expect(Self.text(intent.record) == fields)
    }

    @Test(arguments: [
        (KnobEvent.rotate(detents: 3), "gesture:rotate detents:3"), (.pressed, "gesture:press"),
        (.released(held: 1_999_999, long: true), "gesture:release heldMilliseconds:1 long:true"),
        (.nudge(.upLeft, down: false), "gesture:nudgeEnd direction:upLeft"),
    ])
    func aKnobSaysItsGestureFirst(_ knob: KnobEvent, _ fields: String) {
        #expect(Self.text(knob.record) == fields)
    }

    @Test func numbersThatNobodyCanCountToAreHeldAtTheLimit() {
        #expect(
            KnobEvent.released(held: .max, long: false).record.value(at: "heldMilliseconds") == .int(18_446_744_073_709)
        )
        let event = Event(sequence: .max, time: .max, kind: .mark, origin: .declared)
        #expect(event.record.value(at: "sequence") == .int(.max) && event.record.value(at: "time") == .int(.max))
    }

    private static func text(_ record: RecordValue) -> String {
        guard case .object(let fields) = record else { return "no object" }
        return fields.map { field in
            switch field.value {
            case .int(let value): "\(field.name):\(value)"
            case .double(let value): "\(field.name):\(value)"
            case .bool(let value): "\(field.name):\(value)"
            case .string(let value): "\(field.name):\(value)"
            case .null, .array, .object: "\(field.name):?"
            }
        }.joined(separator: " ")
    }
}
