import RigModel

/// Something that can be held down, whoever holds it.
enum HeldControl: Equatable, Sendable {
    case button
    case nudge(NudgeDirection)
    case key(Key)
    case finger(Int)
    case padFinger(Int)

    /// What fingers lie on.
    enum Surface: Equatable, Sendable {
        case display
        case pad
    }

    /// For a finger, the surface it is on.
    var surface: Surface? {
        switch self {
        case .finger: .display
        case .padFinger: .pad
        case .button, .nudge, .key: nil
        }
    }

    /// Whether an event says that this is down, or where it is.
    func isTold(by input: InputEvent) -> Bool {
        switch (self, input) {
        case (.button, .knob(.pressed)): true
        case (.nudge(let direction), .knob(.nudge(let other, _))): direction == other
        case (.key(let key), .key(let event)): key == event.key
        case (.finger(let id), .touch(let touch)): touch.contacts.contains { $0.id == id }
        case (.padFinger(let id), .touchpad(let touch)): touch.contacts.contains { $0.id == id }
        case (.button, _), (.nudge, _), (.key, _), (.finger, _), (.padFinger, _): false
        }
    }

    /// A finger of a surface.
    static func finger(_ id: Int, on surface: Surface) -> HeldControl {
        switch surface {
        case .display: .finger(id)
        case .pad: .padFinger(id)
        }
    }
}

/// Something that is down, as far as letting it go needs to know.
protocol HeldDown {
    var control: HeldControl { get }
    /// When it went down.
    var since: UInt64 { get }
    /// Where a finger is: pixels of the display, or places on the pad.
    var x: Int { get }
    var y: Int { get }
    /// Whether another finger is taken back in one frame with this one: those of one hand on one surface.
    func isTogether(with other: Self) -> Bool
}

extension InputEvent {
    /// A press that is let go after `held` nanoseconds.
    static func released(held: UInt64, longPress: UInt64) -> InputEvent {
        .knob(.released(held: held, long: held >= longPress))
    }

    /// Lets go of something, or takes fingers back, which are one frame in the order of their numbers.
    ///
    /// - Parameters:
    ///   - first: what is let go.
    ///   - others: for a finger, those that are taken back with it.
    fileprivate init<Held: HeldDown>(lettingGoOf first: Held, with others: [Held], longPress: UInt64, now: UInt64) {
        switch first.control {
        case .button: self = .released(held: now - min(first.since, now), longPress: longPress)
        case .nudge(let direction): self = .knob(.nudge(direction, down: false))
        case .key(let key): self = .key(KeyEvent(key: key, down: false))
        case .finger:
            let contacts = ([first] + others).compactMap { held -> Contact? in
                guard case .finger(let id) = held.control else { return nil }
                return Contact(id: id, point: PixelPoint(x: held.x, y: held.y), phase: .cancelled)
            }
            self = .touch(TouchEvent(contacts: contacts.sorted { $0.id < $1.id }))
        case .padFinger:
            let contacts = ([first] + others).compactMap { held -> PadContact? in
                guard case .padFinger(let id) = held.control else { return nil }
                return PadContact(id: id, point: PadPoint(x: held.x, y: held.y), phase: .cancelled)
            }
            self = .touchpad(TouchpadEvent(contacts: contacts.sorted { $0.id < $1.id }))
        }
    }
}

extension Array where Element: HeldDown {
    /// Takes out what went down first of that which meets a condition, with the fingers that go with it.
    ///
    /// One at a time: what it is told to can end a session, which takes out what is left there before its own end.
    ///
    /// - Returns: what is to be told of it, and what was taken out, the first of it first; `nil` when nothing is left.
    mutating func takeOutNext(
        longPress: UInt64, now: UInt64, where isMeant: (Element) -> Bool
    ) -> (event: InputEvent, taken: [Element])? {
        guard let place = firstIndex(where: isMeant) else { return nil }
        let first = remove(at: place)
        var others: [Element] = []
        if let surface = first.control.surface {
            func goesWith(_ other: Element) -> Bool {
                other.control.surface == surface && first.isTogether(with: other) && isMeant(other)
            }
            others = filter(goesWith)
            removeAll(where: goesWith)
        }
        let event = InputEvent(lettingGoOf: first, with: others, longPress: longPress, now: now)
        return (event, [first] + others)
    }
}
