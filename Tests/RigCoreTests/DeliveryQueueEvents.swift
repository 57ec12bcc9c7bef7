import RigModel

// Events of which queues and streams are made in tests.
extension Event {
    static func mark(_ sequence: UInt64) -> Event {
        Event(sequence: sequence, time: 0, kind: .mark, origin: .declared, payload: .text("mark"))
    }

    private static func input(_ sequence: UInt64, _ kind: EventKind, _ input: InputEvent, _ source: String) -> Event {
        Event(
            sequence: sequence, time: 0, kind: kind, origin: .observed, session: SessionID(1), display: "s1/main",
            input: InputReference(id: InputID(sequence), source: source, revision: 1), payload: .input(input))
    }

    static func knob(_ sequence: UInt64, _ knob: KnobEvent, from source: String = "knob-1") -> Event {
        input(sequence, .inputKnob, .knob(knob), source)
    }

    static func turn(_ sequence: UInt64, _ detents: Int32, from source: String = "knob-1") -> Event {
        knob(sequence, .rotate(detents: detents), from: source)
    }

    static func key(_ sequence: UInt64, _ key: Key) -> Event {
        input(sequence, .inputKey, .key(KeyEvent(key: key, down: true)), "keys-1")
    }

    /// A frame with one contact for each phase, all at `x`.
    static func touch(_ sequence: UInt64, _ phases: [ContactPhase], x: Int = 0) -> Event {
        let contacts = phases.enumerated().map {
            Contact(id: $0.offset, point: PixelPoint(x: x, y: 0), phase: $0.element)
        }
        return input(sequence, .inputTouch, .touch(TouchEvent(contacts: contacts)), "touch-1")
    }

    /// The same on a touchpad.
    static func pad(_ sequence: UInt64, _ phases: [ContactPhase], x: Int = 0) -> Event {
        let contacts = phases.enumerated().map {
            PadContact(id: $0.offset, point: PadPoint(x: x, y: 0), phase: $0.element)
        }
        return input(sequence, .inputTouchpad, .touchpad(TouchpadEvent(contacts: contacts)), "pad-1")
    }

    static func intent(_ sequence: UInt64, _ intent: InputIntent, from source: String = "knob-1") -> Event {
        Event(
            sequence: sequence, time: 0, kind: .inputIntent, origin: .observed, session: SessionID(1),
            input: InputReference(id: InputID(sequence), source: source), payload: .intent(intent))
    }

    static func lost(at sequence: UInt64, from first: UInt64, to last: UInt64, merged: UInt64) -> Event {
        Event(
            sequence: sequence, time: 0, kind: .streamLost, origin: .declared,
            payload: .lost(from: first, to: last, merged: merged))
    }

    func changed(_ change: (inout Event) -> Void) -> Event {
        var event = self
        change(&event)
        return event
    }

    /// How far a knob was turned; 0 for everything else.
    var detents: Int {
        if case .input(.knob(.rotate(let detents))) = payload { Int(detents) } else { 0 }
    }

    /// How far a knob was turned while it was pressed, or two fingers went to the right; 0 for everything else.
    var meant: Int {
        switch payload {
        case .intent(.pressTurn(let detents)): Int(detents)
        case .intent(.scroll(let x, _)): x
        default: 0
        }
    }
}
